"""The tables of endpoints: whole numbers at every width, foreign text harmless, and nothing that was not measured."""

import re
from collections.abc import Callable

import msgspec
import pytest
from tests.unit.bench.retrieval.small_set import small_pair

from toolbooth.bench.report import EndpointSection, ModeCost, SessionCost, Spread, StepCost
from toolbooth.bench.retrieval import EngineRun, measure_retrieval
from toolbooth.cli.bench import live_table
from toolbooth.cli.bench.live_table import print_endpoints, print_live
from toolbooth.cli.terminal import PlainConsole

EVIL = "\x1b[31mevil\x07"
PAIR = small_pair()
RIGHT = {each.id: [label.tool for label in each.labels] for each in PAIR.golden.questions}
ANSWERS = {**RIGHT, "q3": ["mail.send_mail"]}
SESSION = SessionCost("mine", 5, 3.0, 1_234, 567.5, 0.0, 40.0, 4_309.5, 5_000.4, 4, 3, 5_386.9, 6_250.5)
SECTION = EndpointSection(
    name=f"mine{EVIL}",
    adapter="toolbooth",
    finds="search",
    baseline_tokens=98_765,
    mode=ModeCost("mine", "", 3, 1_200, 34, 0.9879),
    steps=(StepCost(f"find{EVIL}", 5, 567.5, 1_234, 89.1, Spread(5, 1.2, 2.5, 2.5, 3.75)),),
    session=SESSION,
    retrieval=measure_retrieval(PAIR, EngineRun("mine", ANSWERS)),
    list_ms=12.3,
    notes=(f"a note{EVIL}",),
    beside=(StepCost("GET /api", 5, 0, 0, 0, Spread(5, 9.0, 9.0, 9.0, 9.0)),),
)
BARE = EndpointSection(
    "bare", "passthrough", "oracle", None, ModeCost("bare", "", 0, 0, 0, None), (), None, None, None
)
Printed = Callable[..., str]


@pytest.fixture
def printed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Printed:
    def show(print_: Callable[[], None], width: int = 120) -> str:
        console = PlainConsole(width=width, markup=False, highlight=False, emoji=False)
        monkeypatch.setattr(live_table, "out", lambda: console)
        print_()
        return capsys.readouterr().out

    return show


@pytest.mark.parametrize("width", [50, 80, 120])
def test_no_number_is_cut_at_any_width_and_foreign_text_does_nothing(printed: Printed, width: int) -> None:
    for show in (lambda: print_live(SECTION), lambda: print_endpoints([SECTION, BARE])):
        said = printed(show, width)
        assert all(len(line.rstrip()) <= width for line in said.splitlines())
        assert not re.search(r"\d…", said)
        assert "\x1b" not in said
        assert "\x07" not in said


def test_one_endpoint_tells_all_that_was_measured(printed: Printed) -> None:
    said = printed(lambda: print_live(SECTION))
    for wanted in (
        "1,200",
        "98,765",
        "98.8%",
        "4,310",
        "5,387",
        "6,250",
        "568",
        "1.2",
        "12 ms",
        "a note",
    ):
        assert wanted in said
    assert "100%" in said  # of the questions that no tool can serve
    assert "throw away that document" in said


def test_what_was_not_measured_is_not_reported(printed: Printed) -> None:
    said = printed(lambda: print_live(BARE))
    assert "recall" not in said
    assert "paid" not in said
    assert "None" not in said


def test_endpoints_stand_side_by_side(printed: Printed) -> None:
    said = printed(lambda: print_endpoints([SECTION, BARE]), 140)
    assert re.search(r"mine.* 1,234 .* 4/5 .* 5,387 .* 0\.\d{3} ", said)
    assert re.search(r"bare +0 +0 +–", said)


def test_what_was_asked_beside_is_shown_and_in_no_time_of_a_step(printed: Printed) -> None:
    assert "GET /api" in printed(lambda: print_live(SECTION))
    assert "1.2 ms" in printed(lambda: print_endpoints([SECTION]), 160)


@pytest.mark.parametrize(("finds", "words"), [("search", "its own search"), ("oracle", "it has no search")])
def test_the_way_to_a_tool_is_reported_in_plain_words(printed: Printed, finds: str, words: str) -> None:
    said = printed(lambda: print_live(msgspec.structs.replace(SECTION, finds=finds)))
    assert words in said
    assert "oracle" not in said


def test_equal_values_have_no_interval(printed: Printed) -> None:
    assert "95% interval" in printed(lambda: print_live(SECTION))
    all_right = msgspec.structs.replace(SECTION, retrieval=measure_retrieval(PAIR, EngineRun("mine", RIGHT)))
    said = printed(lambda: print_live(all_right))
    assert "95% interval" not in said
    assert "1.000" in said


def test_a_partial_one_is_called_so(printed: Printed) -> None:
    cut = msgspec.structs.replace(SECTION, partial=f"ended (exit 1){EVIL}")
    assert "partial: ended (exit 1)" in printed(lambda: print_live(cut))
    assert "is partial: ended (exit 1)" in printed(lambda: print_endpoints([cut]))
