"""A browser without network, in which nothing may be loaded or complained about."""

import os
import shutil

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="module")
def browser():
    if CHROMIUM is None:
        if os.environ.get("CI"):
            pytest.fail("CI has no chromium; .ci/run installs it")
        pytest.skip("no chromium on this machine (Debian: apt-get install chromium)")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield started
        started.close()


@pytest.fixture
def open_page(browser, tmp_path):
    """Return a function that opens HTML; at the end nothing may have been loaded or complained about."""
    path, trouble, pages = tmp_path / "report.html", [], {}

    def new_page(options):
        page = browser.new_page(offline=True, **options)
        page.set_default_timeout(60_000)  # other tests run beside
        page.on("console", lambda message: trouble.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.on("dialog", lambda dialog: trouble.append(f"dialog: {dialog.message}"))
        page.on("request", lambda request: request.url == path.as_uri() or trouble.append(request.url))
        return page

    def open_html(html, **options):
        path.write_text(html, encoding="utf-8")
        page = pages.setdefault(str(options), None) or new_page(options)
        pages[str(options)] = page
        page.goto(path.as_uri())
        return page

    yield open_html
    for page in pages.values():
        page.close()
    assert trouble == []
