"""The retrieval section of a report as tables, and its measures, differences and p-values as text."""

from collections.abc import Sequence

from msgspec import UNSET
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from toolbooth import figures, safetext
from toolbooth.bench.report import EngineScores, PairedVerdict, QueryRow, Rejection, RetrievalSection
from toolbooth.cli.terminal import Column, indented, left_out_words, out, print_columns

LABELS = {
    "recall_at_1": "recall@1",
    "recall_at_3": "recall@3",
    "recall_at_5": "recall@5",
    "recall_at_10": "recall@10",
    "mrr": "MRR",
    "ndcg_at_10": "nDCG@10",
    "map": "MAP",
}
SURELY_LESS = 0.001


def figure(value: float, bounds: tuple[float, float] | None = None) -> str:
    """0.940 [0.872, 0.986]; equal bounds come from equal values and say nothing, so they are left out."""
    if bounds is None or bounds[0] == bounds[1]:
        return f"{value:.3f}"
    return f"{value:.3f} [{bounds[0]:.3f}, {bounds[1]:.3f}]"


def signed(value: float) -> str:
    """A difference with its sign: +0.248, −0.010."""
    return f"{value:+.3f}".replace("-", "−")


def difference(verdict: PairedVerdict) -> str:
    """+0.248 [+0.102, +0.391]; without bounds where all questions differ alike."""
    bounds = f" [{signed(verdict.low)}, {signed(verdict.high)}]" if verdict.low != verdict.high else ""
    return f"{signed(verdict.difference)}{bounds}"


def p_words(p_value: float) -> str:
    """p 0.031, p < 0.001."""
    return f"p < {SURELY_LESS}" if p_value < SURELY_LESS else f"p {p_value:.3f}"


def verdict_words(verdict: PairedVerdict, questions: int | None = None) -> str:
    """The outcome and its p-value; with `questions`, an unclear outcome names the sample size."""
    if verdict.outcome != "unclear":
        words: str = verdict.outcome
    elif questions is None:
        words = "no clear difference"
    else:
        words = f"no clear difference with {figures.counted(questions, 'question')}"
    return f"{words}, {p_words(verdict.p_value)}"


MOST_CAME = 3


def print_retrieval(section: RetrievalSection, worst: int = 5) -> None:
    """The measures, then the comparison with other engines, then the worst questions."""
    console = out()
    _heading(console, section)
    gone = _measures(console, section)
    for other in section.against:
        _verdicts(console, section, other)
    gone += _kinds(console, section)
    _rejections(console, section)
    _worst(console, section, worst)
    _answered(console, section.rejection, worst)
    _gate(console, section)
    for note in (left_out_words(gone, console.width), *section.notes):
        if note:
            console.print(indented(Text(safetext.for_terminal(note, 400), "dim")))


def _heading(console: Console, section: RetrievalSection) -> None:
    line = Text(f"{figures.counted(section.query_count, 'question')} scored", "bold")
    if section.not_scored:
        line.append(f", {figures.number(section.not_scored)} that no tool can answer")
    corpus, golden = (
        safetext.for_terminal(each, 60) for each in (section.corpus_version, section.golden_version)
    )
    line.append(f" · corpus {corpus} · golden set {golden} · 95% intervals", "dim not bold")
    console.print(line)
    console.print()


def _measures(console: Console, section: RetrievalSection) -> list[Column]:
    engines = [(section.engine, section.metrics, section.intervals)]
    engines += [(each.engine, each.metrics, each.intervals) for each in section.against]
    columns = [Column("  measure", "name", [f"  {label}" for label in LABELS.values()])]
    for at, (engine, metrics, intervals) in enumerate(engines):
        flat = metrics.flat()
        cells = [figure(flat[each], intervals.get(each)) for each in LABELS]
        style = "bold" if at == 0 else ""
        columns.append(Column(safetext.for_terminal(engine, 40), "number", cells, goes=at, style=style))
    gone = print_columns(console, columns, console.width)
    console.print()
    return gone


def _verdicts(console: Console, section: RetrievalSection, other: EngineScores) -> None:
    name, ours = safetext.for_terminal(other.engine, 60), safetext.for_terminal(section.engine, 60)
    console.print(Text(f"{ours} against {name}, question by question", "bold"))
    shown = other.verdicts
    apart = [difference(each) for each in shown]
    print_columns(
        console,
        [
            Column("  measure", "name", [f"  {LABELS[each.metric]}" for each in shown]),
            Column("difference", "number", apart),
            Column(
                "better", "number", [figures.number(each.better) for each in shown], goes=1, style="green"
            ),
            Column("worse", "number", [figures.number(each.worse) for each in shown], goes=1, style="red"),
            Column("verdict", "words", [verdict_words(each, section.query_count) for each in shown]),
        ],
        console.width,
    )
    console.print()


def _kinds(console: Console, section: RetrievalSection) -> list[Column]:
    kinds = section.kinds
    if not kinds:
        return []
    flats = [None if each.metrics is None else each.metrics.flat() for each in kinds]

    def column(measure: str, goes: int = 0) -> Column:
        cells = ["" if flat is None else f"{flat[measure]:.3f}" for flat in flats]
        return Column(LABELS[measure], "number", cells, goes)

    rejected = ["" if each.rejected is None else f"{figures.number(each.rejected)}" for each in kinds]
    gone = print_columns(
        console,
        [
            Column(
                "  kind", "name", [f"  {safetext.for_terminal(each.kind, 40) or '(none)'}" for each in kinds]
            ),
            Column("questions", "number", [figures.number(each.questions) for each in kinds]),
            column("recall_at_1"),
            column("recall_at_5"),
            column("mrr", 1),
            column("ndcg_at_10"),
            Column("rejected", "number", rejected),
        ],
        console.width,
    )
    console.print()
    return gone


def _rejections(console: Console, section: RetrievalSection) -> None:
    engines = [(section.engine, section.rejection)]
    engines += [(each.engine, each.rejection) for each in section.against]
    said = [
        _rejection_words(engine, found)
        for engine, found in engines
        if found is not None and (found.unanswerable or found.answerable_rejected)
    ]
    for line in said:
        console.print(indented(Text(line)))
    if said:
        console.print()


def _rejection_words(engine: str, found: Rejection) -> str:
    """How many questions were rejected, rightly and wrongly."""
    name = safetext.for_terminal(engine, 60)
    if found.rate is None:
        return f"{name}: {figures.number(found.answerable_rejected)} of the questions got no result"
    wrongly = f"{figures.number(found.answerable_rejected)} of the others got no result"
    rejected = (
        f"{figures.number(found.rejected)} of {figures.counted(found.unanswerable, 'question')} that "
        "no tool can answer"
    )
    return f"{name}: rejected {rejected}: {figure(found.rate, found.interval)}; {wrongly}"


def _worst(console: Console, section: RetrievalSection, worst: int) -> None:
    rows = [row for row in section.rows[:worst] if row.ndcg_at_10 < 1]
    if not rows:
        return
    console.print(Text("worst questions first", "bold").append("  (--top N shows more)", "dim not bold"))
    for row in rows:
        _question(console, row.query, _rank_words(row))
        _line(console, "wanted", row.wanted)
        _line(console, "found", row.came)
    console.print()


def _rank_words(row: QueryRow) -> str:
    if row.rank is None:
        place = f"not among {len(row.came)}" if row.came else "no result"
    else:
        place = f"first right tool at rank {row.rank}"
    kind = f" · {safetext.for_terminal(row.kind, 40)}" if row.kind else ""
    return (
        f"{place} · recall@5 {row.recall_at_5:.2f} · nDCG@10 {row.ndcg_at_10:.2f} · "
        f"{safetext.for_terminal(row.id, 60)}{kind}"
    )


def _answered(console: Console, rejection: Rejection | None, worst: int) -> None:
    rows = rejection.answered[:worst] if rejection else ()
    if not rows:
        return
    console.print(Text("got a result, though no tool can answer them", "bold"))
    for row in rows:
        _question(console, row.query, safetext.for_terminal(row.id, 60))
        _line(console, "found", row.came)
    console.print()


def _question(console: Console, query: str, about: str) -> None:
    console.print(indented(Text(f"“{safetext.for_terminal(query, 200)}”")))
    console.print(Padding(Text(about, "dim"), (0, 0, 0, 4), expand=False))


def _line(console: Console, title: str, tools: Sequence[str]) -> None:
    named = [safetext.for_terminal(each, 80) for each in tools[:MOST_CAME]]
    more = f" and {len(tools) - MOST_CAME} more" if len(tools) > MOST_CAME else ""
    line = Text(f"{title:<7}", "dim").append((", ".join(named) or "nothing") + more, "not dim")
    console.print(Padding(line, (0, 0, 0, 4), expand=False))


def _gate(console: Console, section: RetrievalSection) -> None:
    gate = section.gate
    if gate.metric is UNSET or gate.floor is UNSET or gate.value is UNSET:
        note = "" if gate.note is UNSET else f"gate: {safetext.for_terminal(gate.note, 200)}"
        console.print(indented(Text(note, "dim")))
        return
    label = LABELS.get(gate.metric, gate.metric)
    sign, style, than = ("✓", "green", "not below") if gate.passed else ("✗", "bold red", "below")
    line = Text(f"{sign} gate {'passed' if gate.passed else 'failed'}: ", style)
    line.append(f"{label} {gate.value:.3f} is {than} {gate.floor:.3f}", "default")
    if isinstance(gate.tolerance, float):
        line.append(f" (the baseline's {gate.floor + gate.tolerance:.3f} − {gate.tolerance:g})", "dim")
    console.print(indented(line))
