"""Locks: what is written is read back, and no single value of the text can be edited unnoticed."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given, strategies as st

from toolbooth.contracts import (
    Acceptance,
    Budgets,
    Contracts,
    Economics,
    Lock,
    ServerContract,
    ToolContract,
)
from toolbooth.contracts.signing import signed, verify
from toolbooth.contracts.toolbooth_lock import lock_bytes, parse_lock
from toolbooth.errors import ConfigError

HERE = Path("toolbooth.lock")
KEY = Ed25519PrivateKey.from_private_bytes(bytes(32))
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
NAMES = st.text("abcdefgh_-ß😀", min_size=1, max_size=5)
COUNTS = st.integers(0, 10**6)
NUMBERS = st.one_of(st.integers(-(2**80), 2**80), st.floats(allow_nan=False, allow_infinity=False))
LEAVES = st.one_of(st.none(), st.booleans(), NUMBERS, TEXT)
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3)
)
OBJECTS = st.dictionaries(TEXT, VALUES, max_size=3)
ECONOMICS = st.builds(Economics, st.sampled_from(["", "low", "critical"]), st.booleans(), COUNTS, COUNTS)
OF_TOOL = st.tuples(OBJECTS, TEXT, COUNTS, ECONOMICS)
Path_ = tuple[Any, ...]


def server_of(name: str, tools: dict[str, Any], said: tuple[str, str, str], lists: Any) -> ServerContract:
    made = {
        each: ToolContract(name, each, {"_meta": meta, "description": words, "name": each}, tokens, economics)
        for each, (meta, words, tokens, economics) in tools.items()
    }
    prompts, resources, templates = map(tuple, lists)
    return ServerContract(name, made, *said, prompts, resources, templates)


@st.composite
def locks(draw: st.DrawFn) -> Lock:
    servers = {}
    for name in draw(st.lists(NAMES, unique=True, max_size=2)):
        tools = draw(st.dictionaries(NAMES, OF_TOOL, max_size=2))
        lists = [draw(st.lists(OBJECTS, max_size=1)) for _ in range(3)]
        servers[name] = server_of(name, tools, draw(st.tuples(TEXT, TEXT, TEXT)), lists)
    accepted = draw(st.lists(st.builds(Acceptance, TEXT, TEXT, TEXT), max_size=2))
    tables = st.dictionaries(NAMES, COUNTS, max_size=2)
    budgets = draw(st.builds(Budgets, st.none() | COUNTS, tables, tables, tables, st.none() | COUNTS))
    return Lock(Contracts(servers, draw(TEXT)), budgets, tuple(accepted))


def leaves(value: Any, path: Path_ = ()) -> Iterator[Path_]:
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    if not value or not isinstance(value, dict | list):
        yield path
    for key, each in inside:
        yield from leaves(each, (*path, key))


def put(document: Any, path: Path_, leaf: Any) -> Any:
    *way, last = path
    for key in way:
        document = document[key]
    before, document[last] = document[last], leaf
    return before


def section_of(path: Path_) -> str:
    """How a person would call that place of the lock."""
    match path:
        case ("servers", server, "tools", tool, *_):
            return f"server {server}, tool {tool} "
        case ("servers", server, "sections", section, *_):
            return f"server {server}, section {section} "
        case ("servers", server, "digest"):
            return f"server {server} "
        case ("servers", server, section, *_):
            return f"server {server}, section {section} "
        case ("sections", section):
            return f"the section {section} "
        case ("format" | "version", *_):
            return ""
        case ("encoding" | "digest", *_):
            return "the head "
        case ("signature", *_):
            return "signature"
        case (section, *_):
            return f"the section {section} "
    raise AssertionError(path)


@given(locks())
@pytest.mark.promise("contracts:round-trip")
def test_what_is_written_is_read_back(lock: Lock) -> None:
    data = lock_bytes(signed(lock, KEY))
    read = parse_lock(data, HERE)
    assert read == signed(lock, KEY)
    assert lock_bytes(read) == data
    verify(read, HERE, KEY.public_key())


@given(locks(), LEAVES, st.data())
@pytest.mark.promise("contracts:edited")
def test_any_single_edited_value_is_noticed_and_its_section_named(
    lock: Lock, leaf: Any, data: st.DataObject
) -> None:
    document = json.loads(lock_bytes(signed(lock, KEY)))
    path = data.draw(st.sampled_from(list(leaves(document))))
    before = put(document, path, leaf)
    if before == leaf and isinstance(before, bool) == isinstance(leaf, bool):
        return
    with pytest.raises(ConfigError) as caught:
        verify(parse_lock(json.dumps(document).encode(), HERE), HERE, None)
    assert section_of(path) in caught.value.message
