"""The programs that gpu-check runs: the GCN cases that PyG computed (test/data/pyg),
and two that are timed, Cora with the demo's shape and the arxiv-sized graph."""
import dataclasses
import json
import pathlib


@dataclasses.dataclass
class Case:
    name: str
    model_arguments: list  # of gnn-model
    graph: pathlib.Path
    weights: pathlib.Path
    expected: pathlib.Path | None  # None: the reference evaluator says
    work: pathlib.Path
    weights_are_made: bool = False
    timed: bool = False

    @property
    def program(self):
        return self.work / f"{self.name}.mlir"

    def artifact(self, code):
        return self.work / f"{self.name}-{code}.gnnx"

    def bench_arguments(self, artifacts):
        arguments = [*self.model_arguments, "--graph", self.graph, "--weights", self.weights, "--data", self.name]
        for path in artifacts:
            arguments += ["--artifact", path]
        return arguments


def pyg_case(file, data, work):
    case = json.loads(file.read_text())
    graph = file.with_name("graph.safetensors")
    if not graph.exists():
        graph = data / case["graph"]
    return Case(case["name"], ["--args", str(file)], graph, file.with_name("weights.safetensors"),
                file.with_name("expected.safetensors"), work)


def all_cases(root, work):
    data = root / "test" / "data"
    cases = [pyg_case(path, data, work) for path in sorted((data / "pyg").glob("gcn-*/case.json"))]
    return cases + timed_cases(root, work)


def timed_cases(root, work):
    def gcn(inputs, hidden, out, layers):
        return ["--model", "gcn", "--in", str(inputs), "--hidden", str(hidden), "--out", str(out), "--layers", str(layers)]
    return [
        Case("cora", gcn(1433, 16, 7, 2), root / "test/data/cora/cora.safetensors.gz",
             root / "test/data/cora/gcn-trained.safetensors", None, work, timed=True),
        Case("arxiv-sized", gcn(128, 256, 40, 3), work / "arxiv-sized.safetensors", work / "arxiv-sized-w.safetensors",
             None, work, weights_are_made=True, timed=True),
    ]


def named(root, work, name):
    return next(case for case in all_cases(root, work) if case.name == name)
