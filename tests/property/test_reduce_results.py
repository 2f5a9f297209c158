"""Whatever the result of a tool holds: what is no text passes as it is; texts and structure lose nothing."""

import json
import re
from typing import Any

import pytest
from hypothesis import given, strategies as st
from tests.property.payloads import FIELDS, INTENTS, anything, json_texts, reductions, short, texts, values
from tests.property.result_reader import AnswerPart, JsonJudge, Reader, same

from toolbooth.catalog.config import Reduction
from toolbooth.gateway.reduce import Fitted, ReduceOptions, fit, text_of
from toolbooth.gateway.reduce.hidden import weight
from toolbooth.gateway.results.lines import size
from toolbooth.gateway.results.payload import payload

Item = dict[str, Any]
REF = re.compile(r"read_result\(ref='([\w-]{22})'")
ASIDE: tuple[Any, ...] = (
    {"type": "image", "data": "iVBORw0KGgo" * 300, "mimeType": "image/png"},
    {"type": "audio", "data": "UklGR", "mimeType": "audio/wav", "annotations": {"priority": 0.5}},
    {"type": "resource_link", "uri": "file:///a", "name": "a", "description": "long " * 400},
    {"type": "resource", "resource": {"uri": "note://1", "blob": "QUJD" * 400}},
    {"type": "hologram", "text": "of a kind that nobody knows " * 50},
    {"type": "text"}, {"type": "text", "text": 7}, {"text": "no type"}, 7, None, "words",
)  # fmt: skip
MORE: tuple[Item, ...] = ({}, {}, {"annotations": {"audience": ["user"]}}, {"_meta": {"page": 3}, "own": [1]})
text_items = st.builds(
    lambda text, more: {"type": "text", "text": text, **more}, anything, st.sampled_from(MORE)
)
resources = st.builds(
    lambda text, uri: {"type": "resource", "resource": {"uri": uri, "mimeType": "text/plain", "text": text}},
    texts, short,
)  # fmt: skip
contents = st.one_of(
    st.lists(text_items | resources | st.sampled_from(ASIDE), max_size=4),
    st.lists(st.builds(lambda text: {"type": "text", "text": text}, texts | json_texts()), max_size=7),
    st.lists(text_items, min_size=4, max_size=7),
    text_items.map(lambda item: [item]),
)
structures = st.sampled_from(["none", "none", "repeated", "under a key", "text under a key"]) | values


@st.composite
def results(draw: st.DrawFn) -> Item:
    content = draw(contents)
    result: Item = {
        "content": content,
        **draw(st.sampled_from([{}, {"isError": True}, {"_meta": {"a": [None]}}])),
    }
    result |= draw(st.sampled_from([{}, {"ownField": {"b": "long " * 500}}]))
    structure = draw(structures)
    if isinstance(structure, str):
        structure = _from_text(structure, content)
    return result if structure is None else {**result, "structuredContent": structure}


def _from_text(kind: str, content: list[Any]) -> Any:
    text = next((found for item in content if (found := text_of(item)) is not None), None)
    if text is None or kind == "none":
        return None
    if kind == "text under a key":
        return {"result": text}
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if kind == "repeated" and isinstance(value, dict) else {"result": value}


def words_and_line(found: Fitted) -> tuple[list[Any], str]:
    """The content without our own last line, and that line."""
    if not found.result["content"]:
        return [], ""
    *items, last = found.result["content"]
    line = text_of(last) or ""
    return (items, line) if re.match(r"\[.* shown, .*\]\Z", line, re.DOTALL) else ([*items, last], "")


def all_kept(reader: Reader, shown: str) -> list[str]:
    """The texts of all refs that are named in what is shown, and in these texts."""
    waiting, kept = REF.findall(shown), dict[str, str]()
    while waiting:
        ref = waiting.pop()
        if ref not in kept:
            kept[ref] = reader.read({"ref": ref})
            waiting += REF.findall(kept[ref])
    return list(kept.values())


def bare(items: list[Any]) -> list[Any]:
    """All but the texts themselves; a text with nothing beside it leaves nothing, and neighbours alike are one."""
    left: list[Any] = []
    for item in items:
        if text_of(item) is None:
            left.append(item)
        elif item["type"] == "resource":
            left.append({**item, "resource": {**item["resource"], "text": ""}})
        elif item.keys() - {"type", "text"} and left[-1:] != [{**item, "text": ""}]:
            left.append({**item, "text": ""})
    return left


@pytest.mark.promise("reduce:passes")
@given(results(), reductions(), st.sampled_from(INTENTS), st.just(()) | st.sampled_from(FIELDS))
def test_all_but_texts_and_structure_passes_as_it_is(
    result: Item, settings: Reduction, intent: str, fields: tuple[str, ...]
) -> None:
    found = fit(result, ReduceOptions(settings, intent, fields), Reader().keep)
    if not found.steps:
        return
    assert found.result.keys() == result.keys()
    for key in result.keys() - {"content", "structuredContent"}:
        assert found.result[key] is result[key]
    assert bare(words_and_line(found)[0]) == bare(result["content"])


@pytest.mark.promise("reduce:nothing-lost")
@given(results(), reductions(), st.sampled_from(INTENTS), st.just(()) | st.sampled_from(FIELDS))
def test_every_text_is_shown_or_kept_under_a_ref_that_is_named(
    result: Item, settings: Reduction, intent: str, fields: tuple[str, ...]
) -> None:
    reader = Reader()
    found = fit(result, ReduceOptions(settings, intent, fields), reader.keep)
    kept = all_kept(reader, json.dumps(found.result["content"]))
    shown = [text_of(item) for item in found.result["content"]]
    if "compact" in found.steps and not settings.metadata:
        return  # only blanks were left out, and the operator wants no line that leads to them
    for text in filter(None, map(text_of, result["content"])):
        assert text in shown or any(text in each for each in kept)


@pytest.mark.promise("reduce:json-stays-json")
@given(results(), reductions(), st.sampled_from(INTENTS))
def test_a_structure_that_is_cut_loses_nothing(result: Item, settings: Reduction, intent: str) -> None:
    reader = Reader()
    found = fit(result, ReduceOptions(settings, intent), reader.keep).result.get("structuredContent")
    given_structure = result.get("structuredContent")
    if found == given_structure:
        return
    assert weight(found) <= weight(given_structure)
    inner, original = _unwrapped(found, given_structure)
    if isinstance(inner, str):  # no JSON any more: words of a text, which lead to all of it
        kept = all_kept(reader, inner)
        assert original in kept or any(is_json_of(each, (original, given_structure)) for each in kept)
    else:
        JsonJudge(reader).check(inner, AnswerPart(original, original))


def is_json_of(text: str, values: tuple[Any, ...]) -> bool:
    try:
        found = [payload(text).value, json.loads(text)]
    except ValueError:
        found = [payload(text).value]
    return any(same(one, other) for one in found for other in values)


def _unwrapped(found: Any, original: Any) -> tuple[Any, Any]:
    """A structure under one key, as SDKs and we write what is no object."""
    if isinstance(found, dict) and found.keys() == {"result"}:
        alike = isinstance(original, dict) and original.keys() == {"result"}
        return found["result"], original["result"] if alike else original
    return found, original


@pytest.mark.promise("reduce:never-fails")
@given(results(), reductions(), st.sampled_from(INTENTS))
def test_no_result_becomes_longer(result: Item, settings: Reduction, intent: str) -> None:
    found = fit(result, ReduceOptions(settings, intent), Reader().keep)
    before = sum(size(text) for item in result["content"] if (text := text_of(item)))
    after = sum(size(text) for item in words_and_line(found)[0] if (text := text_of(item)))
    many = len(result["content"])
    assert after <= before + many  # texts that are read as one have a line end between them


@pytest.mark.promise("reduce:never-fails")
@given(
    st.recursive(
        st.none() | st.booleans() | short, lambda inner: st.lists(inner) | st.dictionaries(short, inner)
    )
)
def test_results_of_no_known_shape_pass(odd: Any) -> None:
    for result in ({"content": odd}, {"structuredContent": odd}, {"content": [odd]}, {}):
        fit(result, ReduceOptions(Reduction(over=0)), Reader().keep)


@given(results())
def test_a_small_answer_is_the_very_same(result: Item) -> None:
    found = fit(result, ReduceOptions(Reduction(over=10**9)), Reader().keep)
    assert found.result is result
    assert found.steps == ()
