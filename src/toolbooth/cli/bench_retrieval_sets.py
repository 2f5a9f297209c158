"""Several measured sets → a table for each measure, and the means over the sets."""

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from toolbooth.bench.report import SURE, EngineScores, RetrievalSection
from toolbooth.bench.retrieval import MeasuredSet, means_over
from toolbooth.cli.bench_retrieval_words import LABELS, figure, verdict_words
from toolbooth.cli.columns import Column, left_out_words, print_columns
from toolbooth.cli.doctor_words import counted, number
from toolbooth.cli.terminal import indented, out
from toolbooth.safetext import for_terminal

SHOWN = ("ndcg_at_10", "recall_at_5")


def print_sets(sets: Sequence[MeasuredSet]) -> None:
    """A row a set; each other engine has a table of its own, so that names and numbers stay whole."""
    console = out()
    others = [each.engine for each in sets[0].section.against]
    gone: list[Column] = []
    for measure in SHOWN:
        for at in range(len(others)) if others else [None]:
            gone += _table(console, sets, measure, at)
    gone += _means(console, sets)
    questions = sum(each.section.query_count for each in sets)
    notes = [
        f"{counted(len(sets), 'set')}, {number(questions)} questions scored; intervals 95 %; "
        f"a difference is clear where its interval leaves out zero and p is below {SURE}",
        *(f"{each.name}: {note}" for each in sets for note in each.section.notes),
    ]
    for note in (left_out_words(gone, console.width), *notes):
        if note:
            console.print(indented(Text(for_terminal(note, 400), "dim")))


def _table(console: Console, sets: Sequence[MeasuredSet], measure: str, at: int | None) -> list[Column]:
    sections = [each.section for each in sets]
    columns = [
        Column(f"  {LABELS[measure]}", "name", [f"  {for_terminal(each.name, 40)}" for each in sets]),
        Column("questions", "number", [number(each.query_count) for each in sections], goes=1),
        Column(
            for_terminal(sections[0].engine, 40),
            "number",
            [_figure(each, measure) for each in sections],
            style="bold",
        ),
    ]
    if at is not None:
        others = [each.against[at] for each in sections]
        cells = [_figure(each, measure) for each in others]
        verdicts = [next(each for each in other.verdicts if each.metric == measure) for other in others]
        columns.append(Column(for_terminal(others[0].engine, 40), "number", cells))
        columns.append(Column("difference", "words", [verdict_words(each) for each in verdicts]))
    gone = print_columns(console, columns, console.width)
    console.print()
    return gone


def _figure(scored: RetrievalSection | EngineScores, measure: str) -> str:
    return figure(scored.metrics.flat()[measure], scored.intervals[measure])


def _means(console: Console, sets: Sequence[MeasuredSet]) -> list[Column]:
    means = means_over(sets)
    flats = [each.flat() for each in means.values()]
    title = f"  mean of {counted(len(sets), 'set')}"
    columns = [Column(title, "name", [f"  {for_terminal(each, 40)}" for each in means])]
    columns += [
        Column(
            label, "number", [f"{flat[measure]:.3f}" for flat in flats], goes=0 if measure in SHOWN else at
        )
        for at, (measure, label) in enumerate(LABELS.items())
    ]
    gone = print_columns(console, columns, console.width)
    console.print()
    return gone
