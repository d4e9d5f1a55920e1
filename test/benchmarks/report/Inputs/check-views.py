"""Checks the folder of a report: schema of the JSON, form of the CSV, and that both have the same cells."""
import csv
import json
import pathlib
import sys

TYPES = {"text": str, "integer": int, "number": (int, float), "boolean": bool}


def same(cell, text):
    if cell is None:
        return text == ""
    if isinstance(cell, bool):
        return text == str(cell).lower()
    return text == cell if isinstance(cell, str) else float(text) == cell


def main(folder):
    folder = pathlib.Path(folder)
    report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    assert set(report) == {"schema", "title", "sources", "views"}, set(report)
    assert report["schema"] == "gnnc-report/1"
    names = [view["name"] for view in report["views"]]
    assert len(names) == len(set(names)) >= 20
    assert sorted(path.stem for path in (folder / "views").glob("*.csv")) == sorted(names)
    for view in report["views"]:
        assert set(view) == {"name", "title", "says", "columns", "rows"}
        assert len(view["name"]) <= 31, "a sheet's name is at most that long"
        head = [column["name"] for column in view["columns"]]
        with open(folder / "views" / f"{view['name']}.csv", encoding="utf-8", newline="") as file:
            lines = list(csv.reader(file, strict=True))
        assert lines[0] == head and len(lines) == len(view["rows"]) + 1, view["name"]
        for row, line in zip(view["rows"], lines[1:]):
            assert len(row) == len(line) == len(head), (view["name"], row)
            for cell, text, column in zip(row, line, view["columns"]):
                assert cell is None or isinstance(cell, TYPES[column["type"]]), (view["name"], column, cell)
                assert same(cell, text), (view["name"], column, cell, text)
    assert all(view["rows"] for view in report["views"]), [view["name"] for view in report["views"] if not view["rows"]]


main(sys.argv[1])
