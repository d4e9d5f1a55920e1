"""The commands of a Markdown page, run as they stand; its links, followed.

Usage: run-readme.py ROOT PAGE...
Every fenced block marked sh is run with bash in ROOT, one after the other, and has to
exit with 0; every relative link has to lead to a file. Prints what it ran.
"""
import os
import re
import subprocess
import sys
import time

FENCE = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#]+)(?:#[^)]*)?\)")


def main(root, pages):
    environment = {**os.environ, "GNNC_NO_SETUP": "1", "GNNC_IN_README_TEST": "1", "GNNC_DEMO_REPEATS": "5"}
    failed = ran = 0
    for page in pages:
        with open(os.path.join(root, page), encoding="utf-8") as file:
            text = file.read()
        for block in FENCE.findall(text):
            start = time.monotonic()
            result = subprocess.run(["bash", "-euc", block], cwd=root, env=environment, text=True, check=False,
                                    stdin=subprocess.DEVNULL, capture_output=True)
            print(f"{page}: exit {result.returncode}, {time.monotonic() - start:.1f} s: {block.strip()}", flush=True)
            ran += 1
            if result.returncode:
                failed += 1
                print(result.stdout[-3000:] + result.stderr[-3000:])
        for link in LINK.findall(text):
            if "://" not in link and not os.path.exists(os.path.join(root, os.path.dirname(page), link)):
                failed += 1
                print(f"{page}: link to {link}: there is no such file")
    print(f"{ran} blocks run, {failed} problems")
    return 1 if failed or not ran else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
