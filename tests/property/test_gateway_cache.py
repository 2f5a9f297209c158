"""Whatever stands in a cache file, reading it gives an entry or None, and many writers leave no half file."""

import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from hypothesis import given, settings, strategies as st

from toolbooth.catalog import ServerSpec, ServerTools, Tool
from toolbooth.gateway.cached_offer import CachedOffer, UnreadableOffer, as_bytes, from_bytes
from toolbooth.gateway.offer_cache import CacheFolder

SPEC = ServerSpec("s", "stdio", "x")
whole = as_bytes(
    CachedOffer(
        ServerTools("s", (Tool.from_raw("s", {"name": "a"}),), instructions="i"),
        {"tools": {}},
        b"abcd",
    )
)


@given(
    st.binary(max_size=200)
    | st.builds(
        lambda at, new: whole[:at] + new + whole[at + 1 :], st.integers(0, len(whole)), st.binary(max_size=3)
    )
)
def test_any_bytes_are_an_entry_or_unreadable(data: bytes) -> None:
    try:
        back = from_bytes(data, "s")
    except UnreadableOffer:
        return
    assert all(tool.server == "s" for tool in back.offered.tools)


@settings(max_examples=5, deadline=None)
@given(st.integers(2, 5))
def test_many_writers_leave_one_whole_entry(writers: int) -> None:
    with tempfile.TemporaryDirectory() as folder:

        def write(number: int) -> None:
            tools = tuple(
                Tool.from_raw("s", {"name": f"t{number}", "description": "x" * 50_000}) for _ in range(1)
            )
            for _ in range(5):
                CacheFolder(Path(folder)).save(SPEC, ServerTools("s", tools), {})
                assert CacheFolder(Path(folder)).load(SPEC) is not None

        with ThreadPoolExecutor(writers) as pool:
            list(pool.map(write, range(writers)))
        assert not [path for path in Path(folder).iterdir() if path.name.startswith(".")]
