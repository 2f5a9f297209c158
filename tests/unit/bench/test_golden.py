"""The golden-set file is read strictly, and interchangeable tools count once."""

from pathlib import Path
from typing import Any

import orjson
import pytest
from tests.catalogs import RETRIEVAL

from toolbooth.bench import GoldenQuestion, GoldenSet, Label, catalog_id, load_golden, read_golden
from toolbooth.catalog import decode, read_catalog
from toolbooth.errors import ConfigError

PATH = Path("golden_v1.json")


def label(tool_id: str = "a:x", relevance: Any = 2, **more: Any) -> dict[str, Any]:
    return {"tool_id": tool_id, "relevance": relevance, **more}


def document(*labels: Any, **changes: Any) -> dict[str, Any]:
    query = {"id": "q1", "query": "find x", "labels": list(labels)}
    return {"corpus_version": "c1", "queries": [query | changes]}


def test_a_set_is_read_with_its_versions_and_labels() -> None:
    golden = read_golden(document(label(), label("a.b:y", 1, group=0), notes="why"), PATH)
    labels = (Label("a:x", 2), Label("a.b:y", 1, "0"))
    assert golden == GoldenSet("c1", (GoldenQuestion("q1", "find x", labels),), "golden_v1")
    assert read_golden(document() | {"golden_version": "g7"}, PATH).version == "g7"


def test_ids_of_a_corpus_become_ids_of_the_catalog() -> None:
    assert catalog_id("a.b:get.x:y") == "a_b.get.x:y"
    assert Label("a.b:y", 1).tool == "a_b.y"


WRONG: dict[str, Any] = {
    "the golden set must be an object": [],
    "the golden set has no corpus_version": {"queries": []},
    "the golden set.corpus_version must be text": document() | {"corpus_version": 3},
    "the golden set has no queries": {"corpus_version": "c1"},
    "the golden set.queries must be a list": {"corpus_version": "c1", "queries": {}},
    "queries is empty; add at least one question": {"corpus_version": "c1", "queries": []},
    "queries[0] must be an object": {"corpus_version": "c1", "queries": ["q"]},
    "queries[0].id must be text": document(id=1),
    "queries[0] (q1).query must be text": document(query="  "),
    "queries[0] (q1).labels must be a list": document(labels=None),
    "queries[0] (q1).labels[0] must be an object": document("a:x"),
    "queries[0] (q1).labels[0] has no tool_id": document({"relevance": 1}),
    'queries[0] (q1).labels[1].tool_id is "x", not server:tool': document(label(), label("x")),
    'queries[0] (q1).labels: duplicate tool_id "a:x"': document(label(), label()),
    'queries: duplicate id "q1"': {
        "corpus_version": "c1",
        "queries": document(label())["queries"] * 2,
    },
    "queries[0] (q1).labels[0].group must be a number or a name": document(label(group=[1])),
}


@pytest.mark.parametrize("message", WRONG)
def test_what_is_wrong_is_named_with_its_place(message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read_golden(WRONG[message], PATH)
    assert str(caught.value) == f"golden_v1.json: {message}"


@pytest.mark.parametrize("relevance", [-1, 101, 1.0, True, "2", None])
def test_a_relevance_is_a_whole_number_from_zero(relevance: Any) -> None:
    with pytest.raises(ConfigError, match=r"labels\[0\]\.relevance must be a whole number"):
        read_golden(document(label(relevance=relevance)), PATH)


def test_a_file_that_is_missing_or_no_json_is_a_config_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there is no such file"):
        load_golden(tmp_path / "absent.json")
    (tmp_path / "bad.json").write_text("{")
    with pytest.raises(ConfigError, match="not JSON"):
        load_golden(tmp_path / "bad.json")
    (tmp_path / "good.json").write_bytes(orjson.dumps(document(label())))
    assert load_golden(tmp_path / "good.json").version == "good"


def test_labels_of_tools_that_the_corpus_lacks_are_listed_once() -> None:
    golden = read_golden(document(label("a:x"), label("a:gone", 1)), PATH)
    assert golden.unknown_tools({"a.x"}) == ("a:gone",)


def test_a_group_is_met_by_its_first_member_and_only_once() -> None:
    labels = (Label("s:a", 1, "g"), Label("s:b", 2, "g"), Label("s:c", 1))
    judged = GoldenQuestion("q", "?", labels).judge(("s.z", "s.a", "s.b", "s.c"))
    assert judged.ranked == ("s.z", " g", "s.b", "s.c")
    assert judged.relevance == {" g": 2, "s.c": 1}


def test_a_member_judged_wrong_does_not_meet_its_group() -> None:
    judged = GoldenQuestion("q", "?", (Label("s:a", 0, "g"), Label("s:b", 1, "g"))).judge(("s.a", "s.b"))
    assert judged.ranked == ("s.a", " g")
    assert judged.relevance == {"s.a": 0, " g": 1}


def test_a_question_without_a_relevant_label_is_not_answerable() -> None:
    assert not GoldenQuestion("q", "?").answerable
    assert not GoldenQuestion("q", "?", (Label("s:a", 0),)).answerable
    assert GoldenQuestion("q", "?", (Label("s:a", 0), Label("s:b", 1))).answerable


@pytest.mark.parametrize(
    ("golden", "corpus"),
    [
        ("mcpproxy/retrieval_golden_v1.json", "mcpproxy/corpus_v1.tools.json"),
        *((f"etom/golden.{level}.json", "etom/corpus.tools.json") for level in ("l1", "l3")),
        *(
            (f"{s}/golden.json", f"{s}/corpus.tools.json")
            for s in ("mcpzero", "livemcpbench", "sealtools", "metatool")
        ),
    ],
)
def test_every_label_of_the_published_sets_is_a_tool_of_its_corpus(golden: str, corpus: str) -> None:
    path = RETRIEVAL / corpus
    known = {tool.id for tool in read_catalog(decode(path.read_bytes()), path)}
    assert load_golden(RETRIEVAL / golden).unknown_tools(known) == ()
