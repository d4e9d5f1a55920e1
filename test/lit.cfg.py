"""lit configuration: IR tests (.mlir), tool tests (.test) and GoogleTest binaries."""
import os
import shutil
import sys

import lit.formats

config.name = "gnnc"
config.suffixes = [".mlir", ".test"]
config.excludes = ["data", "programs", "Inputs"]
if not config.has_compiler:  # a build of the runtime alone, for the sanitizers
    config.excludes += ["dialects", "passes", "lib", "benchmarks", "docs", "scripts"]
config.test_source_root = os.path.join(config.gnnc_source, "test")
config.test_exec_root = os.path.join(config.gnnc_build, "test")
config.test_format = lit.formats.ShTest(execute_external=True)

# Without a compiler of its own, a build borrows that of the development build, so
# that sanitized tools run artefacts compiled there.
dev_bin = os.path.join(config.gnnc_source, "build", "bin")
path = [os.path.join(config.gnnc_build, "bin"), dev_bin, config.llvm_tools, config.environment["PATH"]]
config.environment["PATH"] = os.pathsep.join(path)
# Tests run the project's scripts, which look for LibTorch where these say.
for name in ("GNNC_DEPS", "HOME"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
config.substitutions.append(("%python", f"'{sys.executable}' -B"))
# %keeps-meaning CASE PASSES...: the program of a PyG case computes the same after them.
config.substitutions.append(
    ("%keeps-meaning", f"'{sys.executable}' -B {config.test_source_root}/keeps-meaning.py"))
config.substitutions.append(("%programs", os.path.join(config.test_source_root, "programs")))
config.substitutions.append(("%data", os.path.join(config.test_source_root, "data")))
config.substitutions.append(("%gnnc_source", config.gnnc_source))
config.substitutions.append(("%gnnc_build", config.gnnc_build))
config.substitutions.append(("%llvm_tools", config.llvm_tools))

if config.has_compiler or os.path.exists(os.path.join(dev_bin, "gnn-compile")):
    config.available_features.add("compiler")
if config.has_benchmarks:
    config.available_features.add("libtorch")
if config.sanitize:
    config.available_features.add("sanitizer")
if shutil.which("soffice"):
    config.available_features.add("libreoffice")
if shutil.which("chromium"):
    config.available_features.add("chromium")
deps = [os.environ.get("GNNC_DEPS"), os.path.join(config.gnnc_source, ".deps"), os.path.expanduser("~/.cache/gnnc")]
if any(os.path.isdir(os.path.join(folder, "vl-convert", "vl_convert")) for folder in deps if folder):
    config.available_features.add("vl-convert")
# What documents say holds for the preset `dev`.
if os.path.realpath(config.gnnc_build) == os.path.realpath(os.path.join(config.gnnc_source, "build")):
    config.available_features.add("default-build")
