"""Runs gnn-bench study with a peer that fails in one way after the other, and says what its row has."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

peer, base = sys.argv[1], sys.argv[2]
SHARED = ["--models", "gcn", "--datasets", "cora", "--modes", "eager", "--hidden", "4", "--num-layers", "2", "--repeats", "1",
          "--warmup", "0", "--threads", "1", "--scratch", base + ".scratch"]
PID = pathlib.Path(base + ".pid")


def command(rows, *more):
    return ["gnn-bench", "study", *SHARED, "--systems", "libtorch-csr,pyg-eager", "--peer", peer, "-o", rows, *more]


def fresh(name):
    rows = pathlib.Path(f"{base}.{name}.jsonl")
    rows.unlink(missing_ok=True)
    PID.unlink(missing_ok=True)
    return rows


def rows_of(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def is_gone(pid):
    for _ in range(100):
        try:
            state = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
        except OSError:
            return True
        if state == "Z":
            return True
        time.sleep(0.05)
    return False


def report(name, what, *more):
    path = fresh(name)
    subprocess.run(command(path, *more), env=os.environ | {"FAKE_PEER": what, "FAKE_PEER_PID": str(PID)}, check=True,
                   capture_output=True, timeout=120)
    row = rows_of(path)[-1]
    print(f"{name}: {row['status']}: {row['error']}")
    if what == "hang":
        print(f"{name}: its child is {'gone' if is_gone(int(PID.read_text())) else 'there'}")


for way in ("crash", "killed", "hang", "rubbish", "silent", "full", "missing", "other-edges"):
    report(way, way, *(["--timeout", "10"] if way == "hang" else []))
report("no python", "works", "--python", base + ".absent-python")

path = fresh("resumed")
running = subprocess.Popen(command(path), env=os.environ | {"FAKE_PEER": "hang", "FAKE_PEER_PID": str(PID)},
                           stderr=subprocess.DEVNULL)
for _ in range(1200):
    if PID.exists() and PID.read_text():
        break
    time.sleep(0.05)
running.send_signal(signal.SIGKILL)
running.wait()
gone, kept = is_gone(int(PID.read_text())), len(rows_of(path))
subprocess.run(command(path, "--resume"), env=os.environ | {"FAKE_PEER": "works"}, check=True, capture_output=True, timeout=120)
print(f"kill -9: its child is {'gone' if gone else 'there'}, {kept} rows; resumed: {len(rows_of(path))} rows")
