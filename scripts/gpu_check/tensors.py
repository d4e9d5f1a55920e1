"""Read safetensors and artefacts, compare outputs. Standard library alone."""
import array
import gzip
import json
import math
import pathlib
import struct
import zipfile

TYPES = {"F32": "f", "F64": "d"}


def read(path, name):
    """-> (values as array, shape) of one F32 or F64 tensor."""
    data = pathlib.Path(path).read_bytes()
    if str(path).endswith(".gz"):
        data = gzip.decompress(data)
    (size,) = struct.unpack_from("<Q", data)
    header = json.loads(data[8:8 + size])
    if name not in header:
        raise ValueError(f"{path}: no tensor '{name}'; it holds {', '.join(k for k in header if k != '__metadata__')}")
    entry = header[name]
    if entry["dtype"] not in TYPES:
        raise ValueError(f"{path}: {name} is {entry['dtype']}, not F32 or F64")
    begin, end = entry["data_offsets"]
    values = array.array(TYPES[entry["dtype"]])
    values.frombytes(data[8 + size + begin:8 + size + end])
    return values, entry["shape"]


def compare(found_path, expected_path, name, step=1):
    """-> largest error relative to the largest expected value, of every `step`th value. NaN matches NaN alone."""
    found, found_shape = read(found_path, name)
    expected, shape = read(expected_path, name)
    if found_shape != shape:
        raise ValueError(f"{name} is {found_shape}, expected {shape}")
    largest, worst = 0.0, 0.0
    for have, want in zip(found[::step], expected[::step]):
        if have != have or want != want:
            if (have != have) != (want != want):
                worst = math.inf
            continue
        largest = max(largest, abs(want))
        worst = max(worst, abs(have - want))
    return {"max_rel_err": worst / largest if largest else worst, "largest_output": largest, "shape": shape}


def zip_members(path):
    with zipfile.ZipFile(path) as archive:
        return archive.namelist()
