"""What the tests of the runtime's tools share: safetensors files, runs of a tool
in a folder that goes away, and the rules for failures (one line, exit code, no
file left behind)."""
import json
import os
import struct
import subprocess
import tempfile

FORMATS = {"F32": "f", "F64": "d", "I64": "q", "I32": "i", "U8": "B"}


def write_tensors(path, tensors, metadata=None):
    """tensors: name -> (dtype, shape, values)"""
    header, data = {}, b""
    if metadata:
        header["__metadata__"] = metadata
    for name, (dtype, shape, values) in tensors.items():
        packed = struct.pack(f"<{len(values)}{FORMATS[dtype]}", *values)
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(data), len(data) + len(packed)]}
        data += packed
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as out:
        out.write(struct.pack("<Q", len(text)) + text + data)


def read_tensor(path, name):
    with open(path, "rb") as file:
        content = file.read()
    length = struct.unpack("<Q", content[:8])[0]
    entry = json.loads(content[8:8 + length])[name]
    begin, end = (8 + length + at for at in entry["data_offsets"])
    code = FORMATS[entry["dtype"]]
    count = (end - begin) // struct.calcsize(code)
    return entry["shape"], list(struct.unpack(f"<{count}{code}", content[begin:end]))


class Checker:
    def __init__(self, tool):
        self.tool, self.name = tool, os.path.basename(tool)
        self.folder = tempfile.TemporaryDirectory(prefix="gnnc-tool-")
        self.checks = self.failed = 0

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def run(self, *args):
        return subprocess.run([self.tool, *args], capture_output=True, text=True, check=False,
                              timeout=120, cwd=self.folder.name, stdin=subprocess.DEVNULL)

    def expect(self, condition, what):
        self.checks += 1
        if not condition:
            self.failed += 1
            print(f"FAILED: {what}")

    def good(self, *args):
        done = self.run(*args)
        self.expect(done.returncode == 0 and not done.stderr,
                    f"{args}: exit {done.returncode}, stderr {done.stderr!r}")
        return done.stdout

    def bad(self, message, *args, code=1):
        """The tool refuses: this text, on one line, and no new file."""
        before = sorted(os.listdir(self.folder.name))
        done = self.run(*args)
        after = sorted(os.listdir(self.folder.name))
        self.expect(done.returncode == code, f"{args}: exit {done.returncode}, want {code}")
        self.expect(done.stderr.startswith(f"{self.name}: ") and done.stderr.count("\n") == 1
                    and message in done.stderr, f"{args}: stderr {done.stderr!r}, want {message!r}")
        self.expect(after == before, f"{args}: leaves {set(after) - set(before)}")

    def finish(self):
        self.folder.cleanup()
        print(f"{self.checks} checks, {self.failed} failed")
        return 1 if self.failed or not self.checks else 0
