"""Any run is written and read back; any cut or changed byte is refused, and never a traceback."""

from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import example, given, strategies as st

from toolbooth.errors import ConfigError
from toolbooth.suite.recordings.cassette_json import Cassette, Variant, cassette_bytes, read_cassette
from toolbooth.suite.recordings.folder import cell_name, file_name, read_name
from toolbooth.suite.report import CellKey
from toolbooth.suite.trace import Ended, Exchange, MadeCall, Trace, Turn, Usage

HERE = Path("x.json")
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
HASH = st.just("") | st.integers(0, 16**64 - 1).map(lambda number: f"sha256:{number:064x}")
NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
ARGUMENTS = st.dictionaries(TEXT, JSON, max_size=3)
COUNTS = st.integers(0, 10**9)
MADE = st.builds(MadeCall, TEXT, TEXT, ARGUMENTS)
EXCHANGES = st.builds(
    Exchange, TEXT, ARGUMENTS, TEXT, st.booleans(), st.lists(MADE, max_size=2).map(lambda made: tuple(made))
)
USAGE = st.builds(Usage, COUNTS, COUNTS, COUNTS, COUNTS, st.booleans())
SECONDS = st.floats(0, 1e6)
TURNS = st.builds(
    Turn, TEXT, st.lists(EXCHANGES, max_size=2).map(lambda each: tuple(each)), USAGE, st.none() | SECONDS
)


@st.composite
def cassettes(draw: st.DrawFn) -> Cassette:
    key = CellKey(draw(TEXT), draw(TEXT), draw(TEXT))
    trace = Trace(
        prompt=draw(TEXT),
        system_prompt=draw(TEXT),
        model=draw(TEXT),
        surface=key.surface,
        menu=draw(HASH),
        catalog=draw(HASH),
        turns=tuple(draw(st.lists(TURNS, max_size=3))),
        ended=draw(st.sampled_from(get_args(Ended))),
        error=draw(TEXT),
        seconds=draw(SECONDS),
    )
    variant: Variant = draw(st.sampled_from(get_args(Variant)))
    return Cassette(key, trace, draw(st.integers(1, 999)), variant, tuple(draw(st.lists(TEXT, max_size=3))))


@given(cassettes())
def test_any_run_is_read_back_and_gives_the_same_bytes(cassette: Cassette) -> None:
    data = cassette_bytes(cassette)
    assert read_cassette(data, HERE) == cassette
    assert cassette_bytes(read_cassette(data, HERE)) == data


@given(cassettes(), st.data())
def test_any_cut_is_refused(cassette: Cassette, data: st.DataObject) -> None:
    whole = cassette_bytes(cassette)
    length = data.draw(st.integers(0, len(whole) - 2))
    with pytest.raises(ConfigError):
        read_cassette(whole[:length], HERE)


@given(cassettes(), st.data())
def test_any_changed_byte_is_refused_unless_it_is_a_blank(cassette: Cassette, data: st.DataObject) -> None:
    whole = cassette_bytes(cassette)
    at = data.draw(st.integers(0, len(whole) - 1))
    other = data.draw(st.integers(0, 255).filter(lambda byte: byte != whole[at]))
    if whole[at] in b" \n\r\t" and other in b" \n\r\t":
        return
    with pytest.raises(ConfigError):
        read_cassette(whole[:at] + bytes([other]) + whole[at + 1 :], HERE)


@given(st.binary(max_size=200) | JSON.map(lambda value: repr(value).encode()))
@example(b"[" * 100_000)
@example(b'{"format": "toolbooth-cassette", "version": 1}')
def test_any_other_bytes_are_refused_in_one_line(data: bytes) -> None:
    with pytest.raises(ConfigError) as caught:
        read_cassette(data, HERE)
    assert "\n" not in str(caught.value)


@given(st.lists(st.builds(CellKey, TEXT, TEXT, TEXT), unique=True, max_size=6), st.integers(1, 500))
def test_every_cell_has_a_name_of_its_own_that_can_be_read(keys: list[CellKey], run: int) -> None:
    names: set[Any] = {file_name(key, run, variant) for key in keys for variant in get_args(Variant)}
    assert len({name.lower() for name in names}) == 2 * len(keys)
    for key in keys:
        read = read_name(file_name(key, run))
        assert read == (cell_name(key).cell, run)
