"""Sets below a folder: found by what they are, named for people, and their means."""

from pathlib import Path

import pytest
from tests.catalogs import RETRIEVAL
from tests.unit.bench.retrieval.small_set import corpus_document, golden_document, small_pair, written

from toolbooth import limits
from toolbooth.bench.retrieval import MeasuredSet, find_sets, means_over, measure_retrieval
from toolbooth.errors import ConfigError


@pytest.mark.promise("bench:folder")
def test_golden_sets_are_found_with_the_corpora_that_they_name(tmp_path: Path) -> None:
    written(tmp_path / "a" / "tools.json", corpus_document("a-1"))
    written(tmp_path / "a" / "golden.easy.json", golden_document(version="a-1"))
    written(tmp_path / "a" / "golden.hard.json", golden_document(version="a-1"))
    written(tmp_path / "b" / "deep" / "questions.json", golden_document(version="b-1"))
    written(tmp_path / "corpora" / "b.json", corpus_document("b-1"))
    found = find_sets(tmp_path)
    assert [(each.name, each.corpus.name) for each in found.sets] == [
        ("a easy", "tools.json"),
        ("a hard", "tools.json"),
        ("b/deep", "b.json"),
    ]
    assert found.left_out == ()
    assert found.sets[0].load().corpus.version == "a-1"


def test_what_is_neither_is_passed_over(tmp_path: Path) -> None:
    written(tmp_path / "golden.json", golden_document())
    written(tmp_path / "small-1.tools.json", corpus_document() | {"version": None})
    written(tmp_path / "list.json", [1])
    written(tmp_path / "schema.json", {"type": "object"})
    written(tmp_path / "golden.txt", "no JSON at all")
    written(tmp_path / ".hidden" / "golden.json", golden_document())
    written(tmp_path / "node_modules" / "golden.json", golden_document())
    found = find_sets(tmp_path)
    assert [(each.name, each.corpus.name) for each in found.sets] == [("golden.json", "small-1.tools.json")]
    assert found.left_out == ()


def test_a_set_without_its_corpus_and_a_damaged_file_are_reported(tmp_path: Path) -> None:
    written(tmp_path / "golden.json", golden_document(version="gone"))
    written(tmp_path / "broken.json", '{"corpus_version": ')
    found = find_sets(tmp_path)
    assert found.sets == ()
    assert [(Path(each.file).name, each.why.partition(":")[0]) for each in found.left_out] == [
        ("broken.json", "this is not JSON"),
        ("golden.json", 'its corpus "gone" is not in this folder'),
    ]


def test_of_equal_versions_the_nearest_corpus_is_taken(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        written(tmp_path / name / "tools.json", corpus_document())
        written(tmp_path / name / "golden.json", golden_document())
    assert [each.corpus.parent.name for each in find_sets(tmp_path).sets] == ["a", "b", "c"]


def test_names_that_would_be_equal_are_paths(tmp_path: Path) -> None:
    written(tmp_path / "tools.json", corpus_document())
    for name in ("golden.x.json", "golden_x.json"):
        written(tmp_path / "a" / name, golden_document())
    assert [each.name for each in find_sets(tmp_path).sets] == ["a/golden.x.json", "a/golden_x.json"]


def test_a_folder_without_sets_or_no_folder_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="the folder has no golden set"):
        find_sets(tmp_path)
    with pytest.raises(ConfigError, match="no such folder"):
        find_sets(tmp_path / "absent")


def test_a_folder_of_too_many_files_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert limits.MAX_SET_FILES > 100
    monkeypatch.setattr("toolbooth.limits.MAX_SET_FILES", 2)
    for name in "abc":
        written(tmp_path / f"{name}.json", {})
    with pytest.raises(ConfigError, match="more than 2 JSON files"):
        find_sets(tmp_path)


def test_each_set_counts_the_same_in_the_means() -> None:
    large, small = small_pair(), small_pair("q3", "q5")
    sets = [
        MeasuredSet(name, measure_retrieval(found, "words", against=["bm25"]))
        for name, found in (("a", large), ("b", small))
    ]
    means = means_over(sets)
    assert list(means) == ["words", "bm25"]
    assert means["words"].mrr == pytest.approx(sum(each.section.metrics.mrr for each in sets) / 2)
    assert means["bm25"].recall_at["5"] == pytest.approx(
        sum(each.section.against[0].metrics.recall_at["5"] for each in sets) / 2
    )


def test_the_published_sets_are_found_as_they_are() -> None:
    found = find_sets(RETRIEVAL)
    names = [each.name for each in found.sets]
    assert set(names) == {
        "etom l1",
        "etom l3",
        "livemcpbench",
        "mcpproxy",
        "mcpzero",
        "metatool",
        "sealtools",
    }
    assert found.left_out == ()
    (mcpproxy,) = (each for each in found.sets if each.name == "mcpproxy")
    assert mcpproxy.corpus.name == "corpus_v1.tools.json"
