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
          "--warmup", "0", "--threads", "1"]
SCRATCH = ("--scratch", base + ".scratch")
PID = pathlib.Path(base + ".pid")


def command(rows, *more, scratch=SCRATCH):
    return ["gnn-bench", "study", *SHARED, *scratch, "--systems", "libtorch-csr,pyg-eager", "--peer", peer, "-o", rows, *more]


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
path = fresh("same-edges")
edges = rows_of(pathlib.Path(f"{base}.other-edges.jsonl"))[0]["edge_list_hash"]
subprocess.run(command(path), env=os.environ | {"FAKE_PEER": "same-edges", "FAKE_PEER_EDGES": edges}, check=True, timeout=120,
               capture_output=True)
ours, theirs = rows_of(path)
same = all(ours[name] == theirs[name] for name in ("commit", "data_checksum")) and ours["env"]["cpu"] == theirs["env"]["cpu"]
print(f"same-edges: commit, checksum and machine are {'there' if same and ours['data_checksum'] else 'missing'}")
report("no python", "works", "--python", base + ".absent-python")



def until_it_hangs(path):
    """A run whose peer hangs, in a folder of its own; neither may be full of leftovers later."""
    temporary = pathlib.Path(base + ".tmp")
    temporary.mkdir(exist_ok=True)
    running = subprocess.Popen(command(path, scratch=()), stderr=subprocess.DEVNULL,
                               env=os.environ | {"FAKE_PEER": "hang", "FAKE_PEER_PID": str(PID), "TMPDIR": str(temporary)})
    for _ in range(1200):
        if PID.exists() and PID.read_text():
            break
        time.sleep(0.05)
    return running, temporary


def leftovers(path, temporary):
    there = [p.name for p in temporary.iterdir()] + [p.name for p in path.parent.glob(path.name + ".scratch")]
    return ", ".join(there) or "nothing"


for name, number in (("kill -9", signal.SIGKILL), ("kill", signal.SIGTERM), ("^C", signal.SIGINT)):
    path = fresh(f"resumed-{number}")
    running, temporary = until_it_hangs(path)
    running.send_signal(number)
    code = running.wait(timeout=30)
    gone, kept, left = is_gone(int(PID.read_text())), len(rows_of(path)), leftovers(path, temporary)
    print(f"{name}: exit {code}, its child is {'gone' if gone else 'there'}, {kept} rows, left: {left}")
    subprocess.run(command(path, "--resume", scratch=()), env=os.environ | {"FAKE_PEER": "works", "TMPDIR": str(temporary)},
                   check=True, capture_output=True, timeout=120)
    print(f"{name}: resumed: {len(rows_of(path))} rows, left: {leftovers(path, temporary)}")

path = fresh("twice")
running, _ = until_it_hangs(path)
second = subprocess.run(command(path, "--resume", scratch=()), stderr=subprocess.PIPE, text=True, timeout=60, check=False)
print(f"twice: exit {second.returncode}: {second.stderr.splitlines()[-1]}")
running.terminate()
running.wait(timeout=30)
