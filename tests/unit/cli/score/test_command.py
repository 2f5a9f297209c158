"""`toolbooth score`: words, their mistakes, and what is printed."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from toolbooth.cli.score import command
from toolbooth.cli.score.command import read_classes
from toolbooth.errors import ConfigError, UserMistake
from toolbooth.suite.score import ADAPTERS

TRACES = Path(__file__).parents[3] / "data" / "traces"
CLASSES = "search=brave.web_search,google.search;fetch=http.get"
WANTED = {"search": ["brave.web_search", "google.search"], "fetch": ["http.get"]}
Reported = Callable[..., str]


@pytest.fixture
def reported(capsys: pytest.CaptureFixture[str]) -> Reported:
    def run(*words: str | Path, code: int = 0) -> str:
        assert command.run([str(word) for word in words]) == code
        return capsys.readouterr().out

    return run


def mistake(*words: str | Path) -> str:
    with pytest.raises(UserMistake) as caught:
        command.run([str(word) for word in words])
    return str(caught.value)


def test_the_table_tells_counts_percents_and_why(reported: Reported) -> None:
    said = reported(TRACES / "toolbooth_runs.json", "--classes", CLASSES)
    assert said.splitlines()[:2] == [
        "  runs  TP  FP  FN  precision  recall   F1  grade",
        "     2   3   1   1        75%     75%  75%      C",
    ]
    for line in ("1 of 2 runs: 50% (95% interval: 9.5% to 90.5%)", "fetch ×1", "shell.exec ×1"):
        assert line in said


def test_one_run_has_no_interval(reported: Reported) -> None:
    assert "95%" not in reported(TRACES / "toolbooth.json", "--classes", CLASSES)


def test_files_are_pooled(reported: Reported) -> None:
    names = [TRACES / "toolbooth_runs.json", TRACES / "anthropic.json", TRACES / "otel_otlp.json"]
    found = json.loads(reported(*names, "--classes", CLASSES, "--json"))
    assert (found["runs"], found["tp"], found["fp"], found["fn"]) == (4, 7, 1, 1)


def test_json_has_all_that_is_defined(reported: Reported) -> None:
    words = (TRACES / "toolbooth_runs.json", "--classes", CLASSES, "--json", "--surface-tokens", "1.5k")
    found: dict[str, Any] = json.loads(reported(*words, "--expect", "f1>=70"))
    assert {key: found[key] for key in ("f1", "precision", "recall", "grade", "tokens_per_correct")} == {
        "f1": 75,
        "precision": 75,
        "recall": 75,
        "grade": "C",
        "tokens_per_correct": 500,
    }
    assert found["missed"] == {"fetch": 1}
    assert found["unexpected"] == {"shell.exec": 1}
    assert found["fully_right"]["hits"] == 1
    assert [(check["target"], check["state"]) for check in found["checks"]] == [("f1", "passed")]
    assert "cost" not in found


def test_an_expectation_that_fails_is_exit_1(reported: Reported) -> None:
    words = (TRACES / "toolbooth_runs.json", "--classes", CLASSES)
    said = reported(*words, "--expect", "f1>=70", "--expect", "precision>=90", code=1)
    assert "✓ f1 >= 70  passed: it is 75" in said
    assert "✗ precision >= 90  failed: it is 75" in said
    assert "· cost < 1  skipped: the runs were free" in reported(*words, "--expect", "cost<1")


def test_a_catalog_is_weighed(reported: Reported, tmp_path: Path) -> None:
    catalog = tmp_path / "catalog.json"
    catalog.write_text(
        json.dumps({"tools": [{"name": "get", "description": "Get a page.", "inputSchema": {}}]})
    )
    words = (TRACES / "toolbooth.json", "--classes", CLASSES, "--catalog", catalog)
    found = json.loads(reported(*words, "--json"))
    assert 0 < found["tool_surface_tokens"] < 20
    assert found["tokens_per_correct"] == found["tool_surface_tokens"] / 2
    assert "for each right choice" in reported(*words)


def test_calling_nothing_can_be_right(reported: Reported, tmp_path: Path) -> None:
    idle = tmp_path / "idle.json"
    idle.write_text('{"tool_calls": []}')
    assert json.loads(reported(idle, "--expect-no-calls", "--json"))["f1"] == 100
    said = reported(TRACES / "toolbooth.json", "--expect-no-calls", "--expect", "f1>=50", code=1)
    assert "brave.web_search ×1" in said


def test_joined_names_are_split_by_the_servers_of_the_classes_or_of_the_call(reported: Reported) -> None:
    words = (TRACES / "openai_chat.json", "--classes", CLASSES)
    for more in ((), ("--servers", "brave, http")):
        assert json.loads(reported(*words, *more, "--json"))["f1"] == 100
    assert "note: read brave__web_search as brave.web_search ×1" in reported(*words)
    bare = (TRACES / "openai_chat.json", "--classes", "search=web_search;fetch=get")
    assert json.loads(reported(*bare, "--servers", "brave, http", "--json"))["f1"] == 100
    assert json.loads(reported(*bare, "--json"))["f1"] == 100
    assert "note: read brave__web_search as brave.web_search ×1" in reported(*bare)
    other = (TRACES / "openai_chat.json", "--classes", "search=find_page;fetch=read_page")
    strange = json.loads(reported(*other, "--json"))
    assert strange["f1"] == 0
    assert "1 run called no known tool, only brave__web_search" in strange["warnings"][0]


@pytest.mark.parametrize(
    ("member", "called"),
    [
        ("brave__web_search", "brave.web_search"),
        ("mcp__brave__web_search", "brave.web_search"),
        ("brave__web_search", "mcp__brave__web_search"),
        ("web_search", "brave__web_search"),
        ("brave.web_search", "functions.brave__web_search"),
        ("brave.web_search", "mcp_brave_web_search"),
    ],
)
def test_a_name_that_can_mean_one_tool_only_is_that_tool(
    reported: Reported, tmp_path: Path, member: str, called: str
) -> None:
    trace = tmp_path / "trace.json"
    trace.write_text(json.dumps({"tool_calls": [{"name": called}]}))
    found = json.loads(reported(trace, "--classes", f"search={member}", "--json"))
    assert (found["f1"], found["warnings"]) == (100, [])


def test_runs_that_errored_and_classes_that_overlap_are_noted(reported: Reported, tmp_path: Path) -> None:
    failed = tmp_path / "failed.json"
    failed.write_text('{"error": {"message": "quota"}}')
    said = reported(failed, "--classes", "a=x;b=x")
    assert "note: 1 run ended in an error" in said
    assert "note: x is in two classes, a and b" in said


def test_foreign_names_cannot_act_on_the_terminal(reported: Reported, tmp_path: Path) -> None:
    trace = tmp_path / "trace.json"
    trace.write_text(json.dumps({"tool_calls": [{"name": "\x1b[31mred\x1b[0m\u202e[bold]x"}]}))
    said = reported(trace, "--classes", "a=b")
    assert "\x1b" not in said
    assert "\u202e" not in said
    assert "[bold]x" in said


def test_the_shapes_of_the_help_are_those_that_are_read() -> None:
    assert set(command.SHAPES) == {"auto", *ADAPTERS}


def test_a_wrong_call_is_a_mistake(tmp_path: Path) -> None:
    trace = TRACES / "toolbooth.json"
    assert "--classes" in mistake(trace)
    assert "choose one" in mistake(trace, "--classes", CLASSES, "--expect-no-calls")
    assert "choose one" in mistake(
        trace, "--classes", CLASSES, "--surface-tokens", "5", "--catalog", tmp_path / "catalog.json"
    )
    assert "needs --surface-tokens" in mistake(
        trace, "--classes", CLASSES, "--expect", "tokens_per_correct<5"
    )
    assert "not an expectation" in mistake(trace, "--classes", CLASSES, "--expect", "f1 is good")
    assert "not a trace in the format anthropic" in mistake(
        trace, "--classes", CLASSES, "--format-of", "anthropic"
    )
    assert "unknown value 'langsmith' for --format-of; choose from auto, " in mistake(
        trace, "--classes", CLASSES, "--format-of", "langsmith"
    )
    assert "no such file" in mistake(tmp_path / "none.json", "--classes", CLASSES)
    assert "no such file" in mistake(trace, "--classes", CLASSES, "--catalog", tmp_path / "none.json")


def test_a_catalog_that_is_none_is_a_mistake(tmp_path: Path) -> None:
    words = (TRACES / "toolbooth.json", "--classes", CLASSES, "--catalog")
    broken = tmp_path / "broken.json"
    broken.write_text("{")
    assert "broken JSON" in mistake(*words, broken)
    broken.write_text("{}")
    assert "not a catalog" in mistake(*words, broken)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("map.yaml", "search: [brave.web_search, google.search]\nfetch: http.get\n"),
        (
            "list.yaml",
            "- {name: search, members: [brave.web_search, google.search]}\n- {name: fetch, members: [http.get]}\n",
        ),
        (
            "block.yml",
            "classes:\n  - name: search\n    members: [brave.web_search, google.search]\n"
            "  - name: fetch\n    members: [http.get]\n",
        ),
        ("map.json", json.dumps(WANTED)),
        ("list.json", json.dumps([{"name": name, "members": members} for name, members in WANTED.items()])),
    ],
)
def test_classes_are_read_from_a_file(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    assert read_classes(str(path)) == WANTED


def test_classes_are_read_from_text() -> None:
    assert read_classes(CLASSES) == WANTED
    assert read_classes(" search = brave.web_search , google.search ;fetch=http.get; ") == WANTED


@pytest.mark.parametrize(
    "text", ["", "search", "=a", "a=", "a=b;c", "a=b;a=c", ";=;", "a=,", "a" * 5000, "a\0b", "none.yaml"]
)
def test_text_that_is_no_classes_is_a_mistake(text: str) -> None:
    with pytest.raises(UserMistake, match="--classes"):
        read_classes(text)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a: []\n", 1),
        ("a: [x]\nb: {c: d}\n", 2),
        ("a: [x]\nb: [1]\n", 2),
        ("- {name: a, members: [x]}\n- {name: a, members: [y]}\n", 2),
        ("- {name: a, member: [x]}\n", 1),
        ("- {members: [x]}\n", 1),
        ("- x\n", 1),
        ("a: [x]\na: [y]\n", 2),
        ("classes: []\n", None),
        ("just text\n", 1),
        ("a: [x\n", None),
    ],
)
def test_a_file_that_is_no_classes_is_reported_with_its_place(
    tmp_path: Path, text: str, line: int | None
) -> None:
    path = tmp_path / "classes.yaml"
    path.write_text(text)
    with pytest.raises(ConfigError) as caught:
        read_classes(str(path))
    assert caught.value.path == path
    assert line is None or caught.value.line == line
