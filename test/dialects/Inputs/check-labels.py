"""Constraint labels (C1, C2, ...) of an op's text, of its verifier and of its negative
tests are the same: every label that GnnOps*.td gives an op is in a message that
OP-invalid.mlir expects, which only the verifier can emit, and no other label is.

Usage: check-labels.py SOURCE_ROOT
"""
import pathlib
import re
import sys


def main():
    root = pathlib.Path(sys.argv[1])
    files = sorted((root / "dialects/Gnn").glob("GnnOps*.td"))
    text = "".join(path.read_text(encoding="utf-8") for path in files)
    problems, checked = [], 0
    for part in re.split(r"^(?:def|class) ", text, flags=re.M):
        op = re.match(r'\w+ : \w+<"(\w+)"', part)
        if not op:
            continue
        name = op.group(1)
        described = set(re.findall(r"\bC\d+\b", part))
        path = root / f"test/dialects/Gnn/{name}-invalid.mlir"
        expected = path.read_text(encoding="utf-8") if path.exists() else ""
        tested = set(re.findall(r"expected-error[^{]*\{\{[^\n]*\((C\d+)\)", expected))
        if described != tested:
            problems.append(f"gnn.{name}: labels {sorted(described)} in GnnOps*.td, {sorted(tested)} expected by {path.name}")
        checked += len(described)
    print("\n".join(problems) or f"{checked} labels")
    sys.exit(1 if problems or not checked else 0)


main()
