"""What the scan finds in recorded public tools, and the page on what it finds in 2,994 of them."""

import re
from collections import Counter
from pathlib import Path

import pytest
from tests.catalogs import CATALOGS

from toolbooth.catalog import Catalog
from toolbooth.catalog.loading import find_sources
from toolbooth.contracts import Level
from toolbooth.contracts.scan import scan

ROOT = Path(__file__).parents[4]
PAGE = ROOT / "docs" / "scan-false-positives.md"
ROW = re.compile(
    r"^\| `(?P<rule>[a-z-]+)` \| (?P<level>\w+) \| (?P<fired>\d+) \| (?P<right>\d+) \|", re.MULTILINE
)


@pytest.mark.promise("scan:false-positives")
def test_the_page_counts_what_the_scan_finds() -> None:
    """The recorded servers are some of those behind the page, which reports the same findings about them."""
    found = scan(Catalog(find_sources([str(path) for path in CATALOGS]).recorded))
    assert Counter((each.rule, each.level) for each in found) == {
        ("asks-for-context", Level.LOW): 16,
        ("claims-precedence", Level.NOTE): 1,
    }
    reported = {
        (row["rule"], row["level"]): int(row["fired"]) for row in ROW.finditer(PAGE.read_text("utf-8"))
    }
    assert reported["asks-for-context", "low"] == 16  # all of them are Pinecone's, which is recorded here
    assert reported["claims-precedence", "note"] >= 1


def test_the_page_adds_up() -> None:
    text = PAGE.read_text(encoding="utf-8")
    rows = [(int(row["fired"]), int(row["right"])) for row in ROW.finditer(text)]
    fired, right = (sum(column) for column in zip(*rows, strict=True))
    assert f"{right} of {fired} findings are right" in text
    assert all(right <= fired for fired, right in rows)
