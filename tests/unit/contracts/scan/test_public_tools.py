"""The page on false positives has the counts that the scan gives for 2,994 public tools."""

import re
from collections import Counter
from pathlib import Path

import pytest

from toolbooth.catalog import Catalog
from toolbooth.catalog.loading import find_sources
from toolbooth.contracts import Level
from toolbooth.contracts.scan import scan

ROOT = Path(__file__).parents[4]
CATALOGS = ROOT.parent / "shared" / "data" / "catalogs"
PAGE = ROOT / "docs" / "scan-false-positives.md"
ROW = re.compile(
    r"^\| `(?P<rule>[a-z-]+)` \| (?P<level>\w+) \| (?P<fired>\d+) \| (?P<right>\d+) \|", re.MULTILINE
)


@pytest.mark.promise("scan:false-positives")
def test_the_page_counts_what_the_scan_finds() -> None:
    if not CATALOGS.is_dir():
        pytest.skip("the recorded catalogs of public servers are not here")
    catalog = Catalog(find_sources([str(CATALOGS)]).recorded)
    found = scan(catalog)
    reported = {
        (row["rule"], row["level"]): int(row["fired"])
        for row in ROW.finditer(PAGE.read_text(encoding="utf-8"))
    }
    assert Counter((each.rule, each.level.name.lower()) for each in found) == reported
    high = {each.where for each in found if each.level is Level.HIGH}
    assert len(high) <= 0.002 * len(catalog)


def test_the_page_adds_up() -> None:
    text = PAGE.read_text(encoding="utf-8")
    rows = [(int(row["fired"]), int(row["right"])) for row in ROW.finditer(text)]
    fired, right = (sum(column) for column in zip(*rows, strict=True))
    assert f"{right} of {fired} findings are right" in text
    assert all(right <= fired for fired, right in rows)
