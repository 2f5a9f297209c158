"""`toolbooth bench retrieval`: how well the right tools are found, beside other engines and a stored baseline."""

from argparse import ArgumentTypeError, Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from toolbooth.cli.arguments import Parser, split_command_line, tokens
from toolbooth.cli.bench.output import add_output, deliver, exit_code, new_report, status_line
from toolbooth.cli.bench.sources import add_questions, add_tools, names_tools, pair_of
from toolbooth.errors import UserMistake

if TYPE_CHECKING:
    from toolbooth.bench import Corpus, Pair
    from toolbooth.bench.report import RetrievalSection
    from toolbooth.bench.retrieval import EngineRun, GateRule, StoredRun
    from toolbooth.cli.arguments import CommandLine


EXAMPLES = """\
  toolbooth bench retrieval                                    the built-in tools and questions
  toolbooth bench retrieval --against bm25                     beside plain BM25, question by question
  toolbooth bench retrieval --catalog c.json --golden g.json    your own
  toolbooth bench retrieval .mcp.json --golden g.json          the tools of live servers
  toolbooth bench retrieval --write-baseline base.json         keep today's figures …
  toolbooth bench retrieval --baseline base.json               … and fail (exit 1) when recall@5 falls by over 0.05
  toolbooth bench retrieval --output now && toolbooth bench retrieval --against now/report.json
  toolbooth bench retrieval --folder sets --against bm25       every golden set below a folder, and the mean

engines: toolbooth (as the gateway searches) · words (without meaning) · bm25 (plain) · onnx:PATH (a local model).
a question without a relevant label is one that no tool can serve: the right answer to it is none.
"""


def parser() -> Parser:
    """The options of the command."""
    made = Parser("bench retrieval", __doc__ or "", EXAMPLES)
    add = made.add_argument
    add_tools(add)
    add_questions(add)
    add("--engine", default="toolbooth", metavar="NAME", help="the engine to measure (default toolbooth)")
    add(
        "--against",
        action="append",
        default=[],
        metavar="NAME|REPORT",
        help="an engine, or an earlier report.json",
    )
    add("--folder", metavar="DIR", help="measure every golden set below it with the corpus that it names")
    add(
        "--baseline", metavar="FILE", help="an earlier report.json or a baseline: exit 1 where the gate fails"
    )
    add("--metric", metavar="M", help="what must not fall (default recall_at_5)")
    add("--tolerance", type=_tolerance, metavar="X", help="how far it may (default: the baseline's, or 0.05)")
    add("--write-baseline", metavar="FILE", help="keep these figures as a baseline, unless the gate fails")
    add(
        "--top",
        type=tokens,
        default=5,
        metavar="N",
        help="how many of the worst questions to show (default 5)",
    )
    add("--seed", type=tokens, default=0, metavar="N", help="of the intervals (default 0)")
    add_output(add)
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
    typed = split_command_line(words)
    options = parser().parse_args(typed.options)
    if options.folder:
        return _folder(options, typed)
    from toolbooth.bench.retrieval import measure_retrieval

    rule, stored = _rule(options), _stored(options.against)
    _check_engines([options.engine, *(each for each in options.against if each not in stored)])
    pair = pair_of(options, typed.command)
    with status_line(_asking(pair)):
        section = measure_retrieval(
            pair,
            options.engine,
            against=_against(options, stored, pair),
            rule=rule,
            allow_mismatch=options.allow_mismatch,
            seed=options.seed,
        )
    if options.write_baseline:
        _write_baseline(section, rule, Path(options.write_baseline))
    return _tell(section, pair, options)


def section_of(
    measured: "Corpus | Pair",
    options: Namespace,
    command: Sequence[str],  # noqa: ARG001
) -> "RetrievalSection":
    """The section as part of a whole benchmark: our engine beside plain BM25, and the gate where one is asked for."""
    from toolbooth.bench import Corpus
    from toolbooth.bench.retrieval import METRIC, GateRule, measure_retrieval, read_baseline

    if isinstance(measured, Corpus):
        raise UserMistake("retrieval needs questions: name them with --golden FILE")
    baseline = read_baseline(Path(options.baseline)) if options.baseline else None
    with status_line(_asking(measured)):
        return measure_retrieval(
            measured,
            against=["bm25"],
            rule=GateRule(METRIC, None, baseline),
            allow_mismatch=options.allow_mismatch,
        )


def _asking(pair: "Pair") -> str:
    return f"asking {len(pair.golden.questions):,} questions of {len(pair.corpus.catalog):,} tools"


def _tell(section: "RetrievalSection", pair: "Pair", options: Namespace) -> int:
    def show() -> None:
        from toolbooth.cli.bench.retrieval_table import print_retrieval

        print_retrieval(section, options.top)

    report = new_report(pair, retrieval=section)
    deliver(report, section, options, show)
    return exit_code(report)


def _rule(options: Namespace) -> "GateRule":
    from toolbooth.bench.retrieval import METRIC, GateRule, read_baseline

    baseline = read_baseline(Path(options.baseline)) if options.baseline else None
    return GateRule(options.metric or METRIC, options.tolerance, baseline)


def _stored(against: Sequence[str]) -> "dict[str, tuple[StoredRun, ...]]":
    """The stored reports among these names; engine names take precedence over files."""
    from toolbooth.bench.retrieval import ENGINES, read_runs

    files = (each for each in against if each.partition(":")[0] not in ENGINES)
    return {each: read_runs(Path(each)) for each in files if each.endswith(".json") or Path(each).is_file()}


def _check_engines(engines: Sequence[str]) -> None:
    """Refuse unknown engine names before servers are started."""
    from toolbooth.bench.retrieval import engine_named

    for each in engines:
        engine_named(each)


def _against(
    options: Namespace, stored: "dict[str, tuple[StoredRun, ...]]", pair: "Pair"
) -> "list[str | EngineRun]":
    found: list[str | EngineRun] = []
    for each in options.against:
        runs = [run.over(pair, allow_mismatch=options.allow_mismatch) for run in stored.get(each, ())]
        found += runs or [each]
    return found


def _write_baseline(section: "RetrievalSection", rule: "GateRule", path: Path) -> None:
    from toolbooth.bench.retrieval import baseline_bytes
    from toolbooth.cli.terminal import complain, wrote
    from toolbooth.files import write_atomically

    if not section.gate.passed:
        complain(str(path), "not written: the gate failed; without --baseline it would be")
        return
    write_atomically(path, baseline_bytes(section, rule.metric, rule.allowed))
    wrote(path)


def _folder(options: Namespace, typed: "CommandLine") -> int:
    names = ("golden", "baseline", "metric", "tolerance", "write_baseline")
    alone = [f"--{name.replace('_', '-')}" for name in names if getattr(options, name) is not None]
    if names_tools(options, typed.command) or alone:
        what = alone[0] if alone else "tools"
        raise UserMistake(
            f"choose one: --folder names tools and questions of several sets, {what} those of one"
        )
    stored = _stored(options.against)
    if stored:
        raise UserMistake("an earlier report is of one set: compare it without --folder, or name engines")
    _check_engines([options.engine, *options.against])
    from toolbooth.cli.bench.retrieval_sets import measure_folder

    return measure_folder(Path(options.folder), options)
