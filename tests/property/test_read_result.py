"""Whatever was kept and however it is read: following the calls that the answers name gives every character back."""

import json
import re
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from tests.result_reading import read_back

from toolbooth.errors import WrongArguments
from toolbooth.gateway.results import ResultStore
from toolbooth.limits import MAX_ANSWER_TEXT, MAX_PATH, RESULT_LINE

CALL = re.compile(
    r"\[\d+ lines? not shown( \(cut inside a line\))?: "
    r'read_result\(ref=\'([\w-]+)\'(?:, path=("(?:[^"\\]|\\.)*"|\'[^\']*\'))?, start=(\d+), lines=(\d+)\)\]\Z'
)
giant = st.builds(
    lambda piece, times: piece * times, st.sampled_from("xé😀"), st.integers(0, 3 * RESULT_LINE)
)
odd = st.text(st.sampled_from("ab é😀\ud800\udc00\r\n\x00\u2028\t[\\"), max_size=60)
texts = st.lists(odd | giant | st.text(max_size=40), max_size=10).map("".join)
plain = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=30)
)
values = st.recursive(
    plain,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=8), inner, max_size=5),
    max_leaves=30,
)


def unquoted(text: str) -> str:
    return str(json.loads(text)) if text.startswith('"') else text[1:-1]


def followed(store: ResultStore, request: dict[str, Any], cap: int) -> str:
    """All that an agent gets that makes the very calls it is told, from the first line on."""
    read = ""
    while True:
        answer = read_back(store, "me", {**request, "max_bytes": cap}, MAX_ANSWER_TEXT)
        call = CALL.search(answer)
        if call is None:
            return read + answer
        body = answer[: call.start()]
        read += body[:-1] if call[1] else body
        path = {"path": unquoted(call[3])} if call[3] else {}
        assert int(call[4]) > request.get("start", 0)
        request = {"ref": call[2], **path, "start": int(call[4]), "lines": int(call[5])}


@pytest.mark.promise("result:nothing-lost")
@settings(deadline=None)
@given(texts, st.integers(0, 3 * RESULT_LINE))
def test_every_character_comes_back_by_lines(text: str, cap: int) -> None:
    store = ResultStore()
    assert followed(store, {"ref": store.keep(text, "me")}, cap) == text


@pytest.mark.promise("result:nothing-lost")
@settings(deadline=None)
@given(
    st.lists(values.filter(lambda value: value is not None), min_size=1, max_size=12),
    st.integers(0, 5),
    st.integers(0, 800),
)
def test_every_item_of_a_slice_comes_back_by_its_path(items: list[Any], first: int, cap: int) -> None:
    store = ResultStore()
    written = json.dumps({"items": items})
    ref = store.keep(written, "me")
    kept = json.loads(written)["items"][first:]
    came = followed(store, {"ref": ref, "path": f"items[{first}:]"}, cap)
    if kept:
        assert json.loads(came) == kept
    else:
        assert came.startswith("nothing at path=")


@settings(deadline=None)
@given(st.dictionaries(st.text(min_size=1, max_size=8), values, min_size=1, max_size=6), st.integers(0, 400))
def test_every_member_comes_back_by_its_key(document: dict[str, Any], cap: int) -> None:
    store = ResultStore()
    written = json.dumps(document)
    ref = store.keep(written, "me")
    for key, value in json.loads(written).items():
        came = followed(store, {"ref": ref, "path": json.dumps(key)}, cap)
        assert came == value if isinstance(value, str) else json.loads(came) == value


TOKENS = """a b items [0] [] [*] [?a] [1:] [::-1] . | || && ! == < ( ) @ & , { } : `1` 'x' "b" * [@,@] length( sort_by(
to_string( contains( join( map( merge( keys( max( `[1]` - 9"""
tokens = st.sampled_from(TOKENS.split())
expressions = st.lists(tokens, min_size=1, max_size=14).map("".join) | st.text(max_size=MAX_PATH + 1)


def said(store: ResultStore, request: dict[str, Any]) -> str | None:
    """The answer, or the line that says why there is none; None where that is no line."""
    try:
        return read_back(store, "me", request, 5000)
    except WrongArguments as mistake:
        return None if "\n" in str(mistake) else str(mistake)


@pytest.mark.promise("result:path-bounded")
@settings(deadline=None, max_examples=500)
@given(expressions, values, st.text(max_size=10))
@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")  # of the library, for `…` that is no JSON
def test_any_path_and_query_end_in_an_answer_or_one_line(path: str, value: Any, query: str) -> None:
    store = ResultStore()
    ref = store.keep(json.dumps({"a": value, "items": [value, {"a": 1}, "x"]}), "me")
    for request in ({"path": path}, {"path": path, "query": query}):
        assert said(store, {"ref": ref, **request}) is not None


WORDS = "error Error timeout timedOut the server_id 42 é Über 数据 [ { \\n x"
words = st.sampled_from(WORDS.split()) | st.text(max_size=6)
prose = st.lists(words | st.just("\n"), max_size=60).map(" ".join)


@settings(deadline=None)
@given(
    prose | values.map(json.dumps),
    st.lists(words, min_size=1, max_size=4).map(" ".join),
    st.integers(0, 3000),
)
def test_any_query_names_lines_that_are_there_and_keeps_to_its_size(text: str, query: str, cap: int) -> None:
    store = ResultStore()
    ref = store.keep(text, "me")
    found = read_back(store, "me", {"ref": ref, "query": query, "max_bytes": cap}, MAX_ANSWER_TEXT)
    assert len(found.encode("utf-8", "surrogatepass")) <= max(cap, 1600) + 400
    for start, end in re.findall(r"^lines (\d+)-(\d+):$", found, re.MULTILINE):
        request = {"ref": ref, "start": int(start), "lines": int(end) - int(start) + 1}
        assert read_back(store, "me", request, MAX_ANSWER_TEXT)
