"""Recorded catalogs of servers, those of the demo and public ones, and where the cut of the public sets lies."""

from pathlib import Path
from typing import Final

from toolbooth.catalog import Tool, decode, read_catalog

_OWN: Final = Path(__file__).with_name("data") / "catalogs"
PUBLIC: Final = Path(__file__).with_name("data") / "public"  # its README names sources and licences
CATALOGS: Final = tuple(sorted((PUBLIC / "catalogs").glob("*.json")))
RETRIEVAL: Final = PUBLIC / "retrieval"
FILES: Final = (*sorted(_OWN.glob("*.json")), *CATALOGS)


def recorded_tools() -> list[Tool]:
    return [tool for path in FILES for tool in read_catalog(decode(path.read_bytes()), path)]
