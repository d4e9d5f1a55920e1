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
import math
import pathlib
import statistics
import time
import zlib

from pyg_models import MODES, compiled, make_model, make_parser, output_width, parse, write_row


def read_graph(path):
    from safetensors import torch as st
    raw = gzip.open(path, "rb").read() if path.endswith(".gz") else open(path, "rb").read()
    tensors = st.load(raw)
    if "x" not in tensors:
        raise ValueError(f"{path}: has no tensor 'x'")
    return tensors["x"].float(), tensors["edge_index"].long()


def crc_of(data):
    return f"crc32:{zlib.crc32(data):08x}"


def prepared(model, edges, nodes, options):
    """Work on the graph alone that --fixes on does once: GCN caches its norm, attention gets its self loops here."""
    if options.fixes == "off" or not options.model.startswith("gat"):
        return edges
    from torch_geometric.utils import add_self_loops, remove_self_loops
    for conv in model.convs:
        conv.add_self_loops = False
    return add_self_loops(remove_self_loops(edges)[0], num_nodes=nodes)[0]


def compilation():
    """-> what torch.compile's counters say, why it fell back where it did"""
    from torch._dynamo import utils
    counters = utils.counters
    graphs = counters["stats"]["unique_graphs"]
    skips = counters["inductor"]["cudagraph_skips"]
    found = {"graph_breaks": sum(counters["graph_break"].values()), "recompilations": max(graphs - 1, 0)}
    # Breaks begin graphs of their own: only what came on top of them was compiled anew.
    found["recompilations"] = max(found["recompilations"] - found["graph_breaks"], 0)
    why = "torch.compile compiled nothing" if not graphs else f"{skips} cudaGraphs were skipped" if skips else None
    return found, why


STABLE, MOST_WARMUPS, WARMUP_MS = 0.05, 50, 5000


def warm_up(once, least):
    """-> milliseconds of calls until the last three differ by less than STABLE, at least `least` of them"""
    walls = []
    while len(walls) < max(least, 3) or (len(walls) < MOST_WARMUPS and
                                         max(walls[-3:]) - min(walls[-3:]) > STABLE * min(walls[-3:])):
        walls.append(once()[1])
        if sum(walls) > WARMUP_MS and len(walls) >= max(least, 3):
            break
    return walls


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
    walls = warm_up(once, options.warmup)
    if options.device == "cpu":
        return out, first, walls, [once()[1] for _ in range(options.repeats)]
    inner = int(min(max(INTERVAL_MS / max(time_on_cuda(forward, 1), 1e-3), 1), MOST_INNER))
    return out, first, walls, [time_on_cuda(forward, inner) for _ in range(options.repeats)]


def reference(options):
    """The float64 output that all systems are compared with; None: outputs are not checked."""
    from safetensors import torch as st
    return None if options.reference == "none" else st.load_file(options.reference)["out"]


def shape_of(options):
    """PyG's arguments from --hidden and its like; nothing where the preset has them."""
    if not options.hidden:
        return None
    shape = {"hidden_channels": options.hidden, "num_layers": options.num_layers, "norm": options.norm,
             "act": options.act}
    if options.model.startswith("gat"):
        shape |= {"heads": options.heads, "last_heads": options.last_heads or options.heads}
    return {key: None if value == "none" else value for key, value in shape.items()}


def latency_of(samples):
    quartiles = statistics.quantiles(samples, n=4) if len(samples) > 1 else samples * 3
    return dict(zip(("q1", "median", "q3"), quartiles), min=min(samples), mean=statistics.fmean(samples), n=len(samples))


def run(options):
    import torch

    torch.backends.cuda.matmul.allow_tf32 = False
    if options.device == "cuda" and not torch.cuda.is_available():
        raise RuntimeError("this torch sees no CUDA device; a torch built for CUDA, on a machine that has one, does")
    if options.threads:
        torch.set_num_threads(options.threads)
    x, edges = read_graph(options.graph)
    hashes = {"edge_list_hash": crc_of(edges.contiguous().numpy()),
              "weights_hash": crc_of(pathlib.Path(options.weights).read_bytes())}
    x, edges = x.to(options.device), edges.to(options.device)
    shape = shape_of(options)
    out_width = options.out or (output_width(options.weights, shape["num_layers"]) if shape else None)
    model = make_model(options.model, options.preset, x.shape[1], out_width, options.weights,
                       options.fixes == "on", shape).to(options.device)
    edge_count = edges.shape[1]
    edges = prepared(model, edges, x.shape[0], options)
    row = {"system": "pyg-eager" if options.mode == "eager" else "pyg-compile", "model": options.model,
           "data": options.label or options.graph, "nodes": x.shape[0], "edges": edge_count, "dtype": "f32",
           "mode": options.mode, "dynamic": None if options.mode == "eager" else options.dynamic, "fixes": options.fixes == "on",
           "device": options.device, "real_data": None, "ok": True, "error": None,
           "status": "ok", **hashes, "precision": "fp32", "graph_breaks": None, "recompilations": 0,
           "env": {"torch": torch.__version__}}
    with torch.no_grad():
        if options.device == "cuda":
            torch.cuda.reset_peak_memory_stats()
            free = torch.cuda.mem_get_info()[0]
        callee = model if options.mode == "eager" else compiled(model, options.mode, options.dynamic)
        try:
            # What GCNConv caches must not lie in the memory of a captured graph, which
            # the next replay overwrites: torch refuses to read it there.
            model(x, edges)
            out, first, walls, samples = measure(lambda: callee(x, edges), options)
        except Exception as error:  # whatever the compiler throws, out of memory too
            text = " ".join(str(error).split())[:500] or type(error).__name__
            full = isinstance(error, (torch.OutOfMemoryError, MemoryError)) or "out of memory" in text
            return row | {"ok": False, "error": text, "status": "oom" if full else "error", "latency_ms": None}
        if options.mode != "eager":
            counted, why = compilation()
            row |= counted
            if why:
                return row | {"ok": False, "error": why, "status": "fallback", "latency_ms": None}
        peak = torch.cuda.max_memory_allocated() / 2**20 if options.device == "cuda" else None
        device_peak = (free - torch.cuda.mem_get_info()[0]) / 2**20 if options.device == "cuda" else None
        for conv in model.convs:  # what is cached is float32
            conv._cached_edge_index = None
        try:
            exact = reference(options) if options.reference else model.double()(x.double(), edges)
            error = None
            if exact is not None:
                exact = exact.to(options.device)
                error = float((out.double() - exact).abs().max() / exact.abs().max().clamp(min=1e-300))
        except torch.OutOfMemoryError:  # float64 takes twice as much; unknown is null
            error = None
    latency = latency_of(samples)
    in_bound = error is None or error <= 1e-5
    return row | {"latency_ms": latency, "wall_ms": statistics.median(walls), "first_ms": first,
                  "compile_ms": None if options.mode == "eager" else first, "peak_mib": peak,
                  "max_rel_err": error if error is None or math.isfinite(error) else None,
                  "in_bound": in_bound, "status": "ok" if in_bound else "out-of-bound",
                  "peak_device_mib": device_peak, "second_ms": walls[0],
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
    parser.add_argument("--fixes", choices=("on", "off"), default="on",
                        help="on: work on the graph alone is done once; off: in every layer")
    parser.add_argument("--hidden", type=int, help="width between layers, of all heads; in place of --preset")
    parser.add_argument("--num-layers", type=int, default=2, help="with --hidden (default: %(default)s)")
    parser.add_argument("--heads", type=int, default=1, help="with --hidden (default: %(default)s)")
    parser.add_argument("--last-heads", type=int, help="with --hidden: of the last layer (default: --heads)")
    parser.add_argument("--norm", choices=("none", "batch_norm"), default="none", help="with --hidden")
    parser.add_argument("--act", default="relu", help="with --hidden (default: %(default)s)")
    parser.add_argument("--reference", help="file with the float64 output 'out'; none: do not check; default: computed")
    parser.add_argument("--threads", type=int, default=0, help="host threads; 0: torch's choice")
    parser.add_argument("--repeats", type=int, default=30)
    parser.add_argument("--warmup", type=int, default=5)
    options = parse(parser)
    if options.repeats < 1 or options.warmup < 0:
        parser.error("--repeats is at least 1 and --warmup at least 0")
    write_row("pyg-bench", run, options)


if __name__ == "__main__":
    main()
