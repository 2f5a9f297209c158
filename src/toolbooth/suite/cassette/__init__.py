"""Runs of agents ↔ a folder of recordings."""

from toolbooth.suite.cassette.cassette_json import Cassette, Setting, Variant
from toolbooth.suite.cassette.drift import Wanted, drift, same_but_redacted
from toolbooth.suite.cassette.folder import CassetteFolder
from toolbooth.suite.cassette.menu_json import catalog_hash, menu_hash

__all__ = [
    "Cassette",
    "CassetteFolder",
    "Setting",
    "Variant",
    "Wanted",
    "catalog_hash",
    "drift",
    "menu_hash",
    "same_but_redacted",
]
