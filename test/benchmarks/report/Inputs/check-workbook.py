"""Checks a workbook beside the CSV of its views: every sheet is there, with its rows, filter, frozen head; charts too."""
import csv
import pathlib
import re
import sys
import zipfile


def lines(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


folder = pathlib.Path(sys.argv[1])
views = sorted(path.stem for path in (folder / "views").glob("*.csv"))
for view in views:
    rows, sheet = lines(folder / "views" / f"{view}.csv")[1:], lines(folder / "sheets" / f"report-{view}.csv")[3:]
    assert len(sheet) == max(len(rows), 1), (view, len(rows), len(sheet))
    for row, shown in zip(rows, sheet):
        assert [bool(cell.strip()) for cell in row] == [bool(cell.strip()) for cell in shown], (view, row, shown)
    assert not any(cell.startswith(("#REF", "#NAME", "#VALUE", "Err:")) for row in sheet for cell in row), view
with zipfile.ZipFile(folder / "report.xlsx") as book:
    sheets = [book.read(name).decode() for name in book.namelist() if re.match(r"xl/worksheets/sheet\d+\.xml", name)]
    charts = [name for name in book.namelist() if name.startswith("xl/charts/chart")]
assert len(sheets) == len(views) + 1, (len(sheets), len(views))
assert sum("<autoFilter" in sheet and "<pane" in sheet for sheet in sheets) == len(views)
assert not any("<f>" in sheet for sheet in sheets)
assert len(charts) >= 15, len(charts)
