"""new-pass and new-op in a copy of the tree: what they write compiles and is formatted.

Usage: check-scaffold.py SOURCE BUILD WORK LLVM_TOOLS
A full build would take minutes; TableGen and a syntax check with the precompiled
header of BUILD and a neighbour's command line find the same mistakes in seconds.
"""
import json
import os
import shlex
import shutil
import subprocess
import sys

SOURCE, BUILD, WORK, TOOLS = (os.path.realpath(path) for path in sys.argv[1:5])


def run(*command, cwd=WORK, expect=0):
    result = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    if result.returncode != expect:
        sys.exit(f"{shlex.join(command)}: exit {result.returncode}, expected {expect}\n{result.stdout}{result.stderr}")
    return result.stdout + result.stderr


def copy_tree():
    shutil.rmtree(WORK, ignore_errors=True)
    for folder in ("scripts", "dialects", "passes", "include"):
        shutil.copytree(os.path.join(SOURCE, folder), os.path.join(WORK, folder))
    shutil.copy(os.path.join(SOURCE, ".clang-format"), WORK)


def compile_like(neighbour, source):
    """Runs TableGen for what the neighbour's folder generates, then clang on `source`."""
    with open(os.path.join(BUILD, "compile_commands.json"), encoding="utf-8") as file:
        entry = next(entry for entry in json.load(file) if entry["file"] == os.path.join(SOURCE, neighbour))
    command = shlex.split(entry["command"])
    at = command.index("-o")
    del command[at:at + 2]
    command = [arg for arg in command if arg != "-c" and arg != entry["file"]]
    run(command[0], "-I", os.path.join(WORK, "generated"), "-I", WORK, *command[1:], "-Werror",
        "-fsyntax-only", os.path.join(WORK, source), cwd=entry["directory"])
    formatter = shutil.which("clang-format-22")
    if formatter:
        run(formatter, "--dry-run", "-Werror", source)


def generate(td, out, *flags):
    path = os.path.join(WORK, "generated", out)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    include = os.path.realpath(os.path.join(TOOLS, "..", "include"))
    run(os.path.join(TOOLS, "mlir-tblgen"), td, *flags, "-I", WORK, "-I", include, "-o", path)


def check_pass(level, neighbour):
    folder = f"passes/{level}"
    run("scripts/new-pass", level.lower(), "gnn-probe-it", f"Try {level}")
    generate(f"{folder}/Passes.td", f"{folder}/Passes.h.inc", "-gen-pass-decls", "-name", level)
    compile_like(f"{folder}/{neighbour}", f"{folder}/ProbeIt.cpp")
    with open(os.path.join(WORK, folder, "CMakeLists.txt"), encoding="utf-8") as file:
        assert " ProbeIt.cpp" in file.read(), "not registered with CMake"
    said = run("scripts/new-pass", level.lower(), "probe-it", expect=1)
    assert "is there already" in said, said
    os.remove(os.path.join(WORK, "test/passes/probe-it/refuses.mlir"))


def check_op():
    run("scripts/new-op", "probe_it", "Try an op")
    for out, flag in (("GnnOps.h.inc", "-gen-op-decls"), ("GnnOps.cpp.inc", "-gen-op-defs")):
        generate("dialects/Gnn/GnnOps.td", f"dialects/Gnn/{out}", flag)
    compile_like("dialects/Gnn/GnnOps.cpp", "dialects/Gnn/ProbeItOp.cpp")
    for test in ("ops", "invalid"):
        assert os.path.exists(os.path.join(WORK, f"test/dialects/Gnn/probe_it-{test}.mlir"))
    said = run("scripts/new-op", "gather", expect=1)
    assert "gnn.gather is there already" in said, said


copy_tree()
check_pass("Program", "FuseAggregate.cpp")
check_pass("Kernel", "FormKernels.cpp")
check_pass("Plan", "BuildPlan.cpp")
check_op()
run("scripts/new-pass", "program", "Bad_Name", expect=2)
run("scripts/new-op", "Bad-Name", expect=2)
print("scaffolds compile")
