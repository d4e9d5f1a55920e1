#!/usr/bin/env python3
"""A peer that does what $FAKE_PEER says, to see what gnn-bench study makes of it."""
import json
import os
import signal
import sys
import time

arguments = dict(zip(sys.argv[1::2], sys.argv[2::2]))
what = os.environ["FAKE_PEER"]
if what == "crash":
    os.kill(os.getpid(), signal.SIGSEGV)
elif what == "killed":
    os.kill(os.getpid(), signal.SIGKILL)
elif what == "hang":
    if os.fork() == 0:  # a child of the peer, which has to go with it
        with open(os.environ["FAKE_PEER_PID"], "w", encoding="utf-8") as file:
            file.write(str(os.getpid()))
    time.sleep(60)
elif what == "rubbish":
    with open(arguments["-o"], "w", encoding="utf-8") as file:
        file.write("median 3 ms\n")
elif what == "silent":
    sys.exit(0)
elif what == "full":
    sys.exit("fake-peer: CUDA out of memory. Tried to allocate 116 GiB")
elif what == "missing":
    sys.exit("fake-peer: No module named 'torch_geometric'")
else:
    row = {"system": "pyg-eager" if arguments["--mode"] == "eager" else "pyg-compile", "model": arguments["--model"],
           "fixes": True, "device": "cpu", "ok": True, "error": None, "status": "ok", "compile_ms": None, "first_ms": 150.0,
           "second_ms": 50.0, "max_rel_err": 0.0, "latency_ms": {"q1": 1, "median": 5.0, "q3": 6, "min": 1, "mean": 5, "n": 3}}
    if what == "other-edges":
        row["edge_list_hash"] = "crc32:00000000"
    if what == "same-edges":
        row["edge_list_hash"] = os.environ["FAKE_PEER_EDGES"]
    if row["system"] == "pyg-compile":
        row["latency_ms"]["median"] = 3.0
    with open(arguments["-o"], "w", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")
