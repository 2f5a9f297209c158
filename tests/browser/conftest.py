"""One headless Chromium for all tests of pages, and a way to open a page in it as a person would see it."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.parts import missing

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
Open = Callable[..., Page]


# Not for the session: while Playwright runs, no other test can have an event loop in this thread. `make test` runs
# these tests in a process of their own; a run of everything in one process stops it after the last of them.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        missing("Chromium is not installed; run scripts/fetch_test_parts.py as root, or install it")
    alone = ("--no-sandbox",) if os.geteuid() == 0 else ()  # its sandbox does not start as root
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=found, args=[*FLAGS, *alone])
        yield launched
        launched.close()


@pytest.fixture
def heard() -> list[str]:
    """What opened pages asked for and complained of."""
    return []


@pytest.fixture
def opened(browser: Browser, tmp_path: Path, heard: list[str]) -> Iterator[Open]:
    """`opened(html, width=390, scheme="dark")`: a page from disk."""
    contexts = []

    def open_page(html: str, width: int = 1400, scheme: str = "light") -> Page:
        file = tmp_path / "report.html"
        file.write_text(html, encoding="utf-8")
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)  # type: ignore[arg-type]
        contexts.append(context)
        context.on("request", lambda request: heard.append(request.url))
        context.on("console", lambda message: heard.append(message.text))
        context.on("weberror", lambda error: heard.append(str(error.error)))
        page = context.new_page()
        page.goto(file.as_uri())
        return page

    yield open_page
    for context in contexts:
        context.close()
