#!/usr/bin/env python3
"""pyg-bench: time an unmodified PyG model, eager or through torch.compile, with the weights that gnnc gets.

    gnn-model --model gat --preset cora --weights w.safetensors -o gat.mlir
    pyg-bench.py --model gat --preset cora --graph g.safetensors --weights w.safetensors -o rows.jsonl --append

Needs torch, torch-geometric, safetensors and numpy. Writes a row as gnn-bench does
(docs/benchmarks.md): latency by CUDA events there, short forwards sharing an interval,
by the clock on the host. The error is against the same model in float64. A mode of
torch.compile that fails is a row with its error.
Exit: 0 done, 1 the input is wrong, 2 wrong usage.
"""
import gzip
import statistics
import time

from pyg_models import MODES, compiled, make_model, make_parser, parse, write_row


def read_graph(path):
    from safetensors import torch as st
    raw = gzip.open(path, "rb").read() if path.endswith(".gz") else open(path, "rb").read()
    tensors = st.load(raw)
    if "x" not in tensors:
        raise ValueError(f"{path}: has no tensor 'x'")
    return tensors["x"].float(), tensors["edge_index"].long()


# A CUDA-event interval around less than this reads mostly the events themselves.
INTERVAL_MS, MOST_INNER = 5, 200


def time_on_cuda(forward, inner):
    import torch
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    begin.record()
    for _ in range(inner):
        forward()
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) / inner


def measure(forward, options):
    """-> output of the first call, its milliseconds, those of later ones, samples."""
    import torch
    synchronize = torch.cuda.synchronize if options.device == "cuda" else lambda: None

    def once():
        synchronize()
        start = time.perf_counter()
        out = forward()
        synchronize()
        return out, (time.perf_counter() - start) * 1e3

    out, first = once()
    out = out.clone()  # a replayed graph writes to the same memory
    walls = [once()[1] for _ in range(max(3, options.warmup))]
    if options.device == "cpu":
        return out, first, walls, [once()[1] for _ in range(options.repeats)]
    inner = int(min(max(INTERVAL_MS / max(time_on_cuda(forward, 1), 1e-3), 1), MOST_INNER))
    return out, first, walls, [time_on_cuda(forward, inner) for _ in range(options.repeats)]


def latency_of(samples):
    quartiles = statistics.quantiles(samples, n=4) if len(samples) > 1 else samples * 3
    return dict(zip(("q1", "median", "q3"), quartiles), min=min(samples), mean=statistics.fmean(samples), n=len(samples))


def run(options):
    import torch

    torch.backends.cuda.matmul.allow_tf32 = False
    x, edges = (tensor.to(options.device) for tensor in read_graph(options.graph))
    model = make_model(options.model, options.preset, x.shape[1], options.out, options.weights).to(options.device)
    row = {"system": "pyg-eager" if options.mode == "eager" else "pyg-compile", "model": options.model,
           "data": options.label or options.graph, "nodes": x.shape[0], "edges": edges.shape[1], "dtype": "f32",
           "mode": options.mode, "dynamic": None if options.mode == "eager" else options.dynamic, "fixes": True,
           "device": options.device, "real_data": None, "ok": True, "error": None,
           "env": {"torch": torch.__version__}}
    with torch.no_grad():
        if options.device == "cuda":
            torch.cuda.reset_peak_memory_stats()
        callee = model if options.mode == "eager" else compiled(model, options.mode, options.dynamic)
        try:
            # What GCNConv caches must not lie in the memory of a captured graph, which
            # the next replay overwrites: torch refuses to read it there.
            model(x, edges)
            out, first, walls, samples = measure(lambda: callee(x, edges), options)
        except Exception as error:  # whatever the compiler throws, out of memory too
            return row | {"ok": False, "error": " ".join(str(error).split())[:500], "latency_ms": None}
        peak = torch.cuda.max_memory_allocated() / 2**20 if options.device == "cuda" else None
        for conv in model.convs:  # what is cached is float32
            conv._cached_edge_index = None
        try:
            exact = model.double()(x.double(), edges)
            error = float((out.double() - exact).abs().max() / exact.abs().max().clamp(min=1e-300))
        except torch.OutOfMemoryError:  # float64 takes twice as much; unknown is null
            error = None
    latency = latency_of(samples)
    return row | {"latency_ms": latency, "wall_ms": statistics.median(walls), "first_ms": first,
                  "compile_ms": None if options.mode == "eager" else first, "peak_mib": peak,
                  "max_rel_err": error, "in_bound": error is None or error <= 1e-5, "second_ms": walls[0],
                  "nodes_per_s": row["nodes"] / latency["median"] * 1e3,
                  "edges_per_s": row["edges"] / latency["median"] * 1e3}


def main():
    parser = make_parser("pyg-bench", "Time an unmodified PyG model.", preset="cora")
    parser.add_argument("--graph", required=True, help="graph file with 'x' and 'edge_index'")
    parser.add_argument("--weights", required=True, help="weights file, as gnn-model --weights writes it")
    parser.add_argument("--mode", choices=MODES, default="eager", help="eager, or a mode of torch.compile")
    parser.add_argument("--dynamic", choices=("auto", "true", "false"), default="false",
                        help="torch.compile's dynamic")
    parser.add_argument("--label", help="name of the data in the row; default: the file's")
    parser.add_argument("--repeats", type=int, default=30)
    parser.add_argument("--warmup", type=int, default=5)
    options = parse(parser)
    if options.repeats < 1 or options.warmup < 0:
        parser.error("--repeats is at least 1 and --warmup at least 0")
    write_row("pyg-bench", run, options)


if __name__ == "__main__":
    main()
