"""Photograph the report of ``docs/report.md``: ``python -m tools.report_pictures``.

The program on that page writes a report; Chromium shows it, and the pictures of the page are made from that. It needs
what tests of reports need: ``pip install -e '.[test]'``, and Chromium.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).parents[1]
PICTURES = ROOT / "docs" / "images"
#: As much of the page as fits: the head, how often it is right, and the rules.
DESK = {"width": 1160, "height": 1531}
#: A phone, the parts of the page that it shows, and what is between them.
PHONE, PARTS, GAP = {"width": 360, "height": 760}, ("#example", "#try", "#cards"), 20


def write_report(folder: Path) -> Path:
    """Run the first program of the page in a folder and return the report that it writes."""
    (program,) = re.findall(r"^```python\n(.*?)^```$", (ROOT / "docs/report.md").read_text(), re.DOTALL | re.MULTILINE)
    subprocess.run([sys.executable, "-c", program], cwd=folder, check=True)
    return folder / "report.html"


def photograph(browser: Browser, report: Path) -> None:
    """Make the pictures: the head of the page on a desk, and three parts of it on a phone in dark mode."""
    desk = browser.new_page(viewport=DESK)
    desk.goto(report.as_uri())
    desk.screenshot(path=PICTURES / "report.png")
    phone = browser.new_page(viewport=PHONE, color_scheme="dark")
    phone.goto(report.as_uri())
    step = PHONE["width"] + GAP
    row = Image.new("RGB", (len(PARTS) * step - GAP, PHONE["height"]), "white")
    for k, part in enumerate(PARTS):
        phone.evaluate(
            "part => { const at = document.querySelector(part);"
            " const fold = at.closest('details'); if (fold) fold.open = true;"
            " at.scrollIntoView({behavior: 'instant'}); }",
            part,
        )
        row.paste(Image.open(BytesIO(phone.screenshot())), (k * step, 0))
    row.save(PICTURES / "report_phone.png", optimize=True)


def main() -> None:
    """Write the report and make its pictures."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    arguments = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=arguments)
        photograph(browser, write_report(Path(folder)))
        browser.close()


if __name__ == "__main__":
    main()
