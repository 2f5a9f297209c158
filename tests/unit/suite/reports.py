"""A report as a real run gives it: four tests × two models × three surfaces, and not all of them well."""

from dataclasses import replace

from toolbooth.suite.compare import compare
from toolbooth.suite.metrics import Selection, wilson
from toolbooth.suite.report import CellKey, CellReport, SuiteReport
from toolbooth.suite.transcript import ShownCall, ShownTurn, Transcript
from toolbooth.suite.verdict import Check, Verdict

MODELS = ("anthropic:claude-sonnet-4-5", "openai:gpt-5-mini")
SURFACES = ("direct", "search", "code")
TESTS = (
    "find the latest invoice mail",
    "open a ticket for a broken login",
    "plan a trip around the weather",
    "say no to payments",
)
TOKENS = {"direct": 18_432, "search": 1_204, "code": 980}
HOSTILE = (
    "\x1b[31mred\x1b[0m ]]> <script>alert(1)</script>\n::error::x `tick` \u202eevil\x00 a|b # c ##[error]x"
)


def cell(
    test: str = TESTS[0],
    model: str = MODELS[0],
    surface: str = "direct",
    selection: Selection | None = None,
    **more: object,
) -> CellReport:
    """One that ran three times and passed, by default."""
    selection = selection or Selection(6, 0, 0)
    surface_tokens = TOKENS.get(surface, 1_000)
    made = CellReport(
        CellKey(test, model, surface),
        "passed" if selection.f1 >= 80 else "failed",
        runs=3,
        source="replayed",
        verdicts=verdicts(selection, surface_tokens),
        passes=wilson(3 if selection.f1 == 100 else 1, 3),
        tools={"mail.search": 3, "mail.read": 3, **selection.unexpected},
        turns=9,
        input_tokens=surface_tokens * 9 + 4_210,
        output_tokens=812,
        tool_surface_tokens=surface_tokens,
        cost=round((surface_tokens * 9 + 4_210) * 0.3e-5, 6),
        seconds=7.25,
        path="suites/office.toolbooth.yaml",
        line=4 + 14 * (TESTS.index(test) if test in TESTS else 0),
    )
    return replace(made, **more)  # type: ignore[arg-type]


def with_transcript(words: str = "") -> CellReport:
    """One whose runs can be read; with words, these stand in every text of it."""
    call = ShownCall(
        words or "call_tool",
        words or '{"status": "open"}',
        words or "LF-1 is open",
        is_error=bool(words),
        made=(words or "tickets.list_tickets",),
    )
    turns = (ShownTurn(calls=(call,)), ShownTurn(words or "There is one."))
    runs = (
        Transcript(1, "done", made_at="2026-11-18T08:26:29Z", tokens=1204, turns=turns),
        Transcript(1, "error", padded=True, error=words or "the server ended", left_out=3),
    )
    versions = {"toolbooth": "0.1.0", words or "tickets": words or "2.1"}
    return cell(prompt=words or "Which tickets are open?", transcripts=runs, versions=versions)


def verdicts(selection: Selection, surface_tokens: int) -> tuple[Verdict, ...]:
    """Both gates on the same runs."""
    state = "passed" if selection.f1 >= 80 else "failed"
    percents = {f"tool_selection.{name}": getattr(selection, name) for name in ("f1", "precision", "recall")}
    tokens = {"token_efficiency.correct_selections": selection.tp, "token_efficiency.cost": 0.0123}
    if selection.tp:
        tokens["token_efficiency.tokens_per_correct"] = surface_tokens / selection.tp
        tokens["token_efficiency.paid_tokens_per_correct"] = (surface_tokens * 9 + 4_210) / selection.tp
        tokens["token_efficiency.cost_per_correct"] = 0.0123 / selection.tp
    sets = Check("tool_selection.f1", ">= 80", selection.f1, state)  # type: ignore[arg-type]
    return (
        Verdict(
            "equal_function_sets", (sets,), percents, selection.grade, selection.missed, selection.unexpected
        ),
        Verdict("token_efficiency", (Check("token_efficiency.f1", ">= 50", selection.f1),), tokens),
    )


def sample() -> SuiteReport:
    """Failed, errored, refused and not run are all in it."""
    cells = {(each.key): each for each in _all()}
    first = MODELS[0], MODELS[1]

    def put(made: CellReport) -> None:
        cells[made.key] = made

    put(
        cell(
            TESTS[0],
            first[1],
            "direct",
            Selection(3, 4, 3, {"read": 3}, {"files.search": 3, "notes.list": 1}),
        )
    )
    put(cell(TESTS[1], first[0], "search", Selection(4, 0, 2, {"create ticket": 2})))
    put(
        cell(
            TESTS[2],
            first[1],
            "code",
            Selection(0, 0, 6, {"forecast": 3, "calendar": 3}),
            status="error",
            errors=("weather: the process ended before it answered (exit 1)",) * 3,
            passes=wilson(0, 3),
            cost=None,
        )
    )
    put(cell(TESTS[2], first[1], "search", status="refused", errors=("the budget of $0.50 would be passed",)))
    put(
        CellReport(
            CellKey(TESTS[3], first[1], "code"), "not run", path="suites/office.toolbooth.yaml", line=46
        )
    )
    put(
        cell(
            TESTS[3],
            first[0],
            "code",
            notes=("the recording has no catalog: token_efficiency is skipped; record it again",),
        )
    )
    return SuiteReport(
        ("suites/office.toolbooth.yaml",),
        tuple(cells.values()),
        ("classes `read` and `search` of 'find the latest invoice mail' share mail.search",),
        seed=7,
    )


def _all() -> list[CellReport]:
    return [cell(test, model, surface) for test in TESTS for model in MODELS for surface in SURFACES]


def all_passed() -> SuiteReport:
    """Nothing to complain of."""
    return SuiteReport(("suites/office.toolbooth.yaml",), tuple(_all()))


def compared() -> SuiteReport:
    """The sample against a run in which all was well."""
    return replace(sample(), comparison=compare(sample(), all_passed(), "main.json"))


def hostile(text: str = HOSTILE) -> SuiteReport:
    """The same text in every place that is not ours."""
    selection = Selection(1, 2, 3, {text: 2}, {text + "2": 2})
    check = Check(text, text, {text: [text, 1.5]}, "failed", text)
    skipped = Check(text, text, None, "skipped", text)
    verdict = Verdict(
        text, (check, skipped), {text: 1.5, "x.f1": 33}, text, selection.missed, selection.unexpected
    )
    bad = [
        CellReport(
            CellKey(f"{text}{status}", text, text),
            status,
            2,
            "live",
            (verdict,),
            (text,),
            (text,),
            wilson(1, 2),
            {text: 3},
            path=text,
            line=3,
        )
        for status in ("passed", "failed", "error", "refused", "not run")
    ]
    report = SuiteReport((text,), tuple(bad), (text,), 1, text, True)
    before = replace(report, cells=tuple(replace(each, status="passed") for each in bad))
    return replace(report, comparison=compare(report, before, text))
