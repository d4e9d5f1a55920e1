"""What new-pass and new-op share: templates with @names@, all or nothing.

Input: files under scripts/templates and a value for each @name@ in them. Output:
new files, and insertions into existing ones; nothing is written unless all of it can be.
"""
import os
import re

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), ".."))


class Failure(Exception):
    """One line for the user."""


def camel(words):
    return "".join(part[:1].upper() + part[1:] for part in re.split(r"[-_]", words))


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def render(template, values):
    text = read(os.path.join("scripts", "templates", template + ".in"))
    text = re.sub(r"@(\w+)@", lambda match: values[match.group(1)], text)
    lines = text.split("\n")
    if lines[0].startswith("//===- "):  # a head line is as wide as LLVM's
        head = lines[0].removesuffix("===//").rstrip(" -")
        lines[0] = head + " " + "-" * max(0, 80 - len(head) - 7) + "===//"
    return "\n".join(lines)


def insert_before(text, mark, new, where):
    if text.count(mark) != 1:
        raise Failure(f"{where}: expected one '{mark.strip()}', found {text.count(mark)}; add the entry by hand")
    return text.replace(mark, new + mark)


def add_source(path, library, source):
    """The CMake file with `source` in the sorted list of that library's sources."""
    text = read(path)
    pattern = rf"(gnnc_compiler_library\({library}\s+SOURCES\s+)((?:[\w/.]+\.cpp\s*)+)"
    match = re.search(pattern, text)
    if not match:
        raise Failure(f"{path}: no gnnc_compiler_library({library} SOURCES ...); add {source} by hand")
    sources = match.group(2)
    ending = sources[len(sources.rstrip()):]
    return text[:match.start(2)] + sources.rstrip() + " " + source + ending + text[match.end(2):]


def write_all(created, changed):
    for path in created:
        if os.path.exists(os.path.join(ROOT, path)):
            raise Failure(f"{path}: is there already; choose another name")
    for path, text in {**created, **changed}.items():
        full = os.path.join(ROOT, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8") as file:
            file.write(text)
    for path in created:
        print(f"new      {path}")
    for path in changed:
        print(f"changed  {path}")
