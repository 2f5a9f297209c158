"""Running cells: gates, exit codes, filters, shards, faults of servers, budgets, real provider packages."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.behaviour.command_line import at_a_terminal, toolbooth
from tests.behaviour.suites.suite_files import FILED, TICKETS, a_test, echo_server, write_suite
from tests.provider_formats import Calls, Fails, Says
from tests.provider_server import Hangs, ProviderServer, provider_server

FILES = Calls("create_ticket", {"title": "Blank page"})
WANTS_ALL = {"classes": [FILED], "expect": [{"tool_selection.f1": {"==": 100}}]}


def keys(server: ProviderServer) -> dict[str, Any]:
    """An environment in which both providers live on loopback."""
    addresses = {"ANTHROPIC_BASE_URL": server.url, "OPENAI_BASE_URL": server.openai_url}
    return {**addresses, "ANTHROPIC_API_KEY": "sk-ant-not-a-real-key", "OPENAI_API_KEY": "sk-not-a-real-key"}


@pytest.mark.promise("suite:gates")
@pytest.mark.parametrize(
    ("gate", "code"),
    [
        ({"equal_function_sets": {"classes": [FILED]}}, 0),
        ({"equal_function_sets": {"classes": [{"name": "close", "members": ["close_ticket"]}]}}, 1),
        (
            {
                "token_efficiency": {
                    "classes": [FILED],
                    "expect": [{"token_efficiency.tokens_per_correct": {"<": 9}}],
                }
            },
            1,
        ),
        ({"expect": [{"tool_calls[0].args.title": {"contains": "Blank"}}]}, 0),
        ({"expect": [{"final_response": {"regex": "^I closed"}}]}, 1),
        ({"no_calls": True}, 1),
        ({"no_calls": ["tickets.close_ticket"]}, 0),
        ({"budget": 0.01}, 0),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else str(value),
)
def test_each_gate_decides_the_exit_code(tmp_path: Path, gate: dict[str, Any], code: int) -> None:
    write_suite(tmp_path, a_test(**{"equal_function_sets": None, **gate}))
    assert toolbooth("test", "--live", home=tmp_path).code == code


@pytest.mark.promise("suite:gates")
def test_look_alikes_are_served_and_the_fall_of_f1_is_gated(tmp_path: Path) -> None:
    gate = {"count": 40, "seed": 3, "classes": [FILED]}
    write_suite(tmp_path, a_test(equal_function_sets=None, distractors=gate, surface=["direct", "search"]))
    said = toolbooth("test", "--record", "--json", home=tmp_path)
    assert said.code == 0
    figures = [cell["verdicts"][0]["figures"] for cell in said.json["cells"]]
    right = {"distractors.f1": 100, "distractors.f1_drop": 0, "distractors.f1_without": 100}
    assert figures == [right, right]
    padded = list((tmp_path / "cassettes" / "one").glob("*padded*"))
    assert len(padded) == 2


def test_tests_of_one_suite_may_be_padded_each_in_its_own_way(tmp_path: Path) -> None:
    gates = [{"count": count, "classes": [FILED]} for count in (5, 9)]
    tests = [
        a_test(f"padded by {gate['count']}", equal_function_sets=None, distractors=gate) for gate in gates
    ]
    write_suite(tmp_path, *tests)
    assert toolbooth("test", "--record", home=tmp_path).code == 0
    kept = tmp_path / "cassettes" / "one"
    for count in (5, 9):
        (padded,) = kept.glob(f"padded-by-{count}--*--padded*")
        menu = json.loads(padded.read_text())["menu"].removeprefix("sha256:")
        assert len(json.loads((kept / "catalogs" / f"{menu}.json").read_text())["tools"]) == 11 + count


def test_recordings_without_a_place_are_reported_before_anything_runs(tmp_path: Path) -> None:
    write_suite(tmp_path)
    (tmp_path / "cassettes").write_text("in the way")
    said = toolbooth("test", "--record", home=tmp_path)
    assert (said.code, said.out) == (2, "")
    assert "recordings cannot be written here" in said.err


def test_a_recording_that_cannot_be_written_is_an_error_of_its_run_and_is_reported(tmp_path: Path) -> None:
    write_suite(tmp_path)
    (tmp_path / "cassettes" / "one").mkdir(parents=True)
    (tmp_path / "cassettes" / "one" / "catalogs").write_text("in the way")
    said = toolbooth("test", "--record", "--json", home=tmp_path)
    assert said.code == 3
    assert "cannot be written" in said.json["cells"][0]["errors"][0]


@pytest.mark.promise("suite:errors-count")
@pytest.mark.parametrize("surface", ["direct", "search", "code"])
def test_a_server_that_dies_in_mid_run_is_one_error_and_the_others_go_on(
    tmp_path: Path, surface: str
) -> None:
    dying = a_test("dies", script=[{"call": "echo.die"}], surface=surface)
    servers = {"tickets": TICKETS, "echo": echo_server(tmp_path)}
    write_suite(tmp_path, dying, a_test("lives", surface=surface), servers=servers)
    said = toolbooth("test", "--json", home=tmp_path)
    assert said.code == 3
    dead, alive = said.json["cells"]
    assert (dead["status"], alive["status"]) == ("error", "passed")
    assert "echo" in dead["errors"][0]
    assert dead["verdicts"][0]["missed"] == {"file": 1}


@pytest.mark.promise("suite:errors-count")
def test_a_server_that_does_not_start_is_exit_3_with_its_reason(tmp_path: Path) -> None:
    write_suite(tmp_path, servers={"tickets": {"command": "no-such-command-anywhere"}})
    said = toolbooth("test", home=tmp_path)
    assert said.code == 3
    assert "no-such-command-anywhere" in said.out


@pytest.mark.promise("suite:selection")
def test_filters_and_shards_choose_cells(tmp_path: Path) -> None:
    write_suite(
        tmp_path, a_test("open one"), a_test("open two"), a_test("close", surface=["direct", "search"])
    )
    assert toolbooth("test", "--record", home=tmp_path).code == 0

    def names(*words: str) -> list[str]:
        said = toolbooth("test", "--offline", "--json", *words, home=tmp_path)
        return [f"{cell['test']}/{cell['surface']}" for cell in said.json["cells"]]

    assert names("--filter", "OPEN") == ["open one/direct", "open two/direct"]
    assert names("--filter", "close", "--surface", "search") == ["close/search"]
    assert names("--filter", "*two") == ["open two/direct"]
    assert names("--shard", "1/3") + names("--shard", "2/3") + names("--shard", "3/3") == [
        "open one/direct",
        "close/search",
        "open two/direct",
        "close/direct",
    ]
    nothing = toolbooth("test", "--filter", "no such test", home=tmp_path)
    assert nothing.code == 7
    assert "open one" in nothing.err
    assert toolbooth("test", "--shard", "5/4", home=tmp_path).code == 2


@pytest.mark.promise("suite:other-model")
def test_a_suite_runs_with_another_model_and_recordings_are_not_confused(tmp_path: Path) -> None:
    write_suite(tmp_path, a_test())
    assert toolbooth("test", "--record", home=tmp_path).code == 0
    other = ("--with-model", "lexical")
    refused = toolbooth("test", "--offline", *other, home=tmp_path)
    assert (refused.code, refused.out) == (2, "")
    assert "there is no recording for lexical on direct" in refused.err
    assert "--with-model lexical --record" in refused.err
    recorded = toolbooth("test", "--record", *other, "--json", home=tmp_path)
    assert [cell["model"] for cell in recorded.json["cells"]] == ["lexical"]
    assert "warnings" not in recorded.json
    replayed = toolbooth("test", "--offline", *other, "--json", home=tmp_path)
    assert [(cell["model"], cell["source"]) for cell in replayed.json["cells"]] == [("lexical", "replayed")]
    own = toolbooth("test", "--offline", "--json", home=tmp_path)
    assert [(cell["model"], cell["source"]) for cell in own.json["cells"]] == [("scripted", "replayed")]
    (warning,) = own.json["warnings"]
    assert (
        "there are recordings of models that no test names: lexical; score them with --with-model" in warning
    )
    both = toolbooth("test", *other, "--model", "lexical", home=tmp_path)
    assert both.code == 2
    assert "--model, which filters" in both.err


@pytest.mark.promise("suite:selection")
@pytest.mark.parametrize("words", [("--model", "lexical"), ("--surface", "code"), ("--filter", "fils a")])
def test_a_filter_that_fits_nothing_is_named(tmp_path: Path, words: tuple[str, str]) -> None:
    write_suite(tmp_path, a_test())
    said = toolbooth("test", *words, home=tmp_path)
    assert said.code == 7
    assert f"matches {words[0]} {words[1]!r}" in said.err


@pytest.mark.promise("suite:selection")
def test_without_a_suite_it_says_how_to_write_one(tmp_path: Path) -> None:
    said = toolbooth("test", home=tmp_path)
    assert said.code == 7
    assert "toolbooth init" in said.err


def test_fail_fast_leaves_the_rest_undone(tmp_path: Path) -> None:
    failing = a_test("first", no_calls=True)
    write_suite(tmp_path, failing, *(a_test(f"later {n}") for n in range(3)), concurrency=1)
    said = toolbooth("test", "--live", "--fail-fast", "--json", "--seed", "1", home=tmp_path)
    states = [cell["status"] for cell in said.json["cells"]]
    assert said.code == 1
    assert states[0] == "failed"


# -- models ------------------------------------------------------------------------------------------------
@pytest.mark.promise("suite:models")
@pytest.mark.parametrize(
    "model", ["anthropic:claude-sonnet-4-5", "claude-sonnet-4-5", "openai:gpt-4o-mini", "gpt-4o-mini"]
)
def test_a_suite_runs_through_the_real_provider_packages(tmp_path: Path, model: str) -> None:
    write_suite(tmp_path, a_test(model=model, script=None))
    answers = [Says(calls=[FILES], input=1000, output=50), Says("I opened LF-251.", input=1100, output=10)]
    with provider_server(answers) as server:
        said = toolbooth("test", "--record", "--json", home=tmp_path, **keys(server))
    cell = said.json["cells"][0]
    assert said.code == 0, said.err
    assert (cell["input_tokens"], cell["output_tokens"], cell["turns"]) == (2100, 60, 2)
    assert cell["cost"] > 0
    assert toolbooth("test", "--offline", home=tmp_path).code == 0


@pytest.mark.promise("suite:models")
@pytest.mark.parametrize("surface", ["search", "code"])
def test_calls_through_a_surface_are_scored_as_the_real_tools(tmp_path: Path, surface: str) -> None:
    given = {"name": "tickets.create_ticket", "arguments": {"title": "x"}}
    code = (
        "a = await tickets.create_ticket(title='x')\nb = await tickets.get_ticket(key=a['key'])\nb['title']"
    )
    call = Calls("call_tool", given) if surface == "search" else Calls("call_tool_chain", {"code": code})
    write_suite(tmp_path, a_test(model="gpt-4o-mini", script=None, surface=surface))
    answers = [
        Says(calls=[Calls("search_tools", {"query": "open a ticket"})]),
        Says(calls=[call]),
        Says("done"),
    ]
    with provider_server(answers) as server:
        said = toolbooth("test", "--live", "--json", home=tmp_path, **keys(server))
    tools = {"tickets.create_ticket": 1} | ({"tickets.get_ticket": 1} if surface == "code" else {})
    assert said.json["cells"][0]["tools"] == tools


@pytest.mark.promise("suite:models")
@pytest.mark.parametrize(
    ("model", "reported"),
    [
        ("clade-sonnet-4-5", "claude-sonnet-4-5"),
        ("claude-sonnet-4-5", "ANTHROPIC_API_KEY"),
        ("openai:gpt-4o", "OPENAI_API_KEY"),
        ("replay", "--record"),
    ],
)
def test_an_unknown_model_or_a_missing_key_is_said_before_anything_runs(
    tmp_path: Path, model: str, reported: str
) -> None:
    write_suite(tmp_path, a_test("fine"), a_test(model=model, script=None))
    said = toolbooth("test", "--live" if model != "replay" else "--json", home=tmp_path)
    assert (said.code, said.out) == (2 if model == "replay" else 3, "")
    assert reported in said.err


@pytest.mark.promise("suite:models")
def test_a_provider_that_fails_is_an_error_of_its_cell_and_the_others_go_on(tmp_path: Path) -> None:
    refused = a_test("refused", model="claude-sonnet-4-5", script=None, retries=0)
    write_suite(tmp_path, refused, a_test("fine"))
    with provider_server([Fails(500, "overloaded")]) as server:
        said = toolbooth("test", "--json", "--live", home=tmp_path, **keys(server))
    states = [cell["status"] for cell in said.json["cells"]]
    assert (said.code, states) == (3, ["error", "passed"])


@pytest.mark.promise("suite:budget")
def test_a_call_that_could_pass_the_budget_is_refused_before_it_is_made(tmp_path: Path) -> None:
    write_suite(tmp_path, a_test(model="claude-sonnet-4-5", script=None, budget=0.001))
    with provider_server([Says("never asked")]) as server:
        said = toolbooth("test", "--live", home=tmp_path, **keys(server))
        assert server.requests == []
    assert said.code == 5
    assert "could cost" in said.out


@pytest.mark.promise("suite:budget")
def test_the_budget_of_a_suite_holds_over_all_its_tests(tmp_path: Path) -> None:
    priced = {"model": "claude-sonnet-4-5", "script": None, "max_tokens": 1000}
    write_suite(tmp_path, *(a_test(f"t{n}", **priced) for n in range(4)), budget=0.06, concurrency=1)
    answers = [Says("none of them", input=3000, output=900)] * 8
    with provider_server(answers) as server:
        said = toolbooth("test", "--live", "--json", home=tmp_path, **keys(server))
    states = [cell["status"] for cell in said.json["cells"]]
    assert said.code == 5
    assert states.count("refused") >= 1
    assert sum(cell.get("cost", 0) for cell in said.json["cells"]) <= 0.06


@pytest.mark.promise("suite:budget")
def test_a_budget_needs_a_price(tmp_path: Path) -> None:
    local = a_test(model="local-model", base_url="http://127.0.0.1:9/v1", script=None, budget=1)
    write_suite(tmp_path, local)
    assert toolbooth("test", "--live", home=tmp_path).code in (0, 3)  # free of charge: nothing to keep
    write_suite(tmp_path, a_test(model="claude-nobody-knows-1", script=None, budget=1))
    said = toolbooth("test", "--live", home=tmp_path, ANTHROPIC_API_KEY="sk-ant-not-a-real-key")
    assert (said.code, said.out) == (2, "")
    assert "price" in said.err


def test_a_run_that_takes_too_long_is_an_error(tmp_path: Path) -> None:
    write_suite(tmp_path, a_test(model="claude-sonnet-4-5", script=None, timeout=5))
    with provider_server([Hangs()]) as server:
        said = toolbooth("test", "--live", home=tmp_path, **keys(server))
    assert said.code == 3
    assert "did not end within 5 s" in said.out


# -- what is reported --------------------------------------------------------------------------------------
@pytest.mark.promise("suite:baseline")
def test_a_run_that_is_worse_than_its_baseline_fails_with_the_rows_that_moved(tmp_path: Path) -> None:
    gate = {"classes": [FILED], "expect": [{"token_efficiency.f1": {">=": 1}}]}
    write_suite(tmp_path, a_test(equal_function_sets=None, token_efficiency=gate))
    assert toolbooth("test", "--live", "--save", "before.json", home=tmp_path).code == 0
    stray = [{"calls": ["tickets.create_ticket", "tickets.list_labels"]}]
    write_suite(tmp_path, a_test(equal_function_sets=None, token_efficiency=gate, script=stray))
    said = toolbooth("test", "--live", "--baseline", "before.json", home=tmp_path)
    assert said.code == 1
    assert "f1" in said.out.lower()
    loose = ("--max-f1-drop", "50", "--max-tokens-rise", "200")
    assert toolbooth("test", "--live", "--baseline", "before.json", *loose, home=tmp_path).code == 0


@pytest.mark.promise("suite:reports")
def test_several_reports_are_written_in_one_run_and_rendered_again(tmp_path: Path) -> None:
    write_suite(tmp_path)
    words = (
        "--report",
        "junit:j.xml",
        "--report",
        "html:r.html",
        "--report",
        "markdown:s.md",
        "--save",
        "run.json",
    )
    assert toolbooth("test", "--live", *words, home=tmp_path).code == 0
    assert "<testsuite" in (tmp_path / "j.xml").read_text()
    again = toolbooth("report", "run.json", "--format", "markdown", home=tmp_path)
    assert again.out == (tmp_path / "s.md").read_text()
    page = toolbooth("report", "run.json", "--format", "html", home=tmp_path)
    assert page.out == (tmp_path / "r.html").read_text()
    assert toolbooth("test", "--report", "nonsense", home=tmp_path).code == 2


@pytest.mark.promise("suite:progress")
def test_a_person_sees_cells_as_they_end_and_a_pipe_sees_nothing_of_it(tmp_path: Path) -> None:
    write_suite(tmp_path)
    screen = at_a_terminal("test", "--live", typed="", home=tmp_path, cwd=tmp_path)
    assert "✓" in screen
    assert "1 of 1 cells" in screen
    assert toolbooth("test", "--live", home=tmp_path).err == ""


@pytest.mark.promise("suite:bad-input")
@pytest.mark.parametrize(
    ("text", "reported"),
    [
        (
            "tests:\n  - name: a\n    promt: hello\n",
            ":3:5: unknown key 'promt' in tests[0]; did you mean 'prompt'?",
        ),
        ("tests:\n  - name: a\n    equal_function_sets: {classes: []}\n", ":3:36:"),
        ("a: &a [1]\nb: *a\n", "aliases are not allowed"),
        ("tests: [" + "[" * 100 + "]" * 100 + "]", "nested deeper"),
        ("# " + "x" * 5_000_000, "larger than 1 MiB"),
        ("tests: []\n", "the suite has no test"),
        ("just words", "must be a map of keys"),
    ],
    ids=["unknown key", "empty classes", "alias", "deep", "5 MB", "no test", "no map"],
)
def test_a_wrong_file_is_one_line_with_its_place(tmp_path: Path, text: str, reported: str) -> None:
    (tmp_path / "bad.toolbooth.yaml").write_text(text, encoding="utf-8")
    said = toolbooth("test", home=tmp_path)
    assert (said.code, said.out) == (2, "")
    assert reported in said.err
    assert len(said.err.splitlines()) == 1


@pytest.mark.promise("suite:bad-input")
def test_a_pattern_that_would_backtrack_for_ever_does_not(tmp_path: Path) -> None:
    script = [{"say": "a" * 5000 + "!"}]
    wanted = [{"final_response": {"regex": "^(a+)+$"}}]
    write_suite(tmp_path, a_test(script=script, equal_function_sets=None, expect=wanted))
    assert toolbooth("test", "--live", home=tmp_path).code == 1


def test_a_tool_that_no_server_has_is_reported_where_a_gate_names_it(tmp_path: Path) -> None:
    write_suite(tmp_path, a_test(no_calls=["tickets.clse_ticket"]))
    said = toolbooth("test", "--record", home=tmp_path)
    assert said.code == 0
    note = "a gate names tickets.clse_ticket, but no server has such a tool"
    assert note in said.out
    assert note in toolbooth("test", "--offline", home=tmp_path).out


def test_a_cell_that_is_run_for_want_of_a_recording_says_so(tmp_path: Path) -> None:
    write_suite(tmp_path)
    assert "run live, because there is no recording" in toolbooth("test", home=tmp_path).out


def test_the_timeout_of_a_run_holds_while_its_servers_start(tmp_path: Path) -> None:
    silent = {"command": "${TOOLBOOTH_PYTHON}", "args": ["-c", "import time; time.sleep(600)"]}
    write_suite(tmp_path, a_test(timeout=1), servers={"tickets": silent})
    said = toolbooth("test", home=tmp_path)
    assert said.code == 3
    assert "within 1 s" in said.out


def test_overlapping_classes_are_a_warning(tmp_path: Path) -> None:
    both = {"classes": [FILED, {"name": "also", "members": ["tickets.create_ticket"]}]}
    write_suite(tmp_path, a_test(equal_function_sets=both))
    said = toolbooth("test", "--live", "--json", home=tmp_path)
    assert said.code == 0
    assert "is in two classes" in json.dumps(said.json["warnings"])
