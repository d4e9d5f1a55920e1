"""The steps of gpu-check, each a function of the run and its own record."""
import concurrent.futures
import hashlib
import json
import os
import shutil
import sys
import time

import cases
import dynamic
import environment
import peers
import spmm
import stream
import study
import tensors
import tuning
from run import ROOT, Failure, check, goal, in_parallel

BOUND = 1e-5
IDENTICAL_RUNS = 10


def step_env(run, record):
    run.env = environment.record(run.child_env)
    if not run.env.get("gpu"):
        raise Failure("nvidia-smi shows no device")
    if run.env.get("torch") is None:
        raise Failure("python3 has no torch: the LibTorch side cannot be built")


def reference(run, case):
    """Expected output in float64, evaluated at most once (it takes most of a minute for the large graph)."""
    def evaluate():
        path = run.work / f"{case.name}-expected.safetensors"
        run.ensure_model(case)
        run.command([run.tool("gnn-eval"), case.program, "--graph", case.graph, "--weights", case.weights, "-o", path],
                    timeout=300)
        return path
    with run.lock:
        if case.name not in run.references:
            run.references[case.name] = run.pool.submit(evaluate)
    return run.references[case.name]


def build_benchmarks(run):
    """In the background from the start: the generator, its graph and that graph's reference, then gnn-bench."""
    torch = run.env.get("torch_dir")
    if not torch:
        raise Failure("no torch to build against")
    folder = run.work / "build-gpu"
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    run.command(["cmake", "-S", ROOT, "-B", folder, *generator, "-DCMAKE_BUILD_TYPE=Release",
                 "-DGNNC_BUILD_COMPILER=OFF", "-DGNNC_BUILD_RUNTIME=OFF", "-DGNNC_BUILD_TESTS=OFF",
                 f"-DGNNC_PREBUILT_DIR={run.bundle}", f"-DGNNC_LIBTORCH_DIR={torch}"], timeout=60, env=run.build_env)
    def build(target):
        run.command(["cmake", "--build", folder, "-j", str(os.cpu_count() or 4), "--target", target], timeout=300,
                    env=run.build_env)
    if not run.needs_large_graphs:
        if run.needs_benchmarks:
            build("gnn-bench")
        return folder
    build("gnn-generate")
    large = cases.named(ROOT, run.work, "arxiv-sized")
    run.command([folder / "bin" / "gnn-generate", "--preset", "arxiv", "-o", large.graph], env=run.build_env)
    run.graph_ready.set()
    if not run.needs_benchmarks:  # step tune times candidates: nothing else is to run beside it
        return folder
    if run.wants("large"):
        products = cases.large_cases(run.work)[0].graph
        run.background["products"] = run.pool.submit(
            run.command, [folder / "bin" / "gnn-generate", "--preset", "products", "-o", products], 300, run.build_env)
    if run.wants("correct"):
        reference(run, large)
    build("gnn-bench")
    return folder


def step_build(run, record):
    """Only waits: the build began with the script."""
    run.benchmarks_folder()


def step_compile(run, record):
    small = cases.small_cases(ROOT, run.work)
    wide = cases.large_study_case(run.work)
    more = [case for case, _ in cases.model_cases(run.work)] + cases.large_cases(run.work) + small
    more += [cases.study_case(run.work), wide]
    for case in cases.all_cases(ROOT, run.work) + more:
        check(record, f"{case.name}/model", lambda case=case: run.ensure_model(case))
        for code, flags in (("cubin", []), ("ptx", ["--no-cubin"]))[: 1 if case in more else 2]:
            def compile_(case=case, code=code, flags=flags):
                begin = time.monotonic()
                run.command([run.tool("gnn-compile"), case.program, "--weights", case.weights, "--target", "cuda",
                             "--chip", run.env.get("chip", "sm_90"), *flags, "-o", case.artifact(code)])
                ms = round(1000 * (time.monotonic() - begin), 1)
                members = tensors.zip_members(case.artifact(code))
                if code == "cubin" and not any(name.endswith(".cubin") for name in members):
                    raise Failure(f"no cubin in the artefact: {', '.join(members)}")
                return {"compile_ms": ms, "kib": case.artifact(code).stat().st_size >> 10}
            check(record, f"{case.name}/{code}", compile_)
    def other_order():
        run.command([run.tool("gnn-compile"), wide.program, "--weights", wide.weights, "--target", "cuda", "--chip",
                     run.env.get("chip", "sm_90"), "--order", "transform-first", "-o", wide.artifact("transform-first")])
    check(record, f"{wide.name}/transform-first", other_order)
    def graph_mode(case):
        run.command([run.tool("gnn-compile"), case.program, "--weights", case.weights, "--target", "cuda", "--chip",
                     run.env.get("chip", "sm_90"), "--mode", "reduce-overhead", "-o", case.artifact("captured")])
    for case in cases.timed_cases(ROOT, run.work) + [cases.named(ROOT, run.work, "gcn-hard")] + small:
        check(record, f"{case.name}/captured", lambda case=case: graph_mode(case))


def compare(run, case, code, runs):
    outputs = [run.work / f"{case.name}-{code}-{i}.safetensors" for i in range(runs)]
    def process(paths):
        arguments = [part for path in paths for part in ("--graph", case.graph, "-o", path)]
        run.command([run.tool("gnn-run"), case.artifact(code), *arguments])
    with concurrent.futures.ThreadPoolExecutor(2) as pool:  # two processes, each binds half of the times
        list(pool.map(process, (outputs[::2], outputs[1::2])))
    digests = [hashlib.sha256(path.read_bytes()).hexdigest() for path in outputs]
    result = {"runs": runs, "bit_identical": len(set(digests)) == 1}
    expected = case.expected or reference(run, case).result(timeout=max(1, run.deadline - time.monotonic()))
    result.update(tensors.compare(outputs[0], expected, "out"))
    for path in outputs:
        path.unlink()
    if not result["bit_identical"]:
        raise Failure(f"{len(set(digests))} different outputs in {runs} runs")
    if not result["max_rel_err"] <= BOUND:
        raise Failure(f"error {result['max_rel_err']:.3g} of the largest output, allowed {BOUND:g}")
    return result


def step_correct(run, record):
    for case in cases.all_cases(ROOT, run.work):
        if not case.graph.exists():
            run.graph_ready.wait(timeout=min(120, max(1, run.deadline - time.monotonic())))
        codes = ["cubin", "ptx"] + (["captured"] if case.artifact("captured").exists() else [])
        for code in codes:
            runs = IDENTICAL_RUNS if code == "cubin" or case.timed else 2
            check(record, f"{case.name}/{code}", lambda case=case, code=code, runs=runs: compare(run, case, code, runs))
    check(record, "gcn-hard/made elsewhere", lambda: runs_made_elsewhere(run))
    check(record, "wrong chip is refused", lambda: refuses_other_chip(run))


def runs_made_elsewhere(run):
    """The artefact that make-device-bundle made on its machine, which has no device."""
    made = run.bundle / "gcn-hard.gnnx"
    if not made.exists():
        raise Failure("the bundle has no gcn-hard.gnnx; make it again: scripts/make-device-bundle")
    case = cases.named(ROOT, run.work, "gcn-hard")
    shutil.copy(made, case.artifact("elsewhere"))
    return compare(run, case, "elsewhere", IDENTICAL_RUNS)


def refuses_other_chip(run):
    case = cases.named(ROOT, run.work, "gcn-hard")
    path = run.work / "other-chip.gnnx"
    run.command([run.tool("gnn-compile"), case.program, "--weights", case.weights, "--target", "cuda", "--chip",
                 "sm_120", "-o", path])
    done = run.command([run.tool("gnn-run"), path, "--graph", case.graph, "-o", run.work / "none.safetensors"],
                       check=False)
    if done.returncode != 1 or "sm_120" not in done.stderr:
        raise Failure(f"exit {done.returncode}: {done.stderr.strip() or 'no message'}")
    return {"message": done.stderr.strip()}


def step_tests(run, record):
    report = run.out / "gpu-tests.json"
    done = run.command([run.tool("cuda_test"), f"--gtest_output=json:{report}"], timeout=180, check=False)
    if not report.exists():
        raise Failure(f"cuda_test: exit {done.returncode}")
    for suite in json.loads(report.read_text())["testsuites"]:
        for test in suite["testsuite"]:
            failures = [failure["failure"] for failure in test.get("failures", [])]
            record["checks"].append({"name": f"{suite['name']}.{test['name']}", "ok": not failures,
                                     "result": test["result"], **({"error": failures[0]} if failures else {})})
    report.unlink()


def sanitized(run, tool, program):
    flags = ["--tool", tool, "--error-exitcode", "9", "--report-api-errors", "no", "--print-limit", "20"]
    sanitizer = shutil.which("compute-sanitizer", path=run.child_env["PATH"])
    if not sanitizer:
        raise Failure("compute-sanitizer is not installed")
    done = run.command([sanitizer, *flags, *program], timeout=180, check=False)
    text = done.stdout + done.stderr
    summary = [line for line in text.splitlines() if "SUMMARY" in line]
    result = {"exit": done.returncode, "summary": summary[-1].strip("= ") if summary else None}
    if done.returncode == 9 or not summary:
        wrong = [line.strip("= ") for line in text.splitlines() if line.startswith("=========")]
        raise Failure(" / ".join(wrong[1:4] + [str(result["summary"])]))
    if done.returncode != 0:
        raise Failure(f"no finding, but exit {done.returncode}")
    return result


def step_sanitize(run, record):
    jobs = []
    for tool in ("memcheck", "racecheck", "initcheck", "synccheck"):
        # What is inside cuBLASLt's kernels is NVIDIA's business: the slow tools see few products, and racecheck none
        # by its bf16 kernels: it takes their asynchronous copies for races, and crashes where it is to leave them out.
        tests = [run.tool("cuda_test")]
        if tool == "racecheck":
            tests.append("--gtest_filter=-CudaGemmTest.OddShapesMatchFloat64:CudaGemmTest.Fp32x3*:Library/*")
        elif tool == "synccheck":
            tests.append("--gtest_filter=-CudaGemmTest.OddShapesMatchFloat64")
        jobs.append((f"cuda_test/{tool}", lambda tool=tool, tests=tests: sanitized(run, tool, tests)))
        for name in ("gcn-hard", "gcn-weighted-loops-slashdot", "gat-hard", "gatv2-hard", "options-sage-normalize"):
            case = cases.named(ROOT, run.work, name)
            program = [run.tool("gnn-run"), case.artifact("cubin"), "--graph", case.graph, "-o",
                       run.work / f"{name}-{tool}.safetensors"]
            jobs.append((f"{name}/{tool}", lambda tool=tool, program=program: sanitized(run, tool, program)))
    in_parallel(record, jobs, 8)


def candidates(run):
    """What cuBLASLt's first choice gives away: evidence, nothing to pass."""
    done = run.command([run.tool("gemm-candidates")])
    (run.out / "gpu-gemm.jsonl").write_text(done.stdout, encoding="utf-8")


def bench(run, folder, case, *more):
    """-> the rows of gnn-bench, which also go to gpu.jsonl."""
    rows = run.work / f"gpu-{case.name}.jsonl"
    rows.unlink(missing_ok=True)
    artifacts = [case.artifact(code) for code in ("cubin", "captured") if case.artifact(code).exists()]
    done = run.command([folder / "bin" / "gnn-bench", *case.bench_arguments(artifacts), "--device", "cuda", "--fixes",
                        "both", *more, "--tools", run.bundle / "bin", "--runtime", run.bundle / "lib" / "libgnnc_runtime.so",
                        "-o", rows], timeout=240, env=run.build_env | {"GNNC_COMMIT": run.commit or ""}, check=False)
    if not rows.exists():
        raise Failure(f"gnn-bench: exit {done.returncode}: {done.stderr.strip().splitlines()[-1:] or 'no rows'}")
    lines = run.keep(rows)
    bad = [f"{line['system']} {line.get('mode') or ''}: {line.get('error') or 'error over the bound'}"
           for line in lines if not line["ok"]]
    if bad or done.returncode:
        raise Failure("; ".join(bad) or f"gnn-bench: exit {done.returncode}")
    return lines


def median(lines, system, mode=None):
    """-> least median latency of the system's rows, None if it has none."""
    found = [line["latency_ms"]["median"] for line in lines
             if line["system"] == system and line["ok"] and mode in (None, line.get("mode"))]
    return min(found) if found else None


def against_eager(record, case, share, lines):
    """Time and memory beside eager LibTorch's gather/scatter."""
    ours, eager = median(lines, "gnnc"), median(lines, "libtorch-eager")
    goal(record, f"{case.name} against gather/scatter", ours / eager if ours and eager else None, share,
         "share of eager LibTorch's time, its fastest gather/scatter")
    peaks = {system: [line["peak_mib"] for line in lines if line["system"] == system and line["ok"]]
             for system in ("gnnc", "libtorch-eager")}
    known = all(peaks.values()) and all(peak for group in peaks.values() for peak in group)
    goal(record, f"{case.name} memory", max(peaks["gnnc"]) / min(peaks["libtorch-eager"]) if known else None, 0.25,
         "share of eager LibTorch's peak memory")


def step_bench(run, record):
    """Times, then what they must reach."""
    folder = run.benchmarks_folder()
    rows = run.bench_rows
    models = [*cases.model_cases(run.work), (cases.study_case(run.work), 1 / 9)]
    for case in (cases.timed_cases(ROOT, run.work) + cases.small_cases(ROOT, run.work) +
                 [case for case, _ in models]):
        def timed(case=case):
            rows[case.name] = bench(run, folder, case)
            return {"median_ms": [[line["system"], line.get("mode"), line.get("fixes"), line["latency_ms"]["median"]]
                                  for line in rows[case.name]]}
        check(record, case.name, timed)
    check(record, "gemm candidates", lambda: candidates(run))
    replayed = median(rows.get("cora", []), "gnnc", "reduce-overhead")
    goal(record, "cora replayed", replayed, 0.05, "ms a forward as one cudaGraph")
    large = rows.get("arxiv-sized", [])
    ours, csr = median(large, "gnnc"), median(large, "libtorch-csr")
    for case, share in [(cases.named(ROOT, run.work, "arxiv-sized"), 0.2), *models]:
        against_eager(record, case, share, rows.get(case.name, []))
    goal(record, "arxiv-sized against CSR", ours / csr if ours and csr else None, 1.0,
         "share of eager LibTorch's time with a cached CSR product")


def step_large(run, record):
    """Every model runs, with right results, where the edge-sized tensors of eager frameworks do not fit."""
    folder = run.benchmarks_folder()
    run.background["products"].result(timeout=max(1, run.deadline - time.monotonic()))
    prepared = {}
    for case in cases.large_cases(run.work):
        def runs(case=case):
            lines = bench(run, folder, case, "--systems", "gnnc", "--repeats", "3", "--warmup", "1")
            prepared[case.name] = lines[0]["prepare_ms"]
            return {"median_ms": median(lines, "gnnc"), "peak_mib": lines[0]["peak_mib"],
                    "max_rel_err": lines[0]["max_rel_err"], "prepare_ms": prepared[case.name]}
        check(record, case.name, runs)
    goal(record, "products-sized prepare", max(prepared.values(), default=None), 150,
         "ms for CSR, degrees and partition, the slowest of the models")
    wide_attention(run, record)


def wide_attention(run, record):
    """The study's GAT: both orders of product and aggregate fit, and give the same."""
    case = cases.large_study_case(run.work)
    outputs = {}
    for order in ("cubin", "transform-first"):
        def runs(order=order):
            stats, output = run.work / f"{case.name}-{order}.json", run.work / f"{case.name}-{order}.safetensors"
            run.command([run.tool("gnn-run"), case.artifact(order), "--graph", case.graph, "-o", output, "--repeat", "3",
                         "--warmup", "1", "--stats", stats])
            outputs[order] = output
            found = json.loads(stats.read_text())
            return {key: found[key] for key in ("latency_ms", "prepare_ms", "peak_mib")}
        check(record, f"{case.name}/{order}", runs)
        peak = record["checks"][-1].get("peak_mib")
        goal(record, f"{case.name}/{order} memory", peak and peak * 2**20 / 1e9, 60, "GB at a time")
    def same():
        if len(outputs) < 2:
            raise Failure("one of the orders did not run")
        # 97 shares no factor with the width: nodes and columns take turns.
        result = tensors.compare(outputs["cubin"], outputs["transform-first"], "out", step=97)
        if not 0 < result["largest_output"] < float("inf") or not result["max_rel_err"] <= 2 * BOUND:
            raise Failure(f"error {result['max_rel_err']:.3g} of the largest output, allowed {2 * BOUND:g}")
        return result
    check(record, f"{case.name}/both orders alike", same)
    for output in outputs.values():
        output.unlink()


def step_suite(run, record):
    """Every model x fixes x element type x hard graph."""
    script = ROOT / "test" / "suite" / "models.py"
    listed = run.command([sys.executable, "-B", script, "--list"])
    for model in listed.stdout.split():
        def cells(model=model):
            done = run.command([sys.executable, "-B", script, "--model", model, "--target", "cuda", "--chip",
                                run.env.get("chip", "sm_90"), "--bin", run.bundle / "bin", "--jobs", "16",
                                "--work", run.work / "suite"], timeout=300)
            return {"cells": done.stdout.strip().splitlines()}
        check(record, model, cells)


def step_tune(run, record):
    """The heuristic's schedules beside the fastest of those that gnn-autotune measures."""
    run.graph_ready.wait(timeout=min(180, max(1, run.deadline - time.monotonic())))
    cells = []
    for case in cases.tuned_cases(ROOT, run.work):
        def tuned(case=case):
            run.ensure_model(case)
            rows, summary = tuning.tune(run, case, "cuda", run.env.get("chip", "sm_90"))
            cells.extend(rows)
            return {"kernels": len(rows), "summary": summary}
        check(record, case.name, tuned)
    far = tuning.share_beyond(cells)
    goal(record, "heuristic beside tuned", far, 0.1, f"share of {len(cells)} kernels more than "
         f"{100 * tuning.MARGIN:.0f} % slower than the fastest schedule measured")


# The build runs in the background from the start: what needs no LibTorch comes first.
STEPS = {"env": step_env, "compile": step_compile, "tests": step_tests, "sanitize": step_sanitize, "build": step_build,
         "correct": step_correct, "bench": step_bench, "peers": peers.step_peers, "suite": step_suite, "large": step_large,
         "tune": step_tune, "stream": stream.step_stream, "dynamic": dynamic.step_dynamic, "spmm": spmm.step_spmm,
         "schedules": spmm.step_schedules, "study": study.step_study}
BY_NAME_ALONE = {"study"}  # take all of a stay
