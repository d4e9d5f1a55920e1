"""Unmodified models of PyG with the shapes of gnn-model's presets, eager or through torch.compile,
and what the programs that run them share."""
import argparse
import json
import sys

MODES = ("eager", "default", "reduce-overhead", "max-autotune", "max-autotune-no-cudagraphs")
# The presets of gnn-model, in PyG's arguments.
SIZES = {
    "cora": {"hidden_channels": 16, "num_layers": 2, "out_channels": 7},
    "arxiv": {"hidden_channels": 256, "num_layers": 3, "out_channels": 40},
    "study": {"hidden_channels": 256, "num_layers": 3, "norm": "batch_norm"},
}
ATTENTION = {
    "cora": {"heads": 8, "hidden_channels": 64, "act": "elu"},
    "arxiv": {"heads": 4, "hidden_channels": 256, "act": "elu"},
    "study": {"heads": 8, "hidden_channels": 2048, "act": "elu"},
}
# PyG's class has one number of heads for all layers; where the last layer has another, it
# is one more convolution of PyG's.
LAST_HEADS = {"study": 1}
CLASSES = {"gcn": "GCN", "sage": "GraphSAGE", "gin": "GIN", "gat": "GAT", "gatv2": "GAT"}


def model_arguments(model, preset, out, cached=True):
    arguments = dict(SIZES[preset])
    if model in ("gat", "gatv2"):
        arguments.update(ATTENTION[preset], v2=model == "gatv2")
    if model == "gcn":
        arguments["cached"] = cached  # the norm of one graph; of no use where graphs change
    if out:
        arguments["out_channels"] = out
    return arguments


def output_width(weights, layers):
    """Of the last layer, as a weights file has it."""
    from safetensors import safe_open
    with safe_open(weights, "pt") as file:
        names = set(file.keys())
        for name in ("bias", "lin_l.bias", "nn.lins.1.bias"):
            if f"convs.{layers - 1}.{name}" in names:
                return file.get_slice(f"convs.{layers - 1}.{name}").get_shape()[0]
    raise ValueError(f"{weights}: has no bias of layer {layers - 1}; is it of a model of {layers} layers?")


def load_weights(model, path):
    """All that the model has must be in the file, and nothing else."""
    from safetensors import torch as st
    wrong = model.load_state_dict(st.load_file(path), strict=False)
    missing = [name for name in wrong.missing_keys if not name.endswith("num_batches_tracked")]
    if missing or wrong.unexpected_keys:
        raise ValueError(f"{path}: lacks {missing or 'nothing'}, has {wrong.unexpected_keys or 'nothing'} too many")


def make_model(name, preset, inputs, out, weights, cached=True, shape=None):
    """A model in eval mode on the host; `weights`: file, or None for those it was made with. `shape`: PyG's arguments
    in place of the preset's, and `last_heads`."""
    from torch_geometric.nn import models
    arguments = model_arguments(name, preset, out, cached)
    last_heads = LAST_HEADS.get(preset)
    if shape:
        arguments.update(shape)
        last_heads = arguments.pop("last_heads", None)
    model = getattr(models, CLASSES[name])(in_channels=inputs, **arguments)
    if "heads" in arguments and last_heads:
        model.convs[-1] = model.init_conv(arguments["hidden_channels"], arguments["out_channels"], heads=last_heads,
                                          concat=False, v2=arguments["v2"])
    if weights:
        load_weights(model, weights)
    return model.eval()


def compiled(model, mode, dynamic):
    import torch
    import torch._dynamo
    torch._dynamo.config.suppress_errors = False  # a failure is none of success
    return torch.compile(model, mode=None if mode == "default" else mode,
                         dynamic={"auto": None, "true": True, "false": False}[dynamic])


def make_parser(program, description, preset):
    """A parser with the options that all programs have."""
    parser = argparse.ArgumentParser(prog=program, description=description)
    parser.add_argument("--model", choices=CLASSES, default="gcn")
    parser.add_argument("--preset", choices=SIZES, default=preset)
    parser.add_argument("--out", type=int, help="output width; needed by 'study'")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("-o", "--output", help="file for the row; default: standard output")
    parser.add_argument("--append", action="store_true", help="keep the rows that the file has")
    return parser


def parse(parser):
    options = parser.parse_args()
    if options.preset == "study" and not options.out and not getattr(options, "hidden", None):
        parser.error("--preset study needs --out")
    return options


def write_row(program, run, options):
    """Writes what run(options) gives; ends the program with one line where the input is wrong."""
    try:
        row = json.dumps(run(options))
        if options.output:
            with open(options.output, "a" if options.append else "w", encoding="utf-8") as file:
                file.write(row + "\n")
        else:
            print(row)
    except (ImportError, OSError, RuntimeError, ValueError, KeyError) as error:
        sys.exit(f"{program}: {' '.join(str(error).split())}")
