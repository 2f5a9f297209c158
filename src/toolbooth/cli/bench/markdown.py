"""A bench report as Markdown for a pull request or a README: every section, what was left out, and why."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from toolbooth.cli.bench.figures import LABELS, figure, took, verdict_words
from toolbooth.figures import counted
from toolbooth.safetext import for_markdown
from toolbooth.web import measured_tools, partial_reasons, percent

if TYPE_CHECKING:
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
    )


_SHOWN = ("recall_at_1", "recall_at_5", "recall_at_10", "mrr", "ndcg_at_10")


def markdown(report: "BenchReport") -> str:
    """Tables of the sections that are there; foreign text is escaped."""
    blocks = [[_heading(report)], _notes([f"partial: {why}" for why in partial_reasons(report)])]
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


def _heading(report: "BenchReport") -> str:
    corpus = report.corpus
    if corpus is None:
        return "### toolbooth bench"
    asked = f", {counted(corpus.questions, 'question')}" if corpus.questions else ""
    return f"### {measured_tools(report)}{asked} ({for_markdown(corpus.version, 60)})"


def _notes(notes: Sequence[str]) -> list[str]:
    return [f"- {for_markdown(note, 400)}" for note in notes]


def _modes(section: "TokensSection") -> list[str]:
    sessions = {each.mode: each for each in section.sessions}
    heads = ["mode", "tools", "menu", "saved", "menu + instructions", "saved with them"]
    if sessions:
        heads += ["turns", "right tool shown", "paid / right choice", "with history"]
    rows = [[*_menu(mode), *_session(sessions.get(mode.mode))] for mode in section.modes]
    return _table(heads, rows)


def _menu(mode: "ModeCost") -> list[str]:
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
    return f"`{name}`" if name.isascii() and name.isidentifier() else for_markdown(name, 60)


def _saved(mode: "ModeCost", share: float | None) -> str:
    if mode.mode == "baseline" or (share is None and mode.savings_vs_baseline is not None):
        return ""
    return "withheld" if share is None else percent(share)


def _session(session: "SessionCost | None") -> list[str]:
    if session is None:
        return []
    share = session.correct / session.questions if session.questions else None
    return [
        f"{session.turns:.3g}",
        "" if share is None else percent(share),
        _tokens(session.paid_per_correct),
        _tokens(session.history_per_correct),
    ]


def _tokens(value: float | None) -> str:
    return "" if value is None else f"{value:,.0f}"


def _found(section: "RetrievalSection") -> list[str]:
    rows = [[*_engine(section), ""]]
    for other in section.against:
        verdict = next((each for each in other.verdicts if each.metric == "recall_at_5"), None)
        said = "" if verdict is None else f"{for_markdown(section.engine, 40)}: {verdict_words(verdict)}"
        rows.append([*_engine(other), said])
    return _table(["engine", *(LABELS[each] for each in _SHOWN), "by recall@5"], rows)


def _engine(scores: "RetrievalSection | EngineScores") -> list[str]:
    values = scores.metrics.flat()
    figures = (figure(values[each], scores.intervals.get(each)) for each in _SHOWN)
    return [for_markdown(scores.engine, 40), *figures]


def _kinds(section: "RetrievalSection") -> list[str]:
    rows = []
    for kind in section.kinds:
        found = kind.metrics
        values = [figure(found.flat()[each]) if found else "" for each in ("recall_at_1", "recall_at_5")]
        said = "" if kind.rejected is None else f"{kind.rejected:,} answered with nothing, as is right"
        rows.append([for_markdown(kind.kind, 40), f"{kind.questions:,}", *values, said])
    return (
        _table(["kind of question", "questions", "recall@1", "recall@5", ""], rows) if len(rows) > 1 else []
    )


def _gate(section: "RetrievalSection") -> str:
    gate = section.gate
    if not isinstance(gate.value, float) or not isinstance(gate.floor, float):
        return "Gate: no baseline was named, so it passes by construction."
    sign = "✅" if gate.passed else "❌"
    return (
        f"{sign} Gate: {_metric(str(gate.metric))} {gate.value:.3f}, and at least {gate.floor:.3f} is wanted."
    )


def _metric(name: str) -> str:
    return LABELS.get(name) or for_markdown(name, 40)


def _times(section: "LatencySection") -> list[str]:
    return _table(["timed", "p50 ms", "p95 ms", "p99 ms", "× direct"], list(_time_rows(section)))


def _time_rows(section: "LatencySection") -> Iterator[list[str]]:
    for each in section.measures:
        ratio = "" if each.ratio is None else f"{each.ratio:.2f}"
        spread = each.spread
        times = (f"{value:,.2f}" for value in (spread.p50_ms, spread.p95_ms, spread.p99_ms))
        yield [for_markdown(each.name, 40), *times, ratio]


def _sizes(section: "GrowthSection") -> list[str]:
    """A row for each size; generated tools are counted beside it."""
    rows = [
        [
            f"{at.tools:,}" + (f" ({at.made_up:,} made up)" if at.made_up else ""),
            f"{at.baseline_tokens:,}",
            f"{at.menu_tokens:,}",
            took(at.search_p50_ms),
            took(at.search_p95_ms),
            took(at.start_ms),
            took(at.build_ms),
            f"{at.memory_mb:,.0f} MB",
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


def _endpoints(ends: "Sequence[EndpointSection]") -> list[str]:
    heads = ["endpoint", "menu", "menu + instructions", "right tool shown", "paid / right choice", "recall@5"]
    return _table(heads, [_endpoint(each) for each in ends])


def _endpoint(end: "EndpointSection") -> list[str]:
    session, found = end.session, end.retrieval
    recall = None if found is None else found.metrics.recall_at.get("5")
    assumed = "" if end.finds == "search" else " (right way assumed)"
    return [
        for_markdown(end.name, 60),
        f"{end.mode.tokens:,}",
        f"{end.mode.tokens + end.mode.instructions_tokens:,}",
        "" if session is None else f"{session.correct:,} of {session.questions:,}{assumed}",
        "" if session is None else _tokens(session.paid_per_correct),
        "" if found is None or recall is None else figure(recall, found.intervals.get("recall_at_5")),
    ]


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    return [_row(heads), _row(["---"] * len(heads)), *map(_row, rows)]


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
