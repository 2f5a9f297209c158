"""`toolbooth bench report`: a stored report as tables, as Markdown for a pull request, or as its page."""

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from rich.text import Text

from toolbooth import files, safetext, web
from toolbooth.bench.report import (
    BenchReport,
    EndpointSection,
    EngineScores,
    GrowthSection,
    LatencySection,
    ModeCost,
    RetrievalSection,
    SessionCost,
    TokensSection,
    read_report,
    report_object,
)
from toolbooth.cli import arguments, terminal
from toolbooth.cli.bench import growth, latency, live_table, output, retrieval_table, tokens
from toolbooth.figures import counted, megabytes, milliseconds, number, percent, times

EXAMPLES = """\
  toolbooth bench report report/report.json                    the tables, as they were first shown
  toolbooth bench report report/report.json --html page.html   the HTML page, from the same figures
  toolbooth bench report report/report.json --json             the checked report as JSON
"""


def parser() -> arguments.Parser:
    """The options of the subcommand."""
    made = arguments.Parser(
        "bench report", __doc__ or "", EXAMPLES, {1: "the gate failed", 3: "a measurement ended early"}
    )
    made.add_argument("report", metavar="REPORT.json", help="what `toolbooth bench --output DIR` wrote")
    made.add_argument("--html", metavar="FILE", help="write the page there instead of printing tables")
    formats = made.add_mutually_exclusive_group()
    formats.add_argument("--json", action="store_true", help="the whole report as JSON")
    formats.add_argument("--markdown", action="store_true", help="tables for a pull request")
    return made


def run(words: Sequence[str]) -> int:
    """Render; the exit code is that of the run itself."""
    options = parser().parse_args(list(words))
    report = read_report(Path(options.report))
    if options.html:
        _write_page(report, Path(options.html))
    if options.json:
        terminal.print_json(report_object(report))
    elif options.markdown:
        print_markdown(report)
    elif not options.html:
        print_report(report)
    return output.exit_code(report)


def _write_page(report: BenchReport, path: Path) -> None:
    files.write_atomically(path, web.bench_page(report).encode("utf-8", "backslashreplace"))
    terminal.wrote(path)


def print_markdown(report: BenchReport) -> None:
    """Print the report for a pull request."""
    sys.stdout.write(markdown(report))


def print_report(report: BenchReport) -> None:
    """What was measured, then the tables of each section that is there."""
    console = terminal.out()
    console.print(Text(_heading(report), style="bold"))
    for why in _reasons_without_section(report):
        console.print(Text(f"partial: {safetext.for_terminal(why, 300)}", style="red"))
    for section, show in _sections(report):
        if section is not None:
            console.print()
            show(section)


def _reasons_without_section(report: BenchReport) -> list[str]:
    """Reasons why the report is partial that no section prints itself."""
    parts = (report.latency, report.growth, *report.endpoints)
    shown = tuple(f": {part.partial}" for part in parts if part is not None and part.partial)
    return [why for why in report.partial if not shown or not why.endswith(shown)]


def _sections(report: BenchReport) -> list[tuple[Any, Callable[[Any], None]]]:
    return [
        (report.tokens, tokens.print_tokens),
        (report.retrieval, retrieval_table.print_retrieval),
        (report.latency, latency.print_latency),
        (report.growth, growth.print_growth),
        *((each, live_table.print_live) for each in report.endpoints),
    ]


def _heading(report: BenchReport) -> str:
    corpus = report.corpus
    parts = [
        f"toolbooth {safetext.for_terminal(report.toolbooth, 20)}",
        safetext.for_terminal(report.date, 20),
    ]
    if corpus is not None:
        parts.append(
            f"{safetext.for_terminal(corpus.version, 60)}: {corpus.tools:,} tools of {corpus.servers:,} servers"
        )
        parts += [f"{corpus.questions:,} questions"] if corpus.questions else []
    return " · ".join([*parts, safetext.for_terminal(report.machine, 80)])


_SHOWN = ("recall_at_1", "recall_at_5", "recall_at_10", "mrr", "ndcg_at_10")


def markdown(report: BenchReport) -> str:
    """Tables of the sections that are there; foreign text is escaped."""
    blocks = [[_markdown_heading(report)], _notes([f"partial: {why}" for why in web.partial_reasons(report)])]
    if report.tokens is not None:
        withheld = [note for note in report.tokens.notes if "withheld" in note]
        blocks += [_modes(report.tokens), _notes(withheld)]
    if report.retrieval is not None:
        found = report.retrieval
        blocks += [_found(found), _kinds(found), [_gate(found)], _notes(found.notes)]
    if report.latency is not None:
        blocks.append(_times(report.latency))
    if report.growth is not None:
        blocks += [_sizes(report.growth), _notes([*report.growth.bends, *report.growth.notes])]
    if report.endpoints:
        blocks.append(_endpoints(report.endpoints))
    return "\n\n".join("\n".join(lines) for lines in blocks if lines) + "\n"


def _markdown_heading(report: BenchReport) -> str:
    corpus = report.corpus
    if corpus is None:
        return "### toolbooth bench"
    asked = f", {counted(corpus.questions, 'question')}" if corpus.questions else ""
    return f"### {web.measured_tools(report)}{asked} ({safetext.for_markdown(corpus.version, 60)})"


def _notes(notes: Sequence[str]) -> list[str]:
    return [f"- {safetext.for_markdown(note, 400)}" for note in notes]


def _modes(section: TokensSection) -> list[str]:
    sessions = {each.mode: each for each in section.sessions}
    heads = ["mode", "tools", "menu", "saved", "menu + instructions", "saved with them"]
    if sessions:
        heads += ["turns", "right tool shown", "paid / right choice", "with history"]
    rows = [[*_menu(mode), *_session(sessions.get(mode.mode))] for mode in section.modes]
    return _table(heads, rows)


def _menu(mode: ModeCost) -> list[str]:
    return [
        _code(mode.mode),
        f"{mode.context_tools:,}",
        f"{mode.tokens:,}",
        _saved(mode, mode.savings_vs_baseline),
        f"{mode.tokens + mode.instructions_tokens:,}",
        _saved(mode, mode.savings_with_instructions),
    ]


def _code(name: str) -> str:
    """A plain name as code; a stored report may hold anything else."""
    return f"`{name}`" if name.isascii() and name.isidentifier() else safetext.for_markdown(name, 60)


def _saved(mode: ModeCost, share: float | None) -> str:
    if mode.mode == "baseline" or (share is None and mode.savings_vs_baseline is not None):
        return ""
    return "withheld" if share is None else percent(share)


def _session(session: SessionCost | None) -> list[str]:
    if session is None:
        return []
    share = session.correct / session.questions if session.questions else None
    return [
        number(session.turns),
        "" if share is None else percent(share),
        _tokens(session.paid_per_correct),
        _tokens(session.history_per_correct),
    ]


def _tokens(value: float | None) -> str:
    return "" if value is None else number(round(value))


def _found(section: RetrievalSection) -> list[str]:
    rows = [[*_engine(section), ""]]
    for other in section.against:
        verdict = next((each for each in other.verdicts if each.metric == "recall_at_5"), None)
        said = (
            ""
            if verdict is None
            else f"{safetext.for_markdown(section.engine, 40)}: {retrieval_table.verdict_words(verdict)}"
        )
        rows.append([*_engine(other), said])
    return _table(["engine", *(retrieval_table.LABELS[each] for each in _SHOWN), "by recall@5"], rows)


def _engine(scores: RetrievalSection | EngineScores) -> list[str]:
    values = scores.metrics.flat()
    figures = (retrieval_table.figure(values[each], scores.intervals.get(each)) for each in _SHOWN)
    return [safetext.for_markdown(scores.engine, 40), *figures]


def _kinds(section: RetrievalSection) -> list[str]:
    rows = []
    for kind in section.kinds:
        found = kind.metrics
        values = [
            retrieval_table.figure(found.flat()[each]) if found else ""
            for each in ("recall_at_1", "recall_at_5")
        ]
        said = "" if kind.rejected is None else f"{kind.rejected:,} correctly got no result"
        rows.append([safetext.for_markdown(kind.kind, 40), f"{kind.questions:,}", *values, said])
    return (
        _table(["kind of question", "questions", "recall@1", "recall@5", ""], rows) if len(rows) > 1 else []
    )


def _gate(section: RetrievalSection) -> str:
    gate = section.gate
    if not isinstance(gate.value, float) or not isinstance(gate.floor, float):
        return "Gate: passed; there is no baseline to compare with."
    sign = "✅" if gate.passed else "❌"
    return f"{sign} Gate: {_metric(str(gate.metric))} {gate.value:.3f}, required: at least {gate.floor:.3f}."


def _metric(name: str) -> str:
    return retrieval_table.LABELS.get(name) or safetext.for_markdown(name, 40)


def _times(section: LatencySection) -> list[str]:
    return _table(["timed", "p50", "p95", "p99", "to direct"], list(_time_rows(section)))


def _time_rows(section: LatencySection) -> Iterator[list[str]]:
    for each in section.measures:
        ratio = "" if each.ratio is None else times(each.ratio)
        spread = each.spread
        spreads = map(milliseconds, (spread.p50_ms, spread.p95_ms, spread.p99_ms))
        yield [safetext.for_markdown(each.name, 40), *spreads, ratio]


def _sizes(section: GrowthSection) -> list[str]:
    """A row for each size; generated tools are counted beside it."""
    rows = [
        [
            f"{at.tools:,}" + (f" ({at.made_up:,} generated)" if at.made_up else ""),
            f"{at.baseline_tokens:,}",
            f"{at.menu_tokens:,}",
            milliseconds(at.search_p50_ms),
            milliseconds(at.search_p95_ms),
            milliseconds(at.start_ms),
            milliseconds(at.build_ms),
            megabytes(at.memory_mb),
        ]
        for at in section.points
    ]
    heads = [
        "tools",
        "every definition",
        "search surface",
        "search p50",
        "p95",
        "warm start",
        "new index",
        "memory",
    ]
    return _table(heads, rows)


def _endpoints(ends: Sequence[EndpointSection]) -> list[str]:
    heads = ["endpoint", "menu", "menu + instructions", "right tool shown", "paid / right choice", "recall@5"]
    return _table(heads, [_endpoint(each) for each in ends])


def _endpoint(end: EndpointSection) -> list[str]:
    session, found = end.session, end.retrieval
    recall = None if found is None else found.metrics.recall_at.get("5")
    assumed = "" if end.finds == "search" else " (right path assumed)"
    return [
        safetext.for_markdown(end.name, 60),
        f"{end.mode.tokens:,}",
        f"{end.mode.tokens + end.mode.instructions_tokens:,}",
        "" if session is None else f"{session.correct:,} of {session.questions:,}{assumed}",
        "" if session is None else _tokens(session.paid_per_correct),
        ""
        if found is None or recall is None
        else retrieval_table.figure(recall, found.intervals.get("recall_at_5")),
    ]


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    return [_row(heads), _row(["---"] * len(heads)), *map(_row, rows)]


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
