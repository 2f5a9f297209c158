"""Recorded catalogs of servers: those of the demo, which lie here, and public ones where the shared data is at hand."""

from pathlib import Path
from typing import Final

from toolbooth.catalog import Tool, decode, read_catalog

_OWN: Final = Path(__file__).with_name("data") / "catalogs"
_PUBLIC: Final = Path(__file__).parents[2] / "shared" / "data" / "catalogs"
FILES: Final = (*sorted(_OWN.glob("*.json")), *sorted(_PUBLIC.glob("*.json")))


def recorded_tools() -> list[Tool]:
    return [tool for path in FILES for tool in read_catalog(decode(path.read_bytes()), path)]
