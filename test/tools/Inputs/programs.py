"""Programs compiled, run on the host and compared with the float64 evaluator, on
graphs that are hard; for the check-*.py beside this file."""
import math
import random
import shutil
import subprocess

from tooltest import Checker, read_tensor, write_tensors


def edges(nodes, count, seed=1):
    chance = random.Random(seed)
    return [(chance.randrange(nodes), chance.randrange(nodes)) for _ in range(count)]


GRAPHS = {"random": (50, edges(50, 300)), "no_nodes": (0, []), "one_node": (1, []), "one_loop": (1, [(0, 0)] * 3),
          "no_edges": (4, []), "duplicates": (5, [(3, 1)] * 7 + [(1, 3), (2, 2)]), "hub": (900, [(v, 7) for v in range(900)])}


class Programs:
    def __init__(self):
        self.t = Checker(shutil.which("gnn-run"))

    def tool(self, name, *args):
        return subprocess.run([name, *args], capture_output=True, text=True, check=False,
                              timeout=120, cwd=self.t.folder.name, stdin=subprocess.DEVNULL)

    def check(self, what, text, graph, width, outputs=("out",), dtype="F32", ids="I64", values=None, flags=(), bound=1e-5, weights=None, more=None):
        nodes, list_of_edges = graph
        chance = random.Random(7)
        count = nodes * math.prod(width)
        tensors = {"edge_index": (ids, [2, len(list_of_edges)], [s for s, _ in list_of_edges] + [d for _, d in list_of_edges]),
                   "x": (dtype, [nodes, *width], values or [chance.uniform(-1, 1) for _ in range(count)]),
                   "edge_weight": (dtype, [len(list_of_edges)], [chance.uniform(-2, 2) for _ in list_of_edges]),
                   "edge_attr": (dtype, [len(list_of_edges), 3], [chance.uniform(-1, 1) for _ in range(3 * len(list_of_edges))])}
        write_tensors(self.t.path("g.safetensors"), {**tensors, **(more or {})})
        with open(self.t.path("p.mlir"), "w", encoding="utf-8") as file:
            file.write(text)
        write_tensors(self.t.path("w.safetensors"), weights or {"none": (dtype, [0], [])})
        known = ("--weights", "w.safetensors") if weights else ()
        for args in (("gnn-compile", "p.mlir", "--target", "cuda", "--no-cubin", *known, "-o", "cuda.gnnx"),
                     ("gnn-compile", "p.mlir", *flags, *known, "-o", "p.gnnx"),
                     ("gnn-eval", "p.mlir", *known, "--graph", "g.safetensors", "-o", "expected.safetensors"),
                     ("gnn-run", "p.gnnx", "--graph", "g.safetensors", "-o", "out.safetensors"),
                     ("gnn-run", "p.gnnx", "--graph", "g.safetensors", "-o", "again.safetensors")):
            done = self.tool(*args)
            if done.returncode:
                return self.t.expect(False, f"{what}: {args}: {done.stderr}")
        with open(self.t.path("out.safetensors"), "rb") as once, open(self.t.path("again.safetensors"), "rb") as again:
            self.t.expect(once.read() == again.read(), f"{what}: the second run differs")
        return [self.compare(f"{what}, {name}", name, bound) for name in outputs]

    def compare(self, what, name, bound):
        shape, found = read_tensor(self.t.path("out.safetensors"), name)
        wanted_shape, wanted = read_tensor(self.t.path("expected.safetensors"), name)
        largest = max((abs(v) for v in wanted if math.isfinite(v)), default=0) or 1
        wrong = [i for i, (a, b) in enumerate(zip(found, wanted))
                 if not (a == b or math.isnan(a) and math.isnan(b) or abs(a - b) <= bound * largest)]
        self.t.expect(shape == wanted_shape and not wrong,
                      f"{what}: {shape} for {wanted_shape}, wrong at {wrong[:5]}: "
                      f"{[(found[i], wanted[i]) for i in wrong[:3]]}")
