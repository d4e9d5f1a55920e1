"""Opens a report's page in a headless browser, light and dark, wide and narrow: figures, console, hostile text."""
import pathlib
import re
import subprocess
import sys

FIGURES = ["speed-ups", "latency", "memory", "break-even", "roofline", "stream", "heat-map", "spmm"]


def dom(folder, address, more=()):
    done = subprocess.run(
        ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--window-size=1400,3000", *more,
         f"--user-data-dir={folder / 'profile'}", "--virtual-time-budget=30000", "--dump-dom", address],
        capture_output=True, text=True, check=True, timeout=200)
    console = [line for line in done.stderr.splitlines() if "CONSOLE" in line and '"WARN ' not in line]
    assert not console, console
    return done.stdout


folder = pathlib.Path(sys.argv[1]).resolve()
text = (folder / "report.html").read_text(encoding="utf-8")
assert "alert(" not in text and not re.search(r"""(src|href)=["']?(https?:)?//""", text)
for mode in ("", "#dark"):
    page = dom(folder, f"file://{folder}/report.html{mode}")
    assert "data-error" not in page and re.search(r'data-drawn="\d+"', page), "was not drawn"
    assert ('<html lang="en" class="dark">' in page) == (mode == "#dark")
    for name in FIGURES:
        section = re.search(rf'<section id="{name}">(.*?)</section>', page, re.S).group(1)
        marks = re.findall(r'aria-roledescription="(?:bar|point|line mark|rect|rule mark|rect mark)"', section)
        assert marks, f"{name} has no marks"
    for status in ("oom", "timeout", "out-of-bound", "fallback"):
        assert f">{status}</text>" in page, f"{status} is not visible in the figures"
    assert "&lt;img src=x onerror=alert(2)&gt;" in page and "<img src=x" not in page and "<script>alert(1)" not in page
    assert ">&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;</td>" in page
for name in FIGURES:
    drawn = list((folder / "figures").glob(f"{name}-*.svg"))
    assert drawn, name
    for path in drawn:
        picture = path.with_suffix(".png").read_bytes()
        assert picture.startswith(b"\x89PNG\r\n") and len(picture) > 2000, path

# On a phone nothing but tables and plots, which scroll by themselves, is wider than the screen.
narrow = folder / "narrow.html"
measure = """<script>setInterval(() => document.documentElement.dataset.widths =
  `${innerWidth} ${document.documentElement.scrollWidth}`, 100)</script></body>"""
narrow.write_text(text.replace("</body>", measure), encoding="utf-8")
frame = folder / "frame.html"  # a browser's window has a least width, a frame has none
frame.write_text(f"""<iframe src="{narrow.name}" style="width: 420px; height: 3000px; border: 0"></iframe>
<script>setInterval(() => document.documentElement.dataset.widths =
  frames[0].document.documentElement.dataset.widths, 100)</script>""", encoding="utf-8")
page = dom(folder, f"file://{frame}", more=("--allow-file-access-from-files",))
widths = [int(number) for number in re.search(r'data-widths="(\d+) (\d+)"', page).groups()]
assert widths[0] == 420 and widths[1] <= 420, widths
