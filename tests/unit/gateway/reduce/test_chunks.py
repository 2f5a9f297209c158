"""Long JSON by its outline and its most relevant chunks."""

import json
import re
from typing import Any

from toolbooth.catalog.config import Reduction
from toolbooth.gateway.reduce.chunks import Layout, outline
from toolbooth.gateway.reduce.collapse import collapse
from toolbooth.gateway.reduce.hidden import Summary, encoded

REF = "r" * 22
KB = 1024


def shown(value: Any, intent: str = "", chunk_bytes: int = 4 * KB, budget: int = 10 * KB) -> Any:
    return json.loads(encoded(outline(value, intent, Layout(chunk_bytes), budget), REF))


def words(value: Any) -> list[str]:
    return re.findall(r"\[([^\[\"]*(?:\[[^\"]*)?) not shown", json.dumps(value, ensure_ascii=False))


def test_chunks_of_about_four_kilobytes_are_labelled_by_their_path() -> None:
    given = {"results": {"items": [f"{n} {'x' * 800}" for n in range(40)]}}
    found = shown(given)
    (label,) = words(found)
    first, last = map(int, re.findall(r"results > items > \[(\d+)-(\d+)\]", label)[0])
    assert found["results"]["items"][:first] == given["results"]["items"][:first]
    assert last == 39
    assert 4 <= first <= 12
    assert len(json.dumps(found)) <= 10 * KB


def test_one_chunk_that_is_not_shown_has_a_range_like_the_specs() -> None:
    given = {"results": {"items": [{"n": n, "t": "x" * 750} for n in range(10)]}}
    found = shown(given, intent="7", budget=5 * KB)
    assert any(re.search(r"results > items > \[0-[345]\] \(", each) for each in words(found)), found


def test_the_most_relevant_chunks_are_shown_in_their_places() -> None:
    given: dict[str, Any] = {"log": [f"entry {n} {'filling ' * 90}" for n in range(60)], "other": "y" * 5000}
    given["log"][41] = f"entry 41 the parser failed {'filling ' * 90}"
    found = shown(given, intent="why did the parser fail")
    assert given["log"][41] in found["log"]
    assert given["log"][20] not in found["log"]


def test_without_an_intent_every_branch_shows_its_beginning() -> None:
    given = {name: [f"{name} {n} {'x' * 300}" for n in range(60)] for name in ("a", "b")}
    found = shown(given, chunk_bytes=2 * KB)
    assert found["a"][0] == given["a"][0]
    assert found["b"][0] == given["b"][0]


def test_keys_that_are_not_shown_are_named() -> None:
    few = shown({f"k{n}": "x" * 3000 for n in range(6)})
    assert few.keys() == {f"k{n}" for n in range(6)}
    many = shown({f"k{n}": "x" * 3000 for n in range(60)})
    assert "k59" not in many
    assert "more keys (" in many["…"]
    assert "path='@'" in many["…"]


def test_a_key_of_our_own_takes_no_place_of_theirs() -> None:
    given = {"…": "theirs", **{f"k{n}": "x" * 3000 for n in range(60)}}
    found = shown(given)
    assert found["…"] == "theirs"
    assert "more keys" in found["……"]


def test_a_long_string_is_shown_by_its_head_and_tail() -> None:
    text = "".join(f"line {n}\n" for n in range(5000))
    found = shown({"log": text})["log"]
    assert found.startswith("line 0\n")
    assert found.endswith("line 4999\n")
    assert re.search(r"read_result\(ref='r+', path='log', start=\d+, lines=\d+\)", found)


def test_a_run_that_ends_in_a_summary_leads_to_all_that_it_stood_for() -> None:
    given = {"big": ["x" * 900] * 12, "items": [{"id": n, "b": f"{n}" * 300} for n in range(90)]}
    collapsed = collapse(given, Reduction())
    assert isinstance(collapsed["items"][-1], Summary)
    found = shown(collapsed, chunk_bytes=300, budget=900)
    (first,) = re.findall(r"\[(\d+)\] and all that follow", str(found))
    assert f"path='items[{first}:]'" in str(found).replace("\\", "")
    assert [each["id"] for each in found["items"][:-1]] == list(range(int(first)))


def test_a_slice_with_nulls_is_read_with_the_whole_list() -> None:
    given = [None if n % 7 == 3 else f"{n} {'x' * 400}" for n in range(60)]
    assert "path='@'" in json.dumps(shown(given, budget=2 * KB))


def test_nothing_is_too_small_to_be_outlined() -> None:
    empty: tuple[Any, ...] = ({}, [])
    for each in empty:
        assert outline(each, "", Layout(1), 1) == each
