"""Heads and widths of PyG's twins of the presets are those of the weights that gnn-model writes.

Usage: check-peers.py SOURCE_DIR   The tools are on PATH; PyG is stood in for, its rules for GAT
written out: heads side by side, and their mean in the layer that gives the output."""
import json
import pathlib
import struct
import subprocess
import sys
import types

CLASSES = ("GCN", "GraphSAGE", "GIN", "GAT")


class Twin:
    """What PyG's class makes of its arguments: (inputs, heads, width of a head) for each layer."""

    def __init__(self, in_channels, hidden_channels, num_layers, out_channels, heads=1, **_):
        self.convs = []
        for layer in range(num_layers):
            inputs = hidden_channels if layer else in_channels
            last = layer + 1 == num_layers
            self.convs.append(self.init_conv(inputs, out_channels if last else hidden_channels, heads, concat=not last))

    @staticmethod
    def init_conv(inputs, outputs, heads=1, concat=True, **_):
        return inputs, heads, outputs // heads if concat else outputs

    def eval(self):
        return self


def shapes_of(weights):
    content = pathlib.Path(weights).read_bytes()
    (length,) = struct.unpack_from("<Q", content)
    return {name: entry["shape"] for name, entry in json.loads(content[8:8 + length]).items() if name != "__metadata__"}


def main():
    sys.path.insert(0, str(pathlib.Path(sys.argv[1]) / "benchmarks" / "peers"))
    models = types.SimpleNamespace(**{name: Twin for name in CLASSES})
    nn = types.ModuleType("torch_geometric.nn")
    nn.models = models
    tensors = types.ModuleType("safetensors")
    tensors.torch = None
    sys.modules |= {"torch_geometric": types.ModuleType("torch_geometric"), "torch_geometric.nn": nn, "safetensors": tensors}
    import pyg_models
    failed = 0
    for preset in pyg_models.SIZES:
        for model in pyg_models.CLASSES:
            widths = ["--in", "12", "--out", "7"]
            subprocess.run(["gnn-model", "--model", model, "--preset", preset, *widths, "--weights", "w.safetensors", "-o",
                            "m.mlir"], check=True)
            shapes = shapes_of("w.safetensors")
            twin = pyg_models.make_model(model, preset, 12, 7, None)
            for layer, (inputs, heads, width) in enumerate(twin.convs):
                att = shapes.get(f"convs.{layer}.att_src") or shapes.get(f"convs.{layer}.att") or [1, 1, width]
                matrix = next(shapes[f"convs.{layer}.{name}.weight"] for name in ("lin", "lin_l", "nn.lins.0")
                              if f"convs.{layer}.{name}.weight" in shapes)
                if att != [1, heads, width] or matrix != [heads * width, inputs]:
                    failed += 1
                    print(f"{preset} {model} layer {layer}: PyG's {inputs} to {heads} x {width}, gnn-model's {att} {matrix}")
    print(f"{len(pyg_models.SIZES) * len(pyg_models.CLASSES)} twins, {failed} layers differ")
    return failed


if __name__ == "__main__":
    sys.exit(main())
