"""A cell and a run → the name of its file, for every file system; and what a name says."""

import hashlib
import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from toolbooth.catalog import canonical
from toolbooth.limits import CASSETTE_SLUG
from toolbooth.suite.cassette.cassette_json import Variant
from toolbooth.suite.cassette.plain_json import plain
from toolbooth.suite.report import CellKey

_NAME = re.compile(r"(?P<cell>[a-z0-9-]+)\.run-(?P<run>[0-9]{2,9})-(?P<hash>[0-9a-f]{8})\.json")
_NOT_PLAIN = re.compile(r"[^a-z0-9]+")


class Named(NamedTuple):
    """What a file's name tells: which cell, and which run of it."""

    cell: str
    run: int


@lru_cache(maxsize=16_384)
def cell_name(key: CellKey, variant: Variant = "") -> Named:
    """Lower case, ASCII and short; the hash tells apart what looks the same then. The run is 0."""
    parts = [slug_of(key.test), slug_of(key.model), slug_of(key.surface), *([variant] if variant else [])]
    code = hashlib.sha256(canonical(plain([*key, variant])).encode()).hexdigest()[:8]
    return Named(f"{'--'.join(parts)}.{code}", 0)


def file_name(key: CellKey, run: int, variant: Variant = "") -> str:
    """`first-test--gpt-x--direct.run-01-1f2e3d4c.json`."""
    slugs, _, code = cell_name(key, variant).cell.rpartition(".")
    return f"{slugs}.run-{run:02d}-{code}.json"


def read_name(name: str) -> Named | None:
    """None for a file that is no recording by its name."""
    found = _NAME.fullmatch(name)
    return Named(f"{found['cell']}.{found['hash']}", int(found["run"])) if found else None


def slug_of(text: str) -> str:
    """A part of a name: `--` stands in none, and none is empty."""
    plain_letters = unicodedata.normalize("NFKD", text[:1000]).encode("ascii", "ignore").decode().lower()
    return _NOT_PLAIN.sub("-", plain_letters)[:CASSETTE_SLUG].strip("-") or "x"
