"""A bench report → Markdown for a pull request or a README: what it costs, what is found, how long it takes."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from toolbooth.cli.bench_retrieval_words import LABELS, figure, verdict_words
from toolbooth.safetext import for_markdown

if TYPE_CHECKING:
    from toolbooth.bench.report import EngineScores, LatencySection, Report, RetrievalSection, TokensSection

_SHOWN = ("recall_at_1", "recall_at_5", "recall_at_10", "mrr", "ndcg_at_10")


def markdown(report: "Report") -> str:
    """Tables of the sections that are there; foreign text is escaped."""
    blocks = [[_heading(report)], *([f"- partial: {for_markdown(why, 300)}"] for why in report.partial)]
    if report.tokens is not None:
        blocks += [_modes(report.tokens), _notes(report.tokens.notes, report.tokens.authoritative_headline)]
    if report.retrieval is not None:
        blocks += [_found(report.retrieval), _kinds(report.retrieval), [_gate(report.retrieval)]]
    if report.latency is not None:
        blocks.append(_times(report.latency))
    return "\n\n".join("\n".join(lines) for lines in blocks if lines) + "\n"


def _heading(report: "Report") -> str:
    corpus = report.corpus
    if corpus is None:
        return "### toolbooth bench"
    asked = f", {corpus.questions:,} questions" if corpus.questions else ""
    return f"### {corpus.tools:,} tools of {corpus.servers:,} servers{asked} ({for_markdown(corpus.version, 60)})"


def _modes(section: "TokensSection") -> list[str]:
    sessions = {each.mode: each for each in section.sessions}
    rows = []
    for mode in section.modes:
        session = sessions.get(mode.mode)
        saved = "withheld" if mode.savings_vs_baseline is None else _percent(mode.savings_vs_baseline)
        cells = [
            f"`{mode.mode}`",
            f"{mode.context_tools:,}",
            f"{mode.tokens:,}",
            f"{mode.instructions_tokens:,}",
        ]
        cells.append("" if mode.mode == "baseline" else saved)
        if session is not None:
            share = session.correct / session.questions if session.questions else 0.0
            paid = "" if session.paid_per_correct is None else f"{session.paid_per_correct:,.0f}"
            again = "" if session.history_per_correct is None else f"{session.history_per_correct:,.0f}"
            cells += [f"{session.turns:g}", f"{share:.0%}", paid, again]
        rows.append(cells)
    heads = ["mode", "tools", "menu", "instructions", "saved"]
    if sessions:
        heads += ["turns", "right tool shown", "paid / right choice", "with history"]
    return _table(heads, rows)


def _percent(share: float) -> str:
    return f"{share:.1%}".replace("-", "−")


def _notes(notes: Sequence[str], whole: bool) -> list[str]:
    """Only where something was withheld: the page and the terminal have all of them."""
    return [] if whole else [f"- {for_markdown(note, 400)}" for note in notes if "withheld" in note]


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
    return f"{sign} Gate: {for_markdown(str(gate.metric))} {gate.value:.3f}, and at least {gate.floor:.3f} is wanted."


def _times(section: "LatencySection") -> list[str]:
    return _table(["timed", "p50 ms", "p95 ms", "p99 ms", "× direct"], list(_time_rows(section)))


def _time_rows(section: "LatencySection") -> Iterator[list[str]]:
    for each in section.measures:
        ratio = "" if each.ratio is None else f"{each.ratio:.2f}"
        spread = each.spread
        times = (f"{value:,.2f}" for value in (spread.p50_ms, spread.p95_ms, spread.p99_ms))
        yield [for_markdown(each.name, 40), *times, ratio]


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    return [_row(heads), _row(["---"] * len(heads)), *map(_row, rows)]


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
