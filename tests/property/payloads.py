"""Random answers of tools: JSON and texts of all kinds, long enough to be cut and made of few random parts."""

import base64
import json
from typing import Any

from hypothesis import strategies as st

from toolbooth.catalog.config import Reduction

ODD_KEYS = ("", "a.b", 'q"uote', "it's", "`tick`", "…", "ключ", "🦜", "back\\slash", "two words", "line\nbreak",
            "@", "[0]", "1", "\x7f\u2028", "k" * 300, "'\"\\")  # fmt: skip
PLAIN_KEYS = ("id", "name", "title", "slug", "key", "label", "state", "body", "items", "created", "size")
INTENTS = ("", "timeout", "an error of the parser", "ключ b")
FIELDS = (
    ("items[].id", "items[].title"),
    ("id",),
    ("name", "items"),
    ('"a.b"', "body"),
    ("[].id",),
    ("nowhere",),
)

keys = st.sampled_from(PLAIN_KEYS) | st.sampled_from(ODD_KEYS) | st.text(max_size=6)
words = st.sampled_from(["timeout", "error", "parser", "ok", "naïve", "🦜🦜", "b", "x-y"])
short = st.text(max_size=12).map(lambda text: text.encode("utf-8", "ignore").decode())
blobs = st.builds(
    lambda seed, times, head: head + base64.b64encode(bytes((seed * n) % 256 for n in range(times))).decode(),
    st.integers(1, 255), st.integers(380, 1500), st.sampled_from(["", "data:image/png;base64,"]),
)  # fmt: skip


def repeated(parts: st.SearchStrategy[str], most: int) -> st.SearchStrategy[str]:
    """A few random parts, many times over and each time under another number."""
    return st.builds(
        lambda some, times, between: between.join(
            f"{part}{n}" for n in range(times) for part in some
        ),
        st.lists(parts, min_size=1, max_size=4), st.integers(1, most), st.sampled_from([" ", "\n", "\r\n", "", "\n\n"]),
    )  # fmt: skip


long_texts = repeated(words | short, 400)
scalars: st.SearchStrategy[Any] = st.one_of(
    st.none(), st.booleans(), st.integers(-5, 5), st.sampled_from([2**80, -(2**64), 10**40, 0.1, -0.0, 1e300, 3.0]),
    short, words, long_texts, blobs,
)  # fmt: skip


@st.composite
def records(draw: st.DrawFn, cells: st.SearchStrategy[Any]) -> list[Any]:
    """A table: objects of the same keys, some of them missing here and there, nulls between, or rows."""
    names = draw(st.lists(keys, min_size=1, max_size=5, unique=True))
    some = draw(st.lists(st.lists(cells, min_size=len(names), max_size=len(names)), min_size=1, max_size=3))
    many, numbered = draw(st.integers(1, 40)), draw(st.sampled_from(["", "id", "name"]))
    gap, null = draw(st.integers(0, 4)), draw(st.integers(0, 9))
    table: list[Any] = []
    for n in range(many):
        row = dict(zip(names, some[n % len(some)], strict=True)) | ({numbered: n} if numbered else {})
        table.append({key: row[key] for at, key in enumerate(row) if not gap or (at + n) % (gap + 1)} or row)
        if null and n % (null + 1) == null:
            table.append(None)
    return [list(row.values()) for row in table if row] if draw(st.integers(0, 4)) == 0 else table


def _containers(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(
        st.lists(inner, max_size=5),
        st.dictionaries(keys, inner, max_size=5),
        records(inner),
        st.builds(lambda some, times: some * times, st.lists(inner, min_size=1, max_size=3), st.integers(1, 15)),
        st.builds(lambda each, times: {f"key {n}": each for n in range(times)}, inner, st.integers(1, 40)),
        st.builds(_nested, inner, st.integers(1, 30), st.sampled_from(["", "a", "it's", 0])),
    )  # fmt: skip


def _nested(value: Any, times: int, key: str | int) -> Any:
    for _ in range(times):
        value = [value] if isinstance(key, int) else {key: value}
    return value


values = st.recursive(scalars, _containers, max_leaves=8).filter(
    lambda value: isinstance(value, (dict, list)) and len(json.dumps(value)) < 300_000
)


@st.composite
def json_texts(draw: st.DrawFn) -> str:
    """A document, pretty or not; one on every line; with words before it; in a fence; with a key twice."""
    value = draw(values)
    indent, ascii_only = draw(st.sampled_from([None, None, 2, 1])), draw(st.booleans())
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    match draw(st.sampled_from(["plain", "plain", "lines", "introduced", "fenced", "twice", "python"])):
        case "lines":
            return "\n".join(json.dumps(value) for _ in range(draw(st.integers(2, 12))))
        case "introduced":
            return f"Found some — naïve things:\n\n{text}"
        case "fenced":
            return f"Here it is:\n```json\n{text}\n```\n"
        case "python":
            return repr(value)
        case "twice":
            return f'{{"id": 1, "id": {text}}}'
    return text


def _table(delimiter: str, before: str, cells: list[str], many: int) -> str:
    rows = [["id", "name", "cell"], *([str(n), f"n {n}", cells[n % len(cells)]] for n in range(many))]
    return before + "".join(f"{delimiter.join(row)}\n" for row in rows)


texts = st.one_of(
    long_texts,
    st.builds("".join, st.lists(long_texts | blobs | short, max_size=6)),
    st.builds(lambda letter, times: letter * times, st.sampled_from(["x", "é", "🦜", "\ud800", "\n", "a\r\n", "# b\n"]),
              st.integers(0, 20_000)),
    st.builds(lambda rows, n: "\n".join(["id,name", *(f"{i},{rows}" for i in range(n))]), short, st.integers(0, 600)),
    st.text(st.characters(categories=None), max_size=200).map(lambda text: text * 30),
    st.builds(_table, st.sampled_from(",;\t|"), st.sampled_from(["", "A list of things:\n\n"]),
              st.lists(st.sampled_from(["7", "007", "3.10", "2.5", "-0", "", "1.0", "ok", "2026-01-01"]), min_size=1),
              st.integers(0, 200)),
)  # fmt: skip
anything = json_texts() | texts


@st.composite
def reductions(draw: st.DrawFn, only: str | None = None) -> Reduction:
    """All steps, or one by itself, with all kinds of numbers."""
    steps = ("compact", "blobs", "intent", "collapse", "chunks", "truncate")
    on = {step: only in (None, step) for step in steps}
    small = draw(st.booleans())
    return Reduction(
        **on,
        over=0,
        intent_over=draw(st.sampled_from([0, 300, 5_000])),
        collapse_over=draw(st.integers(1, 5)),
        chunk_over=draw(st.integers(200, 3_000)) if small else 10_240,
        chunk_bytes=draw(st.integers(40, 1_500)) if small else 4_096,
        max_bytes=draw(st.integers(0, 4_000)) if draw(st.booleans()) else 16_384,
        metadata=draw(st.booleans()),
        limit=draw(st.integers(1, 6)) if only == "limit" else None,
    )
