"""Exit 1 when what an explanation's session holds at a time is not known or not below a limit in bytes."""
import json
import sys

memory = {part["name"]: part["bytes"]["value"] for part in json.load(open(sys.argv[1], encoding="utf-8"))["memory"]}
held = memory["weights"] + memory["graph"] + memory["in and out"] + max(memory["prepare"], memory["forward"])
print(f"{held / 1e9:.2f} GB: {memory}")
sys.exit(held >= float(sys.argv[2]))
