#!/usr/bin/env python3
"""pyg-stream: an unmodified PyG model on one graph after the other, eager or through torch.compile.

    gnn-bench --stream 100 --model gcn ... --write-stream graphs.safetensors
    pyg-stream.py --model gcn --preset arxiv --graphs graphs.safetensors --dynamic auto -o rows.jsonl --append

Needs torch, torch-geometric, safetensors and numpy. A step takes the edges in host
memory and the features where the device has them, and ends when the output is there.
Writes a row as gnn-bench --stream does (docs/benchmarks.md). Past --time-limit no
further graph is begun: `graphs` says how many there were, and the second pass is over
those. A graph that fails is counted in `failed_graphs` and its error kept.
Exit: 0 done, 1 the input is wrong, 2 wrong usage.
"""
import time

from pyg_models import compiled, make_model, make_parser, parse, write_row


def read_stream(path):
    """-> [(nodes, edge_index)] in host memory."""
    from safetensors import safe_open
    with safe_open(path, "pt") as file:
        metadata = file.metadata() or {}
        if "num_graphs" not in metadata:
            raise ValueError(f"{path}: has no metadata 'num_graphs'; gnn-bench --write-stream writes such a file")
        return [(int(metadata[f"{i}.num_nodes"]), file.get_tensor(f"{i}.edge_index").long())
                for i in range(int(metadata["num_graphs"]))]


def one_pass(callee, graphs, features, options, deadline):
    """-> milliseconds of each step until the deadline, errors."""
    import torch
    synchronize = torch.cuda.synchronize if options.device == "cuda" else lambda: None
    steps, errors = [], []
    for (nodes, edges), x in zip(graphs, features):
        if time.monotonic() > deadline:
            break
        synchronize()
        start = time.perf_counter()
        try:
            callee(x, edges.to(options.device))
            synchronize()
        except Exception as error:  # whatever the compiler throws; the graphs that follow still run
            errors.append(f"{nodes} nodes, {edges.shape[1]} edges: {' '.join(str(error).split())[:300]}")
        steps.append((time.perf_counter() - start) * 1e3)
    return steps, errors


def recompilations():
    """-> compilations that torch.compile made, and why it made another (its guards that failed)."""
    from torch._dynamo import utils
    reasons = [getattr(metrics, "recompile_reason", None) for metrics in utils.get_compilation_metrics()]
    return utils.counters["stats"]["unique_graphs"], [" ".join(reason.split())[:160] for reason in reasons if reason]


def run(options):
    import torch
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.manual_seed(0)
    graphs = read_stream(options.graphs)[: options.count]
    features = [torch.rand(nodes, options.inputs, device=options.device) - 0.5 for nodes, _ in graphs]
    model = make_model(options.model, options.preset, options.inputs, options.out, None, cached=False)
    model = model.to(options.device)
    eager = options.dynamic == "eager"
    callee = model if eager else compiled(model, options.mode, options.dynamic)
    with torch.no_grad():
        first, errors = one_pass(callee, graphs, features, options, time.monotonic() + options.time_limit)
        again, later = one_pass(callee, graphs[: len(first)], features, options,
                                time.monotonic() + options.time_limit)
    made, reasons = (0, []) if eager else recompilations()
    done = len(first) == len(graphs)
    return {"system": "pyg-eager" if eager else "pyg-compile", "model": options.model, "data": "stream", "dtype": "f32",
            "mode": "eager" if eager else options.mode, "dynamic": None if eager else options.dynamic,
            "device": options.device, "real_data": False, "ok": done and not errors and not later,
            "error": (errors + later + [None])[0] if done else f"stopped by --time-limit {options.time_limit:g}",
            "graphs": len(first), "failed_graphs": len(errors), "total_ms": sum(first) if done else None,
            "spent_ms": sum(first), "first_ms": first[0] if first else None,
            "slowest_after_first_ms": max(first[1:], default=None),
            "second_pass_ms": sum(again) if len(again) == len(graphs) else None,
            "second_pass_slowest_ms": max(again[1:], default=None), "compilations": made,
            "recompilations": max(made - 1, 0), "guard_failures": None if eager else len(reasons),
            "guards": reasons[:5], "allocations": None, "env": {"torch": torch.__version__}}


def main():
    parser = make_parser("pyg-stream", "An unmodified PyG model on a stream of graphs.", preset="arxiv")
    parser.add_argument("--graphs", required=True, help="file of gnn-bench --write-stream")
    parser.add_argument("--count", type=int, help="only the first graphs")
    parser.add_argument("--in", dest="inputs", type=int, default=128, help="features a node (default: %(default)s)")
    parser.add_argument("--mode", choices=("default", "reduce-overhead"), default="default", help="of torch.compile")
    parser.add_argument("--dynamic", choices=("eager", "auto", "true", "false"), default="eager",
                        help="eager, or torch.compile's dynamic (auto: None)")
    parser.add_argument("--time-limit", type=float, default=60, metavar="S", help="of a pass (default: %(default)s)")
    options = parse(parser)
    write_row("pyg-stream", run, options)


if __name__ == "__main__":
    main()
