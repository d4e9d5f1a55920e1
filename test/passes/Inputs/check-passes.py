"""Every pass that gnn-opt has is tested in test/passes/<stem>/, in four respects:

fires       some program there comes out changed
dynamic     and one of those has dynamic extents
idempotent  the pass changes nothing in what it has made, in any program there
refuses     every reason in the sources is given for some program under test/passes: those of
            patterns and legality functions as remarks, errors as diagnostics

Programs and options are those of the RUN lines, up to the pass itself.
Usage: check-passes.py GNN_OPT   prints one line a pass and what is missing"""
import collections
import concurrent.futures
import os
import pathlib
import re
import shlex
import subprocess
import sys

TEST = pathlib.Path(__file__).resolve().parent.parent.parent
SOURCES = TEST.parent / "passes"
# Checks only: nothing may come out changed.
READ_ONLY = {"gnn-verify-fused"}
# Work on scalars, vectors or attributes, which have no extents to be dynamic.
WITHOUT_EXTENTS = {"gnn-expand-floats", "gnn-expand-math", "gnn-set-target"}
# Reasons that no program can bring about, each with why.
UNREACHED = {
    ": the rewrite did not converge": "would be an error in a pass",
    "which mixes the heads and features of a row": "RowFrame tells the two apart, or refuses, before",
}
# An extent that is known when a graph is bound: of a tensor, or of a plan's buffer.
DYNAMIC = r"\?x|gnn_plan\.symbol"
CALLS = r"(?:Blocker|notifyMatchFailure|emitError|emitOpError|reportMissed|emplace|reason)\b[({]"
STRING = r'"(?:[^"\\\n]|\\.)*"'


def texts(statement):
    """-> patterns of what the string literals of a statement say, one for each end of a `? :`"""
    groups, end = [], 0
    for match in re.finditer(rf"{STRING}(?:\s*{STRING})*", statement):
        piece = "".join(s[1:-1] for s in re.findall(STRING, match[0]))
        piece = re.escape(re.sub(r"\\(.)", r"\1", piece))
        before = statement[end:match.start()].replace("::", "").rstrip()
        if groups and (before.endswith(":") or (before.endswith("?") and ":" in before)):
            groups[-1].append(piece)
        else:
            groups.append([piece])
        end = match.end()
    any_of = ["(?:" + "|".join(group) + ")" for group in groups]
    found = {".*".join(any_of)} if all(len(group) == 1 for group in groups) else set()
    for at, group in enumerate(groups):
        found |= {".*".join(any_of[:at] + [piece] + any_of[at + 1:]) for piece in group if len(group) > 1}
    return sorted(found)


def reasons():
    """-> {place: patterns that must all be found}"""
    found = {}
    for path in sorted(SOURCES.rglob("*.cpp")) + sorted(SOURCES.rglob("*.h")):
        text = re.sub(r"//[^\n]*", lambda m: " " * len(m[0]), path.read_text(encoding="utf-8"))
        for call in re.finditer(CALLS, text):
            # Up to the end of the statement, outside of strings.
            statement = re.match(rf"(?:{STRING}|[^;\"])*", text[call.start():])[0]
            if " " in "".join(re.findall(STRING, statement)):
                line = text.count("\n", 0, call.start()) + 1
                found[f"{path.relative_to(SOURCES)}:{line}"] = texts(statement)
    return found


class Run:
    """What a RUN line does up to the first time that it names `name`."""

    def __init__(self, path, words, name):
        at = next(i for i, word in enumerate(words) if re.match(rf"--{name}(=|$)", word))
        self.path, self.name = path, name
        self.before = [word for word in words[:at] if word != "--verify-diagnostics"]
        self.passes = words[at:at + 1]
        self.split = ["--split-input-file"] if "--split-input-file" in words else []
        self.before = [word for word in self.before if word != "--split-input-file"]


def runs_of(name):
    found = {}
    folder = TEST / "passes" / name.removeprefix("gnn-")
    for path in sorted(folder.glob("*.mlir")) + sorted(folder.glob("*.test")):
        for line in re.findall(r"RUN: (?:not )?gnn-opt ([^|>]*)", path.read_text(encoding="utf-8")):
            line = line.replace("%s", str(path)).replace("%S", str(path.parent)).replace("%programs", str(TEST / "programs"))
            words = shlex.split(line)
            if any(re.match(rf"--{name}(=|$)", word) for word in words):
                run = Run(path, words, name)
                if "%t" not in " ".join(run.before):
                    found[(*run.before, *run.passes, *run.split)] = run
    return list(found.values())


def gnn_opt(tool, words):
    done = subprocess.run([tool, *words, "--remarks-filter=gnn-.*", "--remark-policy=all"], capture_output=True, text=True,
                          check=False, timeout=120)
    return done.returncode, done.stdout, done.stderr


def check(tool, run):
    """-> what the tool said, and (changed, dynamic, changed again) for each part of the file"""
    failed, once, said = gnn_opt(tool, run.before + run.passes + run.split)
    parts = []
    if not failed:
        plain = gnn_opt(tool, run.before + run.split)[1].split("// -----")
        twice = gnn_opt(tool, run.before + run.passes * 2 + run.split)[1].split("// -----")
        parts = [(a != b, bool(re.search(DYNAMIC, a)), b != c) for a, b, c in zip(plain, once.split("// -----"), twice, strict=True)]
    return said, parts


def main():
    tool = sys.argv[1]
    listed = subprocess.run([tool, "--help"], capture_output=True, text=True, check=True).stdout
    names = [name for name in re.findall(r"^ +--(gnn-[\w-]+)", listed, re.M) if not name.endswith("-pipeline")
             and name != "gnn-autotune"]  # needs a graph file and time: test/lib/Tune
    failures, heard, table = [], [], {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for name in names:
            runs = runs_of(name)
            parts = collections.Counter()
            for run, (said, results) in zip(runs, pool.map(lambda run: check(tool, run), runs)):
                heard += [line for line in said.splitlines() if re.search(r": (error|warning|remark): (?!expected \w+ \")", line)]
                parts["fires"] += sum(changed for changed, _, _ in results)
                parts["dynamic"] += sum(changed and dynamic for changed, dynamic, _ in results)
                parts["kept"] += sum(not again for _, _, again in results)
                for number, (_, _, again) in enumerate(results):
                    if again:
                        failures.append(f"{name}: not idempotent on part {number + 1} of {run.path.relative_to(TEST)}"
                                        f" ({' '.join(run.passes)})")
            table[name] = parts
            where = f"under test/passes/{name.removeprefix('gnn-')}"
            if name in READ_ONLY:
                failures += [f"{name}: changes a program {where}"] * bool(parts["fires"])
                continue
            if not parts["fires"]:
                failures.append(f"{name}: changes no program {where}")
            if not parts["dynamic"] and name not in WITHOUT_EXTENTS:
                failures.append(f"{name}: changes no program with dynamic extents {where}")
    everything = "\n".join(heard)
    given = 0
    for place, patterns in reasons().items():
        for pattern in patterns:
            plain = re.sub(r"\\(.)", r"\1", pattern)
            if any(text in plain for text in UNREACHED):
                continue
            given += 1
            if not re.search(pattern, everything):
                failures.append(f"passes/{place}: no program brings about '{plain}'")
    for name, parts in table.items():
        print(f"{name:28} fires {parts['fires']:3}  dynamic {parts['dynamic']:3}  idempotent {parts['kept']:3}")
    print(f"{len(table)} passes, {given} reasons, {len(failures)} missing")
    for failure in failures:
        print(f"FAILED: {failure}")
    return 1 if failures or not table else 0


if __name__ == "__main__":
    sys.exit(main())
