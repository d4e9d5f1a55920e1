"""Used by gpu-tuning.test: tunes one small program twice, on the host. Arguments: source, graph, scratch."""
import json
import pathlib
import shutil
import sys
import threading
import time
import types

source, graph, folder = (pathlib.Path(argument) for argument in sys.argv[1:])
sys.path.insert(0, str(source / "scripts" / "gpu_check"))
import cases  # noqa: E402
import run as runs  # noqa: E402
import tuning  # noqa: E402

# What Run has of a machine with a bundle, of this one.
run = types.SimpleNamespace(out=folder, work=folder, tuned=set(), commit="none", env={}, child_env=None,
                            tool=shutil.which, deadline=time.monotonic() + 120, log=open(folder / "log", "w"),
                            lock=threading.Lock(), model_lock=threading.Lock())
run.command = lambda *arguments, **more: runs.Run.command(run, *arguments, **more)
case = cases.Case("small", cases.shape("gcn", 1433, 16, 7, 2), graph, folder / "w", None, folder, weights_are_made=True)
runs.Run.ensure_model(run, case)
rows, summary = tuning.tune(run, case, "cpu", "generic", budget=10)
kept = [json.loads(line) for line in (folder / "gpu-tuning.jsonl").read_text().splitlines()]
right = kept == rows and all(row["heuristic_us"] >= row["tuned_us"] > 0 and row["edges"] == 10556 and
                             row["candidates"] > 0 and row["data"] == "cora" for row in rows)
print(f"first: {'some' if rows else 'no'} rows, {'ok' if right and 'candidates measured' in summary else rows}")
print(f"again: {len(tuning.tune(run, case, 'cpu', 'generic', budget=10)[0])} rows")
print("none beyond:", tuning.share_beyond([]))
