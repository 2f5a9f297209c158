"""Engines by name: what each finds, and how a wrong name is reported."""

import math
from collections import Counter
from pathlib import Path

import pytest
from tests.unit.bench.retrieval.small_set import small_pair
from tests.unit.search.tiny_model import write_model

from toolbooth.bench.retrieval import ENGINES, engine_named
from toolbooth.errors import UserMistake
from toolbooth.search import SearchEngine

CATALOG = small_pair().corpus.catalog
QUERY = "delete the event event from my calendar, or read a file"


def test_the_engines_are_those_of_the_help() -> None:
    assert sorted(ENGINES) == ["bm25", "onnx", "toolbooth", "words"]


def test_toolbooth_is_the_engine_of_the_gateway() -> None:
    found = SearchEngine.of(CATALOG).search(QUERY, 10).hits
    assert list(engine_named("toolbooth").over(CATALOG)(QUERY)) == [hit.tool.id for hit in found]


def test_words_knows_no_meaning() -> None:
    words, meaning = (engine_named(each).over(CATALOG) for each in ("words", "toolbooth"))
    assert "files.delete_file" not in words("throw away that document")[:1]
    assert meaning("read a file")[0] == words("read a file")[0] == "files.read_file"


def by_the_textbook(query: str) -> list[str]:
    texts = {tool.id: f"{tool.name} {tool.description}".lower() for tool in CATALOG}
    bags = {
        each: Counter("".join(c if c.isalnum() else " " for c in text).split())
        for each, text in texts.items()
    }
    mean = sum(bag.total() for bag in bags.values()) / len(bags)
    scores: dict[str, float] = dict.fromkeys(bags, 0.0)
    for word in "".join(c if c.isalnum() else " " for c in query.lower()).split():
        held = sum(word in bag for bag in bags.values())
        idf = math.log(1 + (len(bags) - held + 0.5) / (held + 0.5))
        for each, bag in bags.items():
            norm = 1.2 * (0.25 + 0.75 * bag.total() / mean)
            scores[each] += idf * bag[word] * 2.2 / (bag[word] + norm)
    return [each for each in sorted(scores, key=lambda each: -scores[each]) if scores[each] > 0]


@pytest.mark.parametrize("query", [QUERY, "file", "e-mail to people", "EVENTS between Dates"])
def test_bm25_is_that_of_the_textbook(query: str) -> None:
    assert list(engine_named("bm25").over(CATALOG)(query)) == by_the_textbook(query)


@pytest.mark.parametrize("name", ["toolbooth", "words", "bm25"])
def test_letters_without_sense_find_nothing(name: str) -> None:
    assert list(engine_named(name).over(CATALOG)("zzxqv bbrtk")) == []


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("bm52", 'unknown engine "bm52"; did you mean bm25?'),
        ("Toolboth", 'unknown engine "Toolboth"; did you mean toolbooth?'),
        ("?", 'unknown engine "?"; the engines are bm25, onnx:PATH, toolbooth, words'),
        ("", 'unknown engine ""; the engines are bm25, onnx:PATH, toolbooth, words'),
        ("a\x1b[31mb", 'unknown engine "ab"; the engines are bm25, onnx:PATH, toolbooth, words'),
        ("onnx", "engine onnx needs PATH after a colon; write onnx:PATH"),
        ("bm25:k1=2", "engine bm25 takes nothing after a colon; write bm25"),
    ],
)
def test_a_wrong_name_is_reported_with_the_nearest(name: str, said: str) -> None:
    with pytest.raises(UserMistake) as caught:
        engine_named(name)
    assert str(caught.value) == said


def test_a_local_model_is_named_by_its_path(tmp_path: Path) -> None:
    search = engine_named(f"onnx:{write_model(tmp_path)}").over(CATALOG)
    assert search("delete a file")[0] == "files.delete_file"


def test_a_model_that_is_not_there_is_named() -> None:
    with pytest.raises(UserMistake, match=r"/nowhere/model.onnx: no such model file"):
        engine_named("onnx:/nowhere/model.onnx").over(CATALOG)
