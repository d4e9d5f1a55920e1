"""One run of gpu-check: where things are, the clock, the log, the record of steps."""
import concurrent.futures
import json
import pathlib
import shutil
import subprocess
import tarfile
import threading
import time

import environment

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


class Failure(Exception):
    """One line: what a step found wrong."""


class Run:
    """The state that all steps share."""

    def __init__(self, options):
        self.out = pathlib.Path(options.out).resolve()
        self.out.mkdir(parents=True, exist_ok=True)
        self.work = pathlib.Path(options.work).resolve()
        self.work.mkdir(parents=True, exist_ok=True)
        self.deadline = time.monotonic() + options.time_limit
        self.started = time.monotonic()
        self.steps = []
        self.env = {}
        self.background = {}
        self.references = {}
        self.bench_rows = {}  # of step bench, by case
        self.options = options
        self.needs_large_graphs = self.needs_benchmarks = True
        self.tuned = set()  # of step tune, keys of kernels
        self.graph_ready = threading.Event()
        self.pool = concurrent.futures.ThreadPoolExecutor(4)
        self.lock, self.model_lock = threading.Lock(), threading.Lock()
        (self.out / "gpu.jsonl").unlink(missing_ok=True)
        self.log = open(self.out / "gpu-check.log", "w", encoding="utf-8")
        self.bundle = self.unpack(options.bundle)
        self.commit = options.commit or environment.commit(ROOT, self.bundle)
        self.child_env = environment.for_children()
        # What is built here finds the bundle's libraries, and what those need.
        self.build_env = environment.with_libraries(self.child_env, self.bundle / "lib")

    def wants(self, *steps):
        return bool(set(steps) & set(self.options.steps.split(",")))

    def unpack(self, path):
        if (pathlib.Path(path) / "bin").is_dir():
            return pathlib.Path(path).resolve()
        target = self.work / "bundle"
        shutil.rmtree(target, ignore_errors=True)
        with tarfile.open(path) as archive:
            archive.extractall(target, filter="tar")
        return target

    def tool(self, name):
        return str(self.bundle / "bin" / name)

    def command(self, arguments, timeout=120, env=None, check=True):
        """-> CompletedProcess; its output also goes to the log."""
        left = self.deadline - time.monotonic()
        if left < 1:
            raise Failure("no time left (--time-limit)")
        begin = time.monotonic()
        try:
            done = subprocess.run([str(a) for a in arguments], capture_output=True, text=True, errors="replace",
                                  timeout=min(timeout, left), env=env or self.child_env, check=False)
            code, text = done.returncode, done.stdout + done.stderr
        except subprocess.TimeoutExpired as late:
            done, code = None, "timeout"
            text = "".join(part.decode("utf-8", "replace") if isinstance(part, bytes) else part or ""
                           for part in (late.stdout, late.stderr))
        with self.lock:
            self.log.write(f"\n$ {' '.join(str(a) for a in arguments)}\n{text}"
                           f"[{code}, {time.monotonic() - begin:.2f} s]\n")
            self.log.flush()
        name = pathlib.Path(str(arguments[0])).name
        if done is None:
            raise Failure(f"{name} ran longer than {min(timeout, left):.0f} s")
        if check and code != 0:
            lines = [line for line in text.strip().splitlines() if line.strip()] or ["no output"]
            raise Failure(f"{name}: exit {code}: {lines[-1]}")
        return done

    def ensure_model(self, case):
        """Writes the case's program (and weights) unless they are there; any step may be the first to ask."""
        with self.model_lock:
            if case.program.exists() and case.weights.exists():
                return
            weights = ["--weights-seed", "1", "--weights", case.weights] if case.weights_are_made else []
            self.command([self.tool("gnn-model"), *case.model_arguments, *weights, "-o", case.program])

    def benchmarks_folder(self):
        """Where gnn-bench was built, once it is: the build began with the script."""
        return self.background["build"].result(timeout=max(1, self.deadline - time.monotonic()))

    def keep(self, rows):
        """Puts the lines of a file behind those of gpu.jsonl. -> the rows"""
        text = rows.read_text()
        with open(self.out / "gpu.jsonl", "a", encoding="utf-8") as kept:
            kept.write(text)
        return [json.loads(line) for line in text.splitlines() if line]

    def step(self, name, function):
        record = {"name": name, "begin_s": round(time.monotonic() - self.started, 1), "ok": True, "error": None,
                  "checks": []}
        self.steps.append(record)
        print(f"gpu-check: {name} ...", flush=True)
        try:
            function(self, record)
            bad = [check for check in record["checks"] if not check["ok"]]
            if bad:
                record["error"] = f"{len(bad)} of {len(record['checks'])} checks failed, first: {bad[0]['name']}"
        except Failure as failure:
            record["error"] = str(failure)
        except Exception as bug:  # one step's surprise must not cost the others
            record["error"] = f"{type(bug).__name__}: {bug}"
        record["ok"] = record["error"] is None
        record["seconds"] = round(time.monotonic() - self.started - record["begin_s"], 1)
        verdict = "ok" if record["ok"] else f"FAILED: {record['error']}"
        print(f"gpu-check: {name}: {verdict} ({len(record['checks'])} checks, {record['seconds']} s)", flush=True)
        self.write()

    def write(self):
        record = {"commit": self.commit, "env": self.env, "ok": all(step["ok"] for step in self.steps),
                  "steps": self.steps}
        text = json.dumps(record, indent=1)
        (self.out / "gpu-check.json").write_text(text + "\n", encoding="utf-8")


def check(record, name, function):
    """Runs one check of a step; its failure is noted and the step goes on."""
    entry = {"name": name, "ok": True}
    record["checks"].append(entry)
    begin = time.monotonic()
    try:
        entry.update(function() or {})
    except Failure as failure:
        entry.update(ok=False, error=str(failure))
    except (OSError, ValueError, KeyError) as bad:
        entry.update(ok=False, error=f"{type(bad).__name__}: {bad}")
    entry["seconds"] = round(time.monotonic() - begin, 2)
    if not entry["ok"]:
        print(f"gpu-check:   {name}: {entry.get('error')}", flush=True)


def in_parallel(record, jobs, workers):
    """jobs: (name, function); results in the order of the jobs."""
    records = [{"checks": []} for _ in jobs]
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        list(pool.map(lambda pair: check(pair[0], *pair[1]), zip(records, jobs)))
    for part in records:
        record["checks"].extend(part["checks"])


def goal(record, name, value, limit, text):
    if value is None:
        record["checks"].append({"name": name, "ok": False, "error": "not measured"})
        return
    entry = {"name": name, "ok": value <= limit, "value": value, "limit": limit, "text": text}
    if not entry["ok"]:
        entry["error"] = f"{value:.4g}, allowed {limit:.4g}: {text}"
    record["checks"].append(entry)
    print(f"gpu-check:   {name}: {value:.4g} (allowed {limit:.4g}): {text}", flush=True)
