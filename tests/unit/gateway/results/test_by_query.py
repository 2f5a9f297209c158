"""Searching inside a kept result: the best places, where they stand, and how to see more."""

import json
import re
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from toolbooth.gateway.results import ReadRequest, ResultStore, read
from toolbooth.gateway.results.by_path import at_path
from toolbooth.gateway.results.by_query import elements, nearest_words
from toolbooth.gateway.results.lines import Lines
from toolbooth.limits import MAX_ANSWER_TEXT

LOG = "".join(
    f"{number:05} {'ERROR the database timed out' if number % 100 == 42 else 'INFO served'}\n"
    for number in range(1, 2001)
)
ISSUES: list[dict[str, Any]] = [
    {
        "number": number,
        "title": f"Issue {number}",
        "labels": [{"name": "bug"}],
        "body": "Some words.\n" * (number % 5),
    }
    for number in range(100)
]
ISSUES[70]["body"] = "It fails.\nconnection refused by the proxy"
ISSUES[71]["body"] = "word\n" * 500 + "the culprit is a stale lock\n" + "word\n" * 500

GOODS = [
    (wood, thing) for wood in ("oak", "ash", "larch", *"abcdefg") for thing in ("jug", "tray", *"hijklmnop")
]


def search(text: str, query: str, **more: Any) -> str:
    store = ResultStore()
    return read(store, "me", ReadRequest(store.keep(text, "me"), query=query, **more))


# -- in text -----------------------------------------------------------------------------------------------
def test_few_places_come_with_the_lines_around_them() -> None:
    text = "".join(f"line {number}\n" for number in range(1, 100)).replace("line 50\n", "the needle\n")
    after = "\n".join(f"line {number}" for number in range(51, 59))
    assert search(text, "needles") == f"lines 48-58:\nline 48\nline 49\nthe needle\n{after}"


def test_many_places_come_alone_and_the_rest_is_counted() -> None:
    found = search(LOG, "database error", max_bytes=1200).splitlines()
    assert found[0] == "[20 places match]"
    assert found[1] == "line 42: 00042 ERROR the database timed out"
    assert found[2] == "line 142: 00142 ERROR the database timed out"
    assert re.fullmatch(
        r"\[7 more places match: read_result\(ref='[\w-]+', query='database error', max_bytes=4800\)\]",
        found[-1],
    )
    assert len(search(LOG, "database error").splitlines()) == 21


def test_places_are_in_the_order_of_the_text_though_the_best_are_chosen() -> None:
    text = "\n".join(["an apple", *["filler"] * 20, "an apple and a pear", *["filler"] * 20, "an apple"])
    assert search(text, "apple pear", max_bytes=60).startswith("line")
    assert "apple and a pear" in search(text, "apple pear", max_bytes=60)
    shown = search(text, "apple", max_bytes=10_000)
    assert [line for line in shown.splitlines() if "apple" in line] == [
        "an apple",
        "an apple and a pear",
        "an apple",
    ]


def test_only_lines_from_a_start_are_searched_and_numbered_as_in_the_whole() -> None:
    found = search(LOG, "database", start=1900)
    assert found == "lines 1940-1950:\n" + "".join(LOG.splitlines(keepends=True)[1939:1950]).rstrip()
    assert "line 142:" not in found
    assert search(LOG, "database", start=50, lines=50).startswith('nothing matches "database"')


def test_the_call_that_shows_more_begins_at_the_same_line() -> None:
    assert ", start=500, max_bytes=400" in search(LOG, "database", start=500, max_bytes=100)


def test_a_giant_line_is_shown_around_the_match() -> None:
    page = "<div>filler</div>" * 2000 + "<p>The capital is Sylvania</p>" + "<div>filler</div>" * 2000
    found = search(page, "capital sylvania")
    assert "The capital is Sylvania" in found
    assert len(found) < 500
    number = re.match(r"line (\d+): …", found)
    assert number
    store = ResultStore()
    piece = read(store, "me", ReadRequest(store.keep(page, "me"), start=int(number[1]), lines=1))
    assert "The capital is Sylvania" in piece


def test_a_text_of_very_many_lines_is_numbered_right() -> None:
    text = "a\n" * 700_000 + "needle\n" + "b\n" * 10
    found = search(text, "needle")
    first, last = map(int, re.findall(r"\d+", found.splitlines()[0]))
    assert first <= 700_001 <= last
    assert found.splitlines()[1 + 700_001 - first] == "needle"


def test_a_word_that_is_nowhere_is_said_first() -> None:
    found = search(LOG, "database deadlock").splitlines()
    assert found[0] == '[no "deadlock" in it; places with the other words:]'
    assert found[1] == "[20 places match]"


def test_what_has_all_words_is_distinguished_from_what_has_some_of_them() -> None:
    text = "".join(f"{wood} {thing}\n{number}\n" for number, (wood, thing) in enumerate(GOODS))
    found = search(text, "larch jug").splitlines()
    assert found[0] == "[1 place matches, 19 in part]"
    assert found[found.index("larch jug") + 1].isdigit()
    assert found.count("larch tray") == 1
    assert 11 <= sum("larch" in line or "jug" in line for line in found) < 20


def test_where_nothing_matches_near_words_are_offered() -> None:
    assert search(LOG, "databsae") == 'nothing matches "databsae"; similar words are: database'
    assert search(LOG, "xylophone") == 'nothing matches "xylophone"'
    assert search("", "x") == 'nothing matches "x"'
    assert "\x1b" not in search("abc", "\x1b[31mabd")


# -- in JSON -----------------------------------------------------------------------------------------------
def test_json_answers_by_its_elements_with_their_paths() -> None:
    found = search(json.dumps({"total": 100, "items": ISSUES}), "connection refused")
    path, _, element = found.partition(": ")
    assert path == "items[70]"
    assert json.loads(element) == ISSUES[70]


def test_a_long_text_in_json_answers_by_its_lines() -> None:
    found = search(json.dumps(ISSUES), "stale lock")
    assert found.startswith("[71].body lines 497-504:\n")
    assert "the culprit is a stale lock" in found
    assert len(found) < 200


def test_paths_that_are_named_lead_there() -> None:
    whole = {"odd key": {"é": [{"x": "y" * 2000}, {"x": "the needle"}]}, "z": "w" * 3000}
    store = ResultStore()
    ref = store.keep(json.dumps(whole), "me")
    found = read(store, "me", ReadRequest(ref, query="needle"))
    path = found.partition(": ")[0]
    assert json.loads(read(store, "me", ReadRequest(ref, path=path))) == {"x": "the needle"}


@pytest.mark.parametrize("base", ["items", "items[50:]", "items[].{number: number, body: body}", "@"])
def test_a_search_within_a_path_names_paths_of_the_whole(base: str) -> None:
    store = ResultStore()
    ref = store.keep(json.dumps({"items": ISSUES}), "me")
    found = read(store, "me", ReadRequest(ref, path=base, query="refused"))
    path, _, element = found.partition(": {")
    assert json.loads(read(store, "me", ReadRequest(ref, path=path))) == json.loads("{" + element)


def test_words_behind_an_escaped_line_break_are_found() -> None:
    assert search(json.dumps([{"a": "x\nneedle"}, *[{"a": "x"}] * 50]), "needle").startswith("[0]: ")


def test_a_search_within_a_string_goes_by_lines() -> None:
    found = search(json.dumps({"log": LOG}), "database", path="log", max_bytes=100)
    assert found.splitlines()[1].startswith("line 42: 00042 ERROR")


def test_plain_members_of_a_large_object_are_shown_a_few_at_a_time() -> None:
    found = search(json.dumps({f"key{number}": f"value {number}" for number in range(1000)}), "key777")
    assert '"key777":"value 777"' in found
    assert found.startswith("@: {")
    assert len(found) < 500


def test_deep_json_is_searched_too() -> None:
    deep: Any = {"x": "needle " + "y" * 3000}
    for _ in range(60):
        deep = {"down": [deep]}
    found = search(json.dumps(deep), "needle")
    assert found.startswith("down[0].down[0]")
    assert "needle" in found


# -- within bounds -----------------------------------------------------------------------------------------
@pytest.mark.parametrize("text", [LOG, json.dumps(ISSUES), "x " * 100_000, "ISSUE\n" * 100_000])
@pytest.mark.parametrize("cap", [0, 1000, 5000, MAX_ANSWER_TEXT])
def test_an_answer_keeps_to_its_size(text: str, cap: int) -> None:
    for query in ("issue", "served database", "x"):
        assert len(search(text, query, max_bytes=cap).encode()) <= max(cap, 1700) + 200


def test_the_largest_size_asks_for_a_narrower_query() -> None:
    assert search("word\n" * 100_000, "word", max_bytes=MAX_ANSWER_TEXT).endswith(
        "more places match: ask for something narrower]"
    )


plain = st.none() | st.booleans() | st.integers() | st.text(max_size=200) | st.just("long\n" * 700)
values = st.recursive(
    plain,
    lambda inner: st.lists(inner, max_size=14) | st.dictionaries(st.text(max_size=6), inner, max_size=14),
    max_leaves=40,
)


def leaves(value: Any) -> list[Any]:
    members = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return [value] if not members else [leaf for member in members for leaf in leaves(member)]


@settings(deadline=None)
@given(
    st.lists(values, min_size=1, max_size=4)
    | st.dictionaries(st.text(max_size=4), values, min_size=1, max_size=12)
)
def test_every_element_is_where_it_says_and_together_they_are_all(document: Any) -> None:
    text = json.dumps(document)
    document = json.loads(text)
    whole, long = [], {}
    for path, start, lines, shown in elements(document, ""):
        there = at_path(text, path)
        if start:
            assert Lines(there.text).part(start, lines) == shown
            long[path] = there.value
            continue
        element = json.loads(shown)
        part = isinstance(there.value, dict) and element != there.value
        assert {**there.value, **element} == there.value if part else element == there.value
        whole.append(element)
    found = [json.dumps(leaf) for element in (*whole, *long.values()) for leaf in leaves(element)]
    assert sorted(found) == sorted(json.dumps(leaf) for leaf in leaves(document))


def test_paths_go_on_from_their_base() -> None:
    value = [{"a": 1}, {"a": 2}]
    assert [each.path for each in elements(value, "items")] == ["items[0]", "items[1]"]
    assert [each.path for each in elements(value, "items[3:]")] == ["items[3:] | [0]", "items[3:] | [1]"]
    assert [each.path for each in elements({"a": 1}, "x[0].y")] == ["x[0].y"]


def test_the_most_alike_come_first() -> None:
    assert nearest_words("conection", ["The connection was closed.", "Connections: 5"]) == [
        "connection",
        "connections",
    ]


def test_words_of_json_have_no_escapes() -> None:
    assert nearest_words("tracebak", [r'"x\ntraceback"']) == ["traceback"]


def test_there_may_be_none() -> None:
    assert nearest_words("xylophone", ["a b c", ""]) == []
    assert nearest_words("", ["word"]) == []
