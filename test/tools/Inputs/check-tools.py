"""Every tool answers --help and --version alike and refuses an unknown flag.

Usage: check-tools.py BIN_DIR
"""
import os
import re
import subprocess
import sys


def run(tool, flag):
    return subprocess.run([tool, flag], capture_output=True, text=True, check=False, timeout=60,
                          stdin=subprocess.DEVNULL)


def problems(tool):
    name = os.path.basename(tool)
    version = run(tool, "--version")
    if version.returncode or not re.fullmatch(rf"{name} \(gnnc\) \d+\.\d+\.\d+.*\n", version.stdout):
        yield f"--version: exit {version.returncode}, {version.stdout!r}; want '{name} (gnnc) 0.1.0'"
    usage = run(tool, "--help")
    if usage.returncode or usage.stderr:
        yield f"--help: exit {usage.returncode}, stderr {usage.stderr!r}"
    for word in ("usage", "example", name):
        if word not in usage.stdout.lower():
            yield f"--help does not have the word '{word}'"
    wrong = run(tool, "--no-such-flag")
    first = wrong.stderr.split("\n")[0] # LLVM's tools add a line: did you mean
    if wrong.returncode != 2 or wrong.stdout or not first.startswith(f"{name}: ") or "'--no-such-flag'" not in first:
        yield f"--no-such-flag: exit {wrong.returncode}, stderr {wrong.stderr!r}; want 2 and '{name}: ...'"


def main():
    bin_dir = sys.argv[1]
    # gnn-compiler is what gnn-compile becomes, and speaks in its name.
    tools = sorted(name for name in os.listdir(bin_dir) if name.startswith("gnn-") and name != "gnn-compiler")
    failed = 0
    for name in tools:
        for problem in problems(os.path.join(bin_dir, name)):
            print(f"{name}: {problem}")
            failed += 1
    print(f"{len(tools)} tools, {failed} problems")
    return 1 if failed or not tools else 0


if __name__ == "__main__":
    sys.exit(main())
