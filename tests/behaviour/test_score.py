"""What `toolbooth score` promises at the shell."""

import json
from pathlib import Path

import pytest

from tests.behaviour.command_line import CommandResult, toolbooth

TRACES = Path(__file__).parents[1] / "data" / "traces"
CLASSES = "search=brave.web_search,google.search;fetch=http.get"
SAME = (
    "toolbooth.json",
    "cassette.json",
    "openai_chat.json",
    "openai_body.json",
    "openai_responses.json",
    "anthropic.json",
    "anthropic_response.json",
    "otel_otlp.json",
)


def score(home: Path, *words: str | Path) -> CommandResult:
    return toolbooth("score", *words, home=home)


@pytest.mark.promise("score:shapes")
def test_the_same_run_scores_the_same_whoever_recorded_it(tmp_path: Path) -> None:
    said = score(
        tmp_path, *(TRACES / name for name in SAME), "--classes", CLASSES, "--servers", "brave,http", "--json"
    )
    assert said.code == 0, said.err
    assert (said.json["runs"], said.json["tp"], said.json["fp"], said.json["fn"]) == (8, 16, 0, 0)
    assert said.json["fully_right"]["hits"] == 8


@pytest.mark.promise("score:shapes")
@pytest.mark.parametrize("name", SAME)
def test_each_file_is_recognized_by_its_shape(tmp_path: Path, name: str) -> None:
    said = score(
        tmp_path, TRACES / name, "--classes", TRACES / "classes.yaml", "--servers", "brave,http", "--json"
    )
    assert (said.code, said.json["f1"], said.json["grade"]) == (0, 100, "A"), said.err


@pytest.mark.promise("score:gate")
def test_a_floor_that_is_missed_fails_and_says_why(tmp_path: Path) -> None:
    words = (TRACES / "otel_spans.jsonl", "--classes", CLASSES)
    said = score(tmp_path, *words, "--expect", "f1>=80")
    assert said.code == 1
    for words_of in (
        "missed      fetch ×1, search ×1",
        "unexpected  shell.exec ×1",
        "✗ f1 >= 80  failed: it is 57",
    ):
        assert words_of in said.out
    assert score(tmp_path, *words, "--expect", "f1>=50").code == 0


@pytest.mark.promise("score:bad-input")
def test_what_is_wrong_is_one_line_and_exit_2(tmp_path: Path) -> None:
    strange, broken, classes = tmp_path / "strange.json", tmp_path / "broken.jsonl", tmp_path / "classes.yaml"
    strange.write_text('{"spans": 3}')
    broken.write_text('{"tool_calls": []}\n{"tool_calls": [\n')
    classes.write_text("search: [a]\nfetch: []\n")
    trace = TRACES / "toolbooth.json"
    for words, says in (
        ((trace,), "name the right"),
        ((strange, "--classes", CLASSES), "openai: OpenAI messages"),
        ((broken, "--classes", CLASSES), "broken.jsonl:2: broken JSON"),
        ((trace, "--classes", classes), "classes.yaml:2:"),
        ((trace, "--classes", CLASSES, "--expect", "precison>=1"), "did you mean 'precision'?"),
        ((tmp_path / "none.json", "--classes", CLASSES), "there is no such file"),
    ):
        said = score(tmp_path, *words)
        assert (said.code, said.out) == (2, "")
        assert says in said.err
        assert len(said.err.splitlines()) == 1


def written_as(name: str, shape: str) -> object:
    """One run of one call, in each of the shapes."""
    return {
        "toolbooth": {"tool_calls": [{"name": name}]},
        "openai": [{"role": "assistant", "tool_calls": [{"function": {"name": name, "arguments": "{}"}}]}],
        "anthropic": [{"role": "assistant", "content": [{"type": "tool_use", "name": name, "input": {}}]}],
        "otel": [
            {
                "traceId": "t",
                "spanId": "a",
                "attributes": {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name},
            }
        ],
    }[shape]


@pytest.mark.promise("score:joined-names")
@pytest.mark.parametrize("shape", ["toolbooth", "openai", "anthropic", "otel"])
def test_servers_are_known_from_the_classes_and_what_was_read_is_said(tmp_path: Path, shape: str) -> None:
    spelled = ("brave__web_search", "mcp__brave__web_search", "brave.web_search", "brave:web_search")
    for number, name in enumerate(spelled):
        (tmp_path / f"{number}.json").write_text(json.dumps(written_as(name, shape)))
    files = [tmp_path / f"{number}.json" for number in range(len(spelled))]
    said = score(tmp_path, *files, "--classes", CLASSES.split(";")[0], "--json")
    assert (said.code, said.json["f1"], said.json["warnings"]) == (0, 100, []), said.err
    (note,) = said.json["notes"]
    assert "brave__web_search as brave.web_search ×1" in note
    assert "brave.web_search as" not in note


@pytest.mark.promise("score:joined-names")
def test_a_run_of_unknown_tools_only_is_a_warning(tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text(json.dumps(written_as("web_search", "openai")))
    said = score(tmp_path, tmp_path / "t.json", "--classes", CLASSES)
    assert said.code == 0
    assert "warning: 1 run called no known tool, only web_search" in said.out
    assert "did you mean brave.web_search?" in said.out
    catalog = {"tools": [{"name": "web_search", "inputSchema": {"type": "object"}}]}
    (tmp_path / "catalog.json").write_text(json.dumps(catalog))
    known = score(tmp_path, tmp_path / "t.json", "--classes", CLASSES, "--catalog", tmp_path / "catalog.json")
    assert "warning" not in known.out
