"""Suite files are read in both shapes, and the first mistake is named with its place and what was meant."""

from pathlib import Path

import pytest
from tests.unit.suite.suite_texts import BOTH, SHAPE_A, SHAPE_B, SMALLEST, WHOLE, loaded

from toolbooth.errors import ConfigError, NothingSelected
from toolbooth.suite.gates.equal_function_sets import EqualFunctionSets
from toolbooth.suite.gates.token_efficiency import TokenEfficiency
from toolbooth.suite.spec.load import find_suites, load_suite, suite_stem
from toolbooth.suite.spec.suite import MAX_TURNS, TIMEOUT


def mistake(folder: Path, text: str) -> str:
    """What is said of it, without the path."""
    with pytest.raises(ConfigError) as caught:
        loaded(folder, text)
    return str(caught.value).removeprefix(f"{folder / 'support.toolbooth.yaml'}:")


def test_an_operator_under_the_name_of_its_target_is_read(tmp_path: Path) -> None:
    suite = loaded(tmp_path, SHAPE_A)
    (test,) = suite.tests
    (gate,) = test.gates
    assert (test.models, test.surfaces, test.runs, test.prompt) == (("replay",), ("direct",), 1, "")
    assert isinstance(gate, EqualFunctionSets)
    assert gate.classes == {"search": ("shelf.find", "archive.search"), "fetch": ("http.get",)}
    assert [(each.target, each.wanted) for each in gate.expect] == [("tool_selection.f1", ">= 80")]
    assert suite.warnings == ("the agent 'librarian' is not defined here; only its recordings can be scored",)


def test_target_and_matcher_are_read(tmp_path: Path) -> None:
    (test,) = loaded(tmp_path, SHAPE_B).tests
    (gate,) = test.gates
    assert (test.models, test.agent.servers, test.runs) == (("claude-sonnet-4-5",), ("shelf",), 3)
    assert test.prompt == "Find last year's figures and read them to me."
    assert isinstance(gate, TokenEfficiency)
    assert [each.target for each in gate.expect] == [
        "token_efficiency.f1",
        "token_efficiency.tokens_per_correct",
    ]
    assert [each.fits(60) for each in gate.expect] == [True, True]
    assert [each.fits(1501) for each in gate.expect] == [True, False]


def test_both_shapes_may_stand_in_one_file(tmp_path: Path) -> None:
    assert [test.line for test in loaded(tmp_path, BOTH).tests] == [2, 25]


def test_everything_that_can_be_said_is_read(tmp_path: Path) -> None:
    suite = loaded(tmp_path, WHOLE)
    assert (suite.name, suite.seed, suite.budget, suite.concurrency) == ("the support team", 7, 2.5, 2)
    assert suite.configs == (tmp_path / ".mcp.json", Path.home() / ".cursor" / "mcp.json")
    assert (suite.cassettes, suite.redact) == (tmp_path / "recorded", ("ACME-[0-9]+",))
    assert suite.servers["notes"]["command"] == "notes-server"
    note, hello, idle = suite.tests
    assert (note.models, note.surfaces) == (("lexical", "openai:gpt-5-mini"), ("direct", "search"))
    agent = note.agent
    assert (agent.servers, agent.system_prompt, agent.instructions) == (("notes",), "Be brief.", False)
    assert (agent.max_turns, agent.timeout, agent.temperature, agent.max_tokens) == (4, 30, 0, 500)
    assert (agent.retries, agent.base_url, agent.api_key_env) == (2, "http://127.0.0.1:8080/v1", "DESK_KEY")
    assert agent.price is not None
    assert (agent.price.input, agent.price.output) == (1.0, 2.5)
    assert [type(gate).__name__ for gate in note.gates] == [
        "EqualFunctionSets",
        "TokenEfficiency",
        "Distractors",
        "BudgetGate",
        "Expect",
    ]
    assert (hello.models, hello.surfaces, hello.runs, len(hello.script)) == (("scripted",), ("code",), 2, 4)
    assert hello.agent.system_prompt == ""
    assert [type(gate).__name__ for gate in idle.gates] == ["EqualFunctionSets", "NoCalls"]


def test_what_is_not_said_has_its_default(tmp_path: Path) -> None:
    suite = loaded(tmp_path, SMALLEST)
    (test,) = suite.tests
    assert (suite.name, suite.budget, suite.seed, suite.concurrency) == ("support", None, 0, 4)
    assert suite.cassettes == tmp_path / "cassettes" / "support"
    assert (test.agent.max_turns, test.agent.timeout, test.agent.servers) == (MAX_TURNS, TIMEOUT, None)
    assert test.agent.instructions


def test_a_test_counts_most_then_its_agent_then_the_defaults(tmp_path: Path) -> None:
    text = """\
defaults: {model: lexical, max_turns: 1, runs: 4}
agents: [{name: clerk, max_turns: 2, system_prompt: brief}]
tests:
  - {name: a, agent: clerk, max_turns: 3, no_calls: true}
  - {name: b, agent: clerk, no_calls: true}
  - {name: c, no_calls: true}
"""
    tests = loaded(tmp_path, text).tests
    assert [test.agent.max_turns for test in tests] == [3, 2, 1]
    assert [test.agent.system_prompt for test in tests] == ["brief", "brief", ""]
    assert {test.runs for test in tests} == {4}


def test_the_gates_of_an_agent_are_its_own(tmp_path: Path) -> None:
    text = "agents: [{name: clerk, no_calls: true}]\ntests: [{name: a, agent: clerk, no_calls: [x]}]\n"
    own, test = loaded(tmp_path, text).tests
    assert (own.name, test.name, len(test.gates)) == ("clerk", "a", 1)


def test_a_script_makes_the_model_scripted(tmp_path: Path) -> None:
    text = "tests: [{name: a, prompt: p, script: [notes.list], no_calls: true}]\n"
    assert loaded(tmp_path, text).tests[0].models == ("scripted",)


def test_distractors_take_the_classes_of_another_gate(tmp_path: Path) -> None:
    (note, *_) = loaded(tmp_path, WHOLE).tests
    found = [gate.classes for gate in note.gates if hasattr(gate, "classes")]
    assert len(found) == 3
    assert all(each == {"write": ("notes.create_note",)} for each in found)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "tests:\n  - name: a\n    promt: x\n",
            "3:5: unknown key 'promt' in tests[0]; did you mean 'prompt'?",
        ),
        ("test: []\n", "1:1: unknown key 'test'; did you mean 'tests'?"),
        ("tests:\n  - {name: a, surface: tiny, no_calls: true}\n", "2:24: tests[0].surface must be one of"),
        ("tests:\n  - {name: a, surface: [], no_calls: true}\n", "2:24: the list is empty"),
        ("tests:\n  - {name: a, runs: 0, no_calls: true}\n", "2:21: tests[0].runs must be a whole number"),
        ("tests:\n  - {name: a, runs: true, no_calls: true}\n", "2:21: tests[0].runs must be a whole number"),
        ("tests:\n  - {name: a, type: tool, no_calls: true}\n", "2:21: tests[0].type must be one of agent"),
        ("version: 2\ntests: [{name: a, no_calls: true}]\n", "1:10: version must be 1"),
        ("tests:\n  - {prompt: x, no_calls: true}\n", "2:5: tests[0] needs a `name`"),
        ("tests:\n  -\n", "2:4: tests[0] needs a `name`"),
        ("tests:\n  - {name: a, prompt: x}\n", "2:5: tests[0] has no gate; add one of"),
        ("tests:\n  - {name: a, prompt: ' ', no_calls: true}\n", "2:23: the prompt is empty"),
        (
            "tests:\n  - {name: a, no_calls: true}\n  - {name: a, no_calls: true}\n",
            "3:12: duplicate test 'a'",
        ),
        ("agents: [{name: a}, {name: a}]\n", "1:28: duplicate agent 'a'"),
        ("agents: [{name: a}]\n", "1:1: the suite has no test"),
        ("name: x\n", "1:1: the suite has no test"),
        ("tests:\n", "1:1: the suite has no test"),
        ("- a\n", "1:1: the file must be a map of keys"),
        (
            "tests:\n  - {name: a, model: scripted, prompt: p, no_calls: true}\n",
            "2:5: tests[0]: `model: scripted` needs a `script:`",
        ),
        (
            "tests:\n  - name: a\n    equal_function_sets:\n      classes: []\n",
            "4:16: tests[0].equal_function_sets.classes is empty; list the right tools",
        ),
        (
            "tests:\n  - name: a\n    token_efficiency: {}\n",
            "3:23: tests[0].token_efficiency needs `classes`",
        ),
        (
            "tests:\n  - name: a\n    equal_function_sets: {classes: [{name: s, members: []}]}\n",
            "3:37: tests[0].equal_function_sets.classes[0] needs a `name` and at least one of `members`",
        ),
        (
            "tests:\n  - name: a\n    equal_function_sets:\n      classes:\n"
            "        - {name: s, members: [x]}\n        - {name: s, members: [y]}\n",
            "6:11: duplicate class 's'",
        ),
        (
            "tests:\n  - name: a\n"
            "    equal_function_sets: {classes: [{name: s, members: [x]}], expect_no_calls: true}\n",
            "3:36: tests[0].equal_function_sets.classes must be empty because `expect_no_calls` is true",
        ),
        (
            "tests:\n  - name: a\n    expect:\n      - final_respons: {contains: x}\n",
            "4:9: unknown target 'final_respons'; did you mean 'final_response'?",
        ),
        (
            "tests:\n  - name: a\n    expect:\n      - {target: final_response, matcher: {regex: '('}}\n",
            "4:51: tests[0].expect[0].matcher.regex: this is not a valid pattern",
        ),
        ("tests:\n  - {name: a, distractors: {count: 5}}\n", "2:28: tests[0].distractors needs `classes`"),
        ("tests:\n  - {name: a, no_calls: false}\n", "2:25: tests[0].no_calls must be true, or a list"),
        ("tests:\n  - {name: a, budget: 0}\n", "2:23: tests[0].budget must be a number of dollars above 0"),
        ("servers: {a: {comand: x}}\ntests: [{name: a, no_calls: true}]\n", "1:15: unknown key 'comand'"),
    ],
)
def test_a_mistake_is_named_with_its_place(tmp_path: Path, text: str, said: str) -> None:
    assert mistake(tmp_path, text).startswith(said)


def test_overlapping_classes_are_a_warning(tmp_path: Path) -> None:
    text = """\
tests:
  - name: a
    equal_function_sets:
      classes: [{name: s, members: [x, y]}, {name: t, members: [y]}]
"""
    assert loaded(tmp_path, text).warnings == ("a: y is in two classes, s and t; one call satisfies both",)


def test_an_agent_that_is_nearly_named_is_a_warning_with_what_was_meant(tmp_path: Path) -> None:
    text = "agents: [{name: clerk}]\ntests: [{name: a, agent: clark, no_calls: true}]\n"
    assert loaded(tmp_path, text).warnings == (
        "the agent 'clark' is not defined here; did you mean 'clerk'?",
    )


@pytest.mark.parametrize(
    "text",
    [
        "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\ntests: [{name: *c, no_calls: true}]\n",
        "tests: &t [{name: a, no_calls: true}]\n",
        "tests: *t\n",
        "tests: !!python/object/apply:os.system [x]\n",
    ],
)
def test_bombs_aliases_and_tags_are_refused_before_they_are_built(tmp_path: Path, text: str) -> None:
    assert "are not allowed here" in mistake(tmp_path, text)


def test_a_file_of_five_megabytes_is_refused_unread(tmp_path: Path) -> None:
    assert "MiB" in mistake(tmp_path, SMALLEST + "#" * 5_000_000)


@pytest.mark.parametrize("text", ["", " \n", "tests: [\n", "tests: [}\n", "\x00", "tests: 'a\n", "a" * 100])
def test_what_is_no_yaml_is_one_line(tmp_path: Path, text: str) -> None:
    assert "\n" not in mistake(tmp_path, text)


def test_deep_nesting_is_refused(tmp_path: Path) -> None:
    assert "nested" in mistake(tmp_path, f"tests: {'[' * 5000}{']' * 5000}\n")


def test_names_in_messages_are_clean(tmp_path: Path) -> None:
    name = '"\\e[31mred\\u202e"'
    text = f"tests: [{{name: {name}, no_calls: true}}, {{name: {name}, no_calls: true}}]\n"
    said = mistake(tmp_path, text)
    assert "\x1b" not in said
    assert "\u202e" not in said


def test_a_file_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        load_suite(tmp_path / "none.toolbooth.yaml")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("name", "stem"), [("a.toolbooth.yaml", "a"), ("b.yaml", "b"), ("c.d.yml", "c.d")])
def test_the_stem_is_what_people_call_the_file(name: str, stem: str) -> None:
    assert suite_stem(Path("x") / name) == stem


def touch(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()


def found(folder: Path, *named: str) -> list[str]:
    return [path.relative_to(folder).as_posix() for path in find_suites(named, folder)]


def test_all_suites_here_and_below_but_not_in_foreign_folders(tmp_path: Path) -> None:
    touch(tmp_path, "a.toolbooth.yaml", "deep/er/b.toolbooth.yaml", "c.yaml", "toolbooth.yaml")
    touch(tmp_path, "node_modules/d.toolbooth.yaml", ".venv/e.toolbooth.yaml", "venv/f.toolbooth.yaml")
    assert found(tmp_path) == ["a.toolbooth.yaml", "deep/er/b.toolbooth.yaml"]


def test_a_named_file_may_be_called_anything_and_counts_once(tmp_path: Path) -> None:
    touch(tmp_path, "suite.yaml", "x/a.toolbooth.yaml")
    assert found(tmp_path, "suite.yaml", "x", "x/a.toolbooth.yaml") == ["suite.yaml", "x/a.toolbooth.yaml"]


def test_a_name_that_is_not_there_is_a_mistake_and_an_empty_folder_selects_nothing(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no such file"):
        find_suites(["gone.yaml"], tmp_path)
    with pytest.raises(NothingSelected, match="toolbooth init"):
        find_suites([], tmp_path)
