"""`toolbooth bench retrieval`: how well the right tools are found, compared with other engines or a baseline."""

from argparse import ArgumentTypeError, Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from toolbooth import bench, errors, figures, safetext
from toolbooth.bench.report import SURE, EngineScores, RetrievalSection
from toolbooth.cli import arguments, terminal
from toolbooth.cli.bench import output, retrieval_table, sources
from toolbooth.files import write_atomically

EXAMPLES = """\
  toolbooth bench retrieval                                    the built-in tools and questions
  toolbooth bench retrieval --against bm25                     compared with plain BM25, question by question
  toolbooth bench retrieval --catalog c.json --golden g.json    your own
  toolbooth bench retrieval .mcp.json --golden g.json          the tools of live servers
  toolbooth bench retrieval --write-baseline base.json         save these figures …
  toolbooth bench retrieval --baseline base.json               … and exit 1 if recall@5 falls by more than 0.05
  toolbooth bench retrieval --output now && toolbooth bench retrieval --against now/report.json
  toolbooth bench retrieval --folder sets --against bm25       every golden set below a folder, and their mean

engines: toolbooth (the gateway's search) · words (without the semantic table) · bm25 (plain) · onnx:PATH (a local
model). A question without a relevant label has no matching tool; the right answer is an empty result.
"""
EXITS = {
    1: "the gate failed",
    3: "nothing could be reached, or a set could not be measured",
}


def parser() -> arguments.Parser:
    """The options of the command."""
    made = arguments.Parser("bench retrieval", __doc__ or "", EXAMPLES, EXITS)
    add = made.add_argument
    sources.add_tools(add)
    sources.add_questions(add)
    add("--engine", default="toolbooth", metavar="NAME", help="the engine to measure (default toolbooth)")
    add(
        "--against",
        action="append",
        default=[],
        metavar="NAME|REPORT",
        help="an engine, or an earlier report.json",
    )
    add(
        "--folder", metavar="DIR", help="measure every golden set below this folder, each with its own corpus"
    )
    add("--baseline", metavar="FILE", help="an earlier report.json or a baseline; exit 1 if the gate fails")
    add("--metric", metavar="M", help="the metric that must not fall (default recall_at_5)")
    add(
        "--tolerance",
        type=_tolerance,
        metavar="X",
        help="how far the metric may fall (default: the baseline's, or 0.05)",
    )
    add("--write-baseline", metavar="FILE", help="save these figures as a baseline, unless the gate fails")
    add(
        "--top",
        type=arguments.tokens,
        default=5,
        metavar="N",
        help="how many of the worst questions to show (default 5)",
    )
    add("--seed", type=arguments.tokens, default=0, metavar="N", help="seed of the intervals (default 0)")
    output.add_output(add)
    made.takes_command()
    return made


def _tolerance(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise ArgumentTypeError(f"{text!r} is not a number from 0 to 1; try 0.05")
    return value


def run(words: Sequence[str]) -> int:
    """Measure and report; exit 1 if the gate fails."""
    typed = arguments.split_command_line(words)
    options = parser().parse_args(typed.options)
    if options.folder:
        return _folder(options, typed)
    rule, stored = _rule(options), _stored(options.against)
    _check_engines([options.engine, *(each for each in options.against if each not in stored)])
    pair = sources.pair_of(options, typed.command)
    with output.status_line(_asking(pair)):
        section = bench.measure_retrieval(
            pair,
            options.engine,
            against=_against(options, stored, pair),
            rule=rule,
            allow_mismatch=options.allow_mismatch,
            seed=options.seed,
        )
    if options.write_baseline:
        _write_baseline(section, rule, Path(options.write_baseline))
    return _print(section, pair, options)


def section_of(
    measured: bench.Corpus | bench.Pair,
    options: Namespace,
    command: Sequence[str],  # noqa: ARG001
) -> RetrievalSection:
    """The section as part of a whole benchmark: our engine beside plain BM25, and the gate where one is asked for."""
    if isinstance(measured, bench.Corpus):
        raise errors.UserMistake("retrieval needs questions; name them with --golden FILE")
    baseline = bench.read_baseline(Path(options.baseline)) if options.baseline else None
    with output.status_line(_asking(measured)):
        return bench.measure_retrieval(
            measured,
            against=["bm25"],
            rule=bench.GateRule(bench.METRIC, None, baseline),
            allow_mismatch=options.allow_mismatch,
        )


def _asking(pair: bench.Pair) -> str:
    return f"asking {len(pair.golden.questions):,} questions of {len(pair.corpus.catalog):,} tools"


def _print(section: RetrievalSection, pair: bench.Pair, options: Namespace) -> int:
    def show() -> None:
        retrieval_table.print_retrieval(section, options.top)

    report = output.new_report(pair, retrieval=section)
    output.deliver(report, section, options, show)
    return output.exit_code(report)


def _rule(options: Namespace) -> bench.GateRule:
    baseline = bench.read_baseline(Path(options.baseline)) if options.baseline else None
    return bench.GateRule(options.metric or bench.METRIC, options.tolerance, baseline)


def _stored(against: Sequence[str]) -> dict[str, tuple[bench.StoredRun, ...]]:
    """The stored reports among these names; engine names take precedence over files."""
    files = (each for each in against if each.partition(":")[0] not in bench.ENGINES)
    return {
        each: bench.read_runs(Path(each)) for each in files if each.endswith(".json") or Path(each).is_file()
    }


def _check_engines(engines: Sequence[str]) -> None:
    """Refuse unknown engine names before servers are started."""
    for each in engines:
        bench.engine_named(each)


def _against(
    options: Namespace, stored: dict[str, tuple[bench.StoredRun, ...]], pair: bench.Pair
) -> list[str | bench.EngineRun]:
    found: list[str | bench.EngineRun] = []
    for each in options.against:
        runs = [run.over(pair, allow_mismatch=options.allow_mismatch) for run in stored.get(each, ())]
        found += runs or [each]
    return found


def _write_baseline(section: RetrievalSection, rule: bench.GateRule, path: Path) -> None:
    if not section.gate.passed:
        terminal.complain(
            str(path), "not written, because the gate failed; leave out --baseline to write it anyway"
        )
        return
    write_atomically(path, bench.baseline_bytes(section, rule.metric, rule.allowed))
    terminal.wrote(path)


def _folder(options: Namespace, typed: arguments.CommandLine) -> int:
    names = ("golden", "baseline", "metric", "tolerance", "write_baseline")
    alone = [f"--{name.replace('_', '-')}" for name in names if getattr(options, name) is not None]
    if sources.names_tools(options, typed.command) or alone:
        what = alone[0] if alone else "tools"
        raise errors.UserMistake(
            f"choose one: --folder measures several sets, {what} belongs to a single one"
        )
    stored = _stored(options.against)
    if stored:
        raise errors.UserMistake(
            "an earlier report covers one set; compare it without --folder, or name engines"
        )
    _check_engines([options.engine, *options.against])
    return measure_folder(Path(options.folder), options)


def measure_folder(folder: Path, options: Namespace) -> int:
    """Measure every set. One that fails is reported and the rest continue (exit 3); if all fail, it is an error."""
    found = bench.find_sets(folder)
    left_out = list(found.left_out)
    measured = list(_measured(found, left_out, options))
    for each in left_out:
        terminal.complain(each.file, each.why)
    if not measured:
        raise errors.ConfigError("none of the sets in this folder can be measured", folder)
    if options.json:
        terminal.print_json(_as_json(measured, left_out))
    else:
        print_sets(measured)
    return 3 if left_out else 0


def _measured(
    found: bench.FoundSets, left_out: list[bench.LeftOut], options: Namespace
) -> Iterator[bench.MeasuredSet]:
    with output.status_line(f"{len(found.sets):,} sets") as progress:
        for at, each in enumerate(found.sets, 1):
            progress(f"set {at:,} of {len(found.sets):,} · {each.name}")
            try:
                pair = each.load(allow_unknown=options.allow_unknown)
                section = bench.measure_retrieval(
                    pair, options.engine, against=options.against, seed=options.seed
                )
            except errors.UserMistake as error:
                left_out.append(bench.LeftOut(str(each.golden), str(error).removeprefix(f"{each.golden}: ")))
                continue
            if options.out:
                output.write_report(
                    output.new_report(pair, retrieval=section), Path(options.out, *each.name.split())
                )
            yield bench.MeasuredSet(each.name, section)


def _as_json(measured: Sequence[bench.MeasuredSet], left_out: Sequence[bench.LeftOut]) -> dict[str, Any]:
    import msgspec

    return {
        "sets": [{"name": each.name, **msgspec.to_builtins(each.section)} for each in measured],
        "means": msgspec.to_builtins(bench.means_over(measured)),
        "left_out": [each._asdict() for each in left_out],
    }


SHOWN = ("ndcg_at_10", "recall_at_5")


def print_sets(sets: Sequence[bench.MeasuredSet]) -> None:
    """One row for each set; each other engine has its own table, so that names and numbers are never cut."""
    console = terminal.out()
    others = [each.engine for each in sets[0].section.against]
    gone: list[terminal.Column] = []
    for measure in SHOWN:
        for at in range(len(others)) if others else [None]:
            gone += _table(console, sets, measure, at)
    gone += _means(console, sets)
    questions = sum(each.section.query_count for each in sets)
    notes = [
        f"{figures.counted(len(sets), 'set')}, {figures.number(questions)} questions scored; 95% intervals; "
        f"a difference is clear if its interval excludes zero and p is below {SURE}",
        *(f"{each.name}: {note}" for each in sets for note in each.section.notes),
    ]
    for note in (terminal.left_out_words(gone, console.width), *notes):
        if note:
            console.print(terminal.indented(Text(safetext.for_terminal(note, 400), "dim")))


def _table(
    console: Console, sets: Sequence[bench.MeasuredSet], measure: str, at: int | None
) -> list[terminal.Column]:
    sections = [each.section for each in sets]
    columns = [
        terminal.Column(
            f"  {retrieval_table.LABELS[measure]}",
            "name",
            [f"  {safetext.for_terminal(each.name, 40)}" for each in sets],
        ),
        terminal.Column(
            "questions", "number", [figures.number(each.query_count) for each in sections], goes=1
        ),
        terminal.Column(
            safetext.for_terminal(sections[0].engine, 40),
            "number",
            [_figure(each, measure) for each in sections],
            style="bold",
        ),
    ]
    if at is not None:
        others = [each.against[at] for each in sections]
        cells = [_figure(each, measure) for each in others]
        verdicts = [next(each for each in other.verdicts if each.metric == measure) for other in others]
        columns.append(terminal.Column(safetext.for_terminal(others[0].engine, 40), "number", cells))
        columns.append(
            terminal.Column("difference", "words", [retrieval_table.verdict_words(each) for each in verdicts])
        )
    gone = terminal.print_columns(console, columns, console.width)
    console.print()
    return gone


def _figure(scored: RetrievalSection | EngineScores, measure: str) -> str:
    return retrieval_table.figure(scored.metrics.flat()[measure], scored.intervals[measure])


def _means(console: Console, sets: Sequence[bench.MeasuredSet]) -> list[terminal.Column]:
    means = bench.means_over(sets)
    flats = [each.flat() for each in means.values()]
    title = f"  mean of {figures.counted(len(sets), 'set')}"
    columns = [terminal.Column(title, "name", [f"  {safetext.for_terminal(each, 40)}" for each in means])]
    columns += [
        terminal.Column(
            label, "number", [f"{flat[measure]:.3f}" for flat in flats], goes=0 if measure in SHOWN else at
        )
        for at, (measure, label) in enumerate(retrieval_table.LABELS.items())
    ]
    gone = terminal.print_columns(console, columns, console.width)
    console.print()
    return gone
