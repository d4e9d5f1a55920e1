"""What the scripts of this folder share on the command line: where files go, and the last lines."""
import argparse
import contextlib
import pathlib
import tempfile


def parser(text):
    made = argparse.ArgumentParser(description=text.splitlines()[0])
    made.add_argument("--work", help="folder for files; default: a temporary one")
    return made


@contextlib.contextmanager
def folder(options):
    with tempfile.TemporaryDirectory(prefix="gnnc-suite-") as temporary:
        yield pathlib.Path(options.work or temporary)


def report(count, what, failed):
    """-> exit status; nothing checked is a failure, too"""
    for line in failed:
        print(f"FAILED: {line}")
    print(f"{count} {what}, {len(failed)} failed")
    return 1 if failed or not count else 0
