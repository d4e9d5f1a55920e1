"""The programs that gpu-check runs: the cases that PyG computed (test/data/pyg); two that
are timed and looked at closely, GCN on Cora with the demo's shape and on the arxiv-sized
graph; the other models on both, which gnn-bench times and checks; every model on the
products-sized graph; and the study's wide attention on both large graphs."""
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
    preset: str | None = None  # of gnn-model and pyg-bench, where there is one

    @property
    def program(self):
        return self.work / f"{self.name}.mlir"

    def artifact(self, code):
        return self.work / f"{self.name}-{code}.gnnx"

    def bench_arguments(self, artifacts):
        data = self.graph.name.partition(".")[0]
        arguments = [*self.model_arguments, "--graph", self.graph, "--weights", self.weights, "--data", data]
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
    cases = [pyg_case(path, data, work) for path in sorted((data / "pyg").glob("*/case.json"))]
    return cases + timed_cases(root, work)


def shape(model, inputs, hidden, out, layers):
    return ["--model", model, "--in", str(inputs), "--hidden", str(hidden), "--out", str(out), "--layers", str(layers)]


def timed_cases(root, work):
    return [
        Case("cora", shape("gcn", 1433, 16, 7, 2), root / "test/data/cora/cora.safetensors.gz",
             root / "test/data/cora/gcn-trained.safetensors", None, work, timed=True, preset="cora"),
        Case("arxiv-sized", shape("gcn", 128, 256, 40, 3), work / "arxiv-sized.safetensors",
             work / "arxiv-sized-w.safetensors", None, work, weights_are_made=True, timed=True, preset="arxiv"),
    ]


def model_cases(work):
    """-> [(case, share of eager gather/scatter's time allowed)]"""
    def case(model, *more):
        return Case(f"arxiv-sized-{model}", shape(model, 128, 256, 40, 3) + list(more),
                    work / "arxiv-sized.safetensors", work / f"arxiv-sized-{model}-w.safetensors", None, work,
                    weights_are_made=True, timed=True, preset="arxiv")
    attention = ("--heads", "4", "--act", "elu")
    return [(case("sage"), 1 / 5), (case("gin"), 1 / 5), (case("gat", *attention), 1 / 8),
            (case("gatv2", *attention), 1 / 5)]


WIDE_ATTENTION = ("--heads", "8", "--last-heads", "1", "--norm", "batch_norm", "--act", "elu")


def study_case(work):
    """GAT of gnn-model's preset study: three layers, 8 heads of 256 but in the last one."""
    return Case("arxiv-sized-gat-study", shape("gat", 128, 2048, 40, 3) + list(WIDE_ATTENTION),
                work / "arxiv-sized.safetensors", work / "arxiv-sized-gat-study-w.safetensors", None, work,
                weights_are_made=True, timed=True)


def large_study_case(work):
    """The same on the products-sized graph, where not even a float64 reference fits beside it."""
    return Case("products-sized-gat-study", shape("gat", 100, 2048, 47, 3) + list(WIDE_ATTENTION),
                work / "products-sized.safetensors", work / "products-sized-gat-study-w.safetensors", None, work,
                weights_are_made=True, timed=True)


def small_cases(root, work):
    """The other models on Cora, in the shapes of gnn-model's preset."""
    def case(model, hidden, *more):
        return Case(f"cora-{model}", shape(model, 1433, hidden, 7, 2) + list(more),
                    root / "test/data/cora/cora.safetensors.gz", work / f"cora-{model}-w.safetensors", None, work,
                    weights_are_made=True, timed=True, preset="cora")
    return [case("sage", 16), case("gin", 16), case("gat", 64, "--heads", "8", "--act", "elu")]


def large_cases(work):
    """Every model on 2.4M nodes and 124M edges, where eager PyG's messages need more memory than the device has."""
    def case(model, *more):
        return Case(f"products-sized-{model}", shape(model, 100, 256, 47, 3) + list(more),
                    work / "products-sized.safetensors", work / f"products-sized-{model}-w.safetensors", None, work,
                    weights_are_made=True, timed=True)
    return [case("gcn"), case("sage"), case("gin"), case("gat", "--heads", "4"), case("gatv2", "--heads", "4")]


def tuned_cases(root, work):
    """What the heuristic's schedules are compared with measured ones on: every preset, and GCN from narrow to wide."""
    def wide(width):
        return Case(f"arxiv-sized-gcn-{width}", shape("gcn", 128, width, width, 3), work / "arxiv-sized.safetensors",
                    work / f"arxiv-sized-gcn-{width}-w.safetensors", None, work, weights_are_made=True)
    return [named(root, work, "arxiv-sized"), *(case for case, _ in model_cases(work)),
            *(wide(width) for width in (16, 32, 64, 100, 512))]


def named(root, work, name):
    return next(case for case in all_cases(root, work) if case.name == name)
