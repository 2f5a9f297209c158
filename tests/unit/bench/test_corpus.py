"""Corpora under a version, and pairs that fit."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from toolbooth.bench import Corpus, GoldenQuestion, GoldenSet, Label, load_corpus, pair
from toolbooth.errors import ConfigError, NothingToWeigh, UserMistake


def tool(name: str, server: str = "notes", **more: Any) -> dict[str, Any]:
    return {
        "tool_id": f"{server}:{name}",
        "server": server,
        "tool": name,
        "description": f"Do {name}.",
        **more,
    }


def written(folder: Path, document: Any, name: str = "corpus_v9.tools.json") -> Path:
    path = folder / name
    path.write_text(json.dumps(document))
    return path


def corpus(*names: str, version: str = "v9") -> Corpus:
    from toolbooth.bench import read_corpus

    return read_corpus({"version": version, "tools": [tool(name) for name in names]}, Path("c.json"))


def golden(*questions: GoldenQuestion, version: str = "v9") -> GoldenSet:
    return GoldenSet(version, questions, "golden")


def asks(name: str, *labels: tuple[str, int]) -> GoldenQuestion:
    return GoldenQuestion(name, f"please {name}", tuple(Label(*each) for each in labels))


def test_a_corpus_has_the_version_that_it_names(tmp_path: Path) -> None:
    path = written(tmp_path, {"version": "mine-1", "tools": [tool("add")]})
    assert load_corpus(path).version == "mine-1"


@pytest.mark.parametrize("version", [None, "", "  ", 3])
def test_a_corpus_without_a_version_has_its_file_name(tmp_path: Path, version: Any) -> None:
    path = written(tmp_path, {"version": version, "tools": [tool("add")]})
    assert load_corpus(path).version == "corpus_v9"


def test_a_list_of_tools_is_a_corpus_too(tmp_path: Path) -> None:
    found = load_corpus(written(tmp_path, {"tools": [{"name": "add"}]}, "mine.json"))
    assert (found.version, [each.id for each in found.catalog]) == ("mine", ["mine.add"])


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ({"tools": [tool("add"), tool("add")]}, "1 duplicate tool: notes:add; keep"),
        ({"version": "x"}, "not a catalog"),
        (
            {"tools": [tool("add"), tool("odd", schema=True)]},
            "1 entry is not a tool: notes:odd \\(inputSchema is a boolean, not an object\\); fix or remove",
        ),
        (
            {"tools": [tool("add"), *(tool(f"t{n}", schema=[]) for n in range(5))]},
            "5 entries are not tools: .* 2 more",
        ),
    ],
)
def test_a_corpus_that_cannot_be_measured_is_refused(tmp_path: Path, document: Any, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        load_corpus(written(tmp_path, document))


def test_a_corpus_without_tools_is_nothing_to_measure(tmp_path: Path) -> None:
    with pytest.raises(NothingToWeigh, match="the corpus has no tools"):
        load_corpus(written(tmp_path, {"tools": []}))


def test_a_corpus_that_is_no_json_or_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there is no such file"):
        load_corpus(tmp_path / "absent.json")
    (tmp_path / "broken.json").write_text("{")
    with pytest.raises(ConfigError, match="not JSON"):
        load_corpus(tmp_path / "broken.json")


def test_a_corpus_says_which_servers_it_lacks_and_so_does_its_pair(tmp_path: Path) -> None:
    document = {
        "version": "v9",
        "tools": [tool("add")],
        "generated_from": {"servers": [], "missing": ["mail"]},
    }
    found = load_corpus(written(tmp_path, document))
    assert [each.startswith("the corpus lacks mail: ") for each in found.notes] == [True]
    assert pair(found, golden(asks("a", ("notes:add", 2)))).notes == found.notes


def test_live_tools_have_no_version_to_refuse_and_that_is_said() -> None:
    live = replace(corpus("add", version="live-0"), live=True)
    found = pair(live, golden(asks("a", ("notes:add", 2))))
    assert found.notes == ('the golden set is for corpus "v9", but this is "live-0"',)


def test_a_pair_that_fits_says_nothing() -> None:
    found = pair(corpus("add"), golden(asks("a", ("notes:add", 2))))
    assert (found.unknown, found.notes) == ((), ())


@pytest.mark.promise("bench:versions")
def test_questions_for_another_version_are_refused_unless_allowed() -> None:
    questions = golden(asks("a", ("notes:add", 2)), version="v8")
    with pytest.raises(UserMistake, match='for corpus "v8", but this is "v9"; use --allow-mismatch'):
        pair(corpus("add"), questions)
    assert pair(corpus("add"), questions, allow_mismatch=True).notes


@pytest.mark.promise("bench:unknown-labels")
def test_labels_of_unknown_tools_are_counted_named_and_refused_unless_allowed() -> None:
    questions = golden(
        asks("a", ("notes:add", 2), ("notes:gone", 1)), asks("b", ("notes:gone", 2)), asks("c")
    )
    with pytest.raises(
        UserMistake, match="1 labelled tool is not in the corpus: notes:gone; use --allow-unknown"
    ):
        pair(corpus("add"), questions)
    found = pair(corpus("add"), questions, allow_unknown=True)
    assert found.unknown == ("notes:gone",)
    assert [each.id for each in found.golden.questions] == ["a", "c"]  # b is not one that nothing can serve
    assert "1 question without another right tool" in found.notes[0]


def test_no_question_left_is_said() -> None:
    with pytest.raises(UserMistake, match="no question is left"):
        pair(corpus("add"), golden(asks("b", ("notes:gone", 2))), allow_unknown=True)
