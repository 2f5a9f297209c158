"""A folder of golden sets: each is measured in turn, and all are shown as one table or one JSON document."""

from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from toolbooth.bench.report import SURE, EngineScores, RetrievalSection
from toolbooth.bench.retrieval import (
    FoundSets,
    LeftOut,
    MeasuredSet,
    find_sets,
    means_over,
    measure_retrieval,
)
from toolbooth.cli.bench.figures import LABELS, figure, verdict_words
from toolbooth.cli.bench.output import new_report, status_line, write_report
from toolbooth.cli.terminal import Column, complain, indented, left_out_words, out, print_columns, print_json
from toolbooth.errors import ConfigError, UserMistake
from toolbooth.figures import counted, number
from toolbooth.safetext import for_terminal


def measure_folder(folder: Path, options: Namespace) -> int:
    """Measure every set. One that fails is reported and the rest continue (exit 3); if all fail, it is an error."""
    found = find_sets(folder)
    left_out = list(found.left_out)
    measured = list(_measured(found, left_out, options))
    for each in left_out:
        complain(each.file, each.why)
    if not measured:
        raise ConfigError("none of its sets can be measured", folder)
    if options.json:
        print_json(_as_json(measured, left_out))
    else:
        print_sets(measured)
    return 3 if left_out else 0


def _measured(found: FoundSets, left_out: list[LeftOut], options: Namespace) -> Iterator[MeasuredSet]:
    with status_line(f"{len(found.sets):,} sets") as progress:
        for at, each in enumerate(found.sets, 1):
            progress(f"set {at:,} of {len(found.sets):,} · {each.name}")
            try:
                pair = each.load(allow_unknown=options.allow_unknown)
                section = measure_retrieval(pair, options.engine, against=options.against, seed=options.seed)
            except UserMistake as error:
                left_out.append(LeftOut(str(each.golden), str(error).removeprefix(f"{each.golden}: ")))
                continue
            if options.out:
                write_report(new_report(pair, retrieval=section), Path(options.out, *each.name.split()))
            yield MeasuredSet(each.name, section)


def _as_json(measured: Sequence[MeasuredSet], left_out: Sequence[LeftOut]) -> dict[str, Any]:
    import msgspec

    return {
        "sets": [{"name": each.name, **msgspec.to_builtins(each.section)} for each in measured],
        "means": msgspec.to_builtins(means_over(measured)),
        "left_out": [each._asdict() for each in left_out],
    }


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
