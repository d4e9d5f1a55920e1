"""What the machine is: read only, nothing on it is changed."""
import glob
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess

GPU_FIELDS = ["name", "driver_version", "compute_cap", "memory.total", "clocks.sm", "clocks.mem", "clocks.max.sm",
              "clocks.max.mem", "power.limit", "persistence_mode", "ecc.mode.current", "mig.mode.current"]

TORCH = """
import json, os, torch
print(json.dumps({"version": torch.__version__, "cuda": torch.version.cuda, "folder": os.path.dirname(torch.__file__)}))
"""


def output(arguments, env=None):
    try:
        done = subprocess.run(arguments, capture_output=True, text=True, timeout=60, env=env, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def commit(root, bundle):
    """The bundle's commit: the code that runs. Else the tree's."""
    path = bundle / "COMMIT"
    if path.exists() and path.read_text().strip():
        return " ".join(path.read_text().split())
    return output(["git", "-C", str(root), "rev-parse", "HEAD"])


def for_children():
    """Environment of the tools: CUDA's programs on PATH, cuBLASLt where it is found."""
    env = dict(os.environ)
    env.pop("GNNC_CACHE_DIR", None)  # compile times are those of compilations
    home = pathlib.Path(env.get("CUDA_HOME", "/usr/local/cuda"))
    if home.is_dir():
        env["CUDA_HOME"] = str(home)
        env["PATH"] = f"{env.get('PATH', '')}:{home / 'bin'}:{home / 'compute-sanitizer'}"
    if not glob.glob(str(home / "lib64" / "libcublasLt.so.*")):
        folder = output(["python3", "-c", "import nvidia, sys; sys.stdout.write(list(nvidia.__path__)[0])"])
        found = glob.glob(f"{folder}/*/lib/libcublasLt.so.1[23]") if folder else []
        if found:
            paths = [os.path.dirname(found[0]), env.get("LD_LIBRARY_PATH", "")]
            env["LD_LIBRARY_PATH"] = ":".join(path for path in paths if path)
    return env


def with_libraries(env, folder):
    paths = [str(folder), env.get("LD_LIBRARY_PATH", "")]
    return {**env, "LD_LIBRARY_PATH": ":".join(path for path in paths if path)}


def record(env):
    entry = {"host": {"machine": platform.machine(), "kernel": platform.release(), "cores": os.cpu_count()}}
    gpu = output(["nvidia-smi", f"--query-gpu={','.join(GPU_FIELDS)}", "--format=csv,noheader"])
    if gpu:
        entry["gpu"] = dict(zip(GPU_FIELDS, [value.strip() for value in gpu.splitlines()[0].split(",")]))
        entry["chip"] = "sm_" + entry["gpu"]["compute_cap"].replace(".", "")
    torch = output(["python3", "-c", TORCH])
    if torch:
        found = json.loads(torch.splitlines()[-1])
        entry["torch"] = {key: found[key] for key in ("version", "cuda")}
        entry["torch_dir"] = found["folder"]
    for name, arguments in {"nvcc": ["nvcc", "--version"], "ptxas": ["ptxas", "--version"],
                            "compute-sanitizer": ["compute-sanitizer", "--version"], "cmake": ["cmake", "--version"],
                            "compiler": ["c++", "--version"]}.items():
        text = output(arguments, env) if shutil.which(arguments[0], path=env["PATH"]) else None
        version = re.search(r"\d+\.\d+(\.\d+)*", text.replace("\n", " ").split("release")[-1]) if text else None
        entry[name] = version.group(0) if version else None
    return entry
