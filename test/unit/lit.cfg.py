"""lit configuration of the GoogleTest binaries: every <build>/test/**/*_test."""
import os

import lit.formats

config.name = "gnnc-unit"
config.test_source_root = config.test_exec_root = os.path.join(config.gnnc_build, "test")
config.excludes = ["unit", "CMakeFiles", "Output"]
config.test_format = lit.formats.GoogleTest(".", "_test")
config.environment["PATH"] = os.path.join(config.gnnc_build, "bin") + os.pathsep + os.environ["PATH"]
for name in ("HOME", "ASAN_OPTIONS", "UBSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
