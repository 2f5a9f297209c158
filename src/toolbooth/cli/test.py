"""`toolbooth test`: check that agents still choose the right tools, and at what cost; suites with gates, for CI."""

import logging
import os
import sys
import time
from argparse import Namespace
from collections.abc import Callable, Sequence
from pathlib import Path

from toolbooth import errors, files, safetext
from toolbooth.cli import arguments, suite_output, terminal
from toolbooth.suite import CellFilter, RunOptions, SuiteRun, find_suites, load_suite, plan
from toolbooth.suite.reporters import REPORTERS, SuiteReport, read_run, render, run_bytes, with_baseline

EXAMPLES = """\
  toolbooth test                                 replay every *.toolbooth.yaml here and below
  toolbooth test agents.toolbooth.yaml --record  run live and record what the agents do
  toolbooth test --surface search --filter refund --live
  toolbooth test --with-model openai:gpt-5-mini --record   another model than the suite's
  toolbooth test --save run.json --report junit:junit.xml --report markdown:summary.md
  toolbooth test --baseline run.json --max-f1-drop 2 --max-tokens-rise 5
"""
EXITS = {
    0: "all passed",
    1: "a gate failed, or worse than the baseline",
    3: "a server or provider could not be reached",
    5: "refused: budget or drift",
    7: "nothing was selected to run",
}
FORMATS = tuple(REPORTERS)


def parser() -> arguments.Parser:
    """The options of the command."""
    made = arguments.Parser("test", __doc__ or "", EXAMPLES, EXITS)
    made.add_argument(
        "suite", nargs="*", metavar="SUITE", help="suite files or folders (default: all here and below)"
    )
    _add_how(made.add_argument_group("how cells run").add_argument)
    _add_which(made.add_argument_group("which cells").add_argument)
    _add_output(made.add_argument_group("output").add_argument)
    return made


def _add_how(add: Callable[..., object]) -> None:
    add(
        "--record",
        nargs="?",
        const="all",
        choices=("all", "missing"),
        help="run live and record; `missing` keeps existing recordings",
    )
    add("--live", action="store_true", help="run live and record nothing")
    add(
        "--with-model",
        action="append",
        default=[],
        metavar="NAME",
        help="run with this model instead of the suite's; it has its own recordings",
    )
    add("--offline", action="store_true", help="score recordings and start nothing, not even to detect drift")
    add("--allow-drift", action="store_true", help="score recordings that no longer match, with a warning")
    add("--cassettes", metavar="DIR", help="the folder of recordings (default: the suite's own)")
    add("--runs", type=arguments.positive, metavar="N", help="runs of each cell (default: the suite's)")
    add(
        "--concurrency",
        type=arguments.positive,
        metavar="N",
        help="runs at the same time (default: the suite's, 4)",
    )
    add("--budget", type=arguments.dollars, metavar="USD", help="most dollars that each suite may cost")
    add("--seed", type=int, metavar="N", help="seed of the order of cells")
    add("--fail-fast", action="store_true", help="stop at the first cell that does not pass")


def _add_which(add: Callable[..., object]) -> None:
    add(
        "--filter",
        action="append",
        default=[],
        metavar="NAME",
        help="only these tests: a part of the name, or a pattern with *",
    )
    add(
        "--model",
        action="append",
        default=[],
        metavar="NAME",
        help="only these models of the suite: a part of the name, or a pattern with *",
    )
    add(
        "--surface",
        action="append",
        default=[],
        metavar="NAME",
        help="only these surfaces: a part of the name, or a pattern with *",
    )
    add("--shard", default="", metavar="I/N", help="every N-th cell, for parallel jobs")


def _add_output(add: Callable[..., object]) -> None:
    forms = ", ".join(FORMATS)
    add(
        "--format",
        choices=FORMATS,
        default="terminal",
        metavar="NAME",
        help=f"format of stdout: {forms} (default terminal)",
    )
    add("--json", action="store_true", help="same as --format json")
    add(
        "--report",
        action="append",
        default=[],
        metavar="FORMAT:FILE",
        help="also write this file; can be repeated",
    )
    add("--save", metavar="FILE", help="save the whole run, to render or compare it later")
    add("--baseline", metavar="FILE", help="a saved run that this one must not be worse than")
    add(
        "--max-f1-drop",
        type=arguments.share,
        default=0.0,
        metavar="POINTS",
        help="points by which F1 may fall (default 0)",
    )
    add(
        "--max-tokens-rise",
        type=arguments.share,
        default=0.0,
        metavar="PERCENT",
        help="percent by which tokens per right choice may rise (default 0)",
    )
    add("--watch", action="store_true", help="run again whenever a suite or recording changes")


def run(words: Sequence[str]) -> int:
    """Run and report; the exit code is that of the report."""
    options = parser().parse_args(list(words))
    _check(options)
    if options.watch:
        return watch(options, _once)
    return _once(options)


def _check(options: Namespace) -> None:
    if options.live and options.record:
        raise errors.UserMistake("choose one of --live and --record")
    if options.offline and (options.live or options.record):
        raise errors.UserMistake("--offline only scores recordings; leave out --live and --record")
    if options.model and options.with_model:
        raise errors.UserMistake(
            "choose one of --model, which filters the suite's models, and --with-model, which replaces them"
        )
    for each in options.report:
        name, colon, path = each.partition(":")
        if name not in FORMATS or not colon or not path:
            raise errors.UserMistake(
                f"--report takes FORMAT:FILE with one of {', '.join(FORMATS)}; try junit:junit.xml"
            )


def _once(options: Namespace) -> int:
    from toolbooth.gateway import run as run_async

    logging.getLogger().addHandler(logging.NullHandler())  # server faults are in the report
    baseline = _baseline(options)
    suites = [load_suite(path) for path in find_suites(options.suite, Path())]
    cells = plan(suites, _choice(options))
    suite_run = SuiteRun(cells, _options(options), dict(os.environ), Path.cwd())
    suite_run.prepare()
    try:
        with suite_output.suite_progress(len(cells)) as watcher:
            run_async(suite_run.run, watcher)
    except KeyboardInterrupt:
        _print(suite_run.report(options.shard, partial=True), options)
        raise
    for folder, runs in suite_run.recorded.items():
        counted = "1 run" if runs == 1 else f"{runs:,} runs"
        print(f"recorded {counted} in {safetext.for_terminal(str(folder), 400)}", file=sys.stderr)  # noqa: T201
    report = suite_run.report(options.shard)
    if baseline is not None:
        report = with_baseline(
            report,
            baseline,
            options.baseline,
            max_f1_drop=options.max_f1_drop,
            max_tokens_rise=options.max_tokens_rise,
            whole=not (
                options.shard or options.filter or options.model or options.surface or options.with_model
            ),
        )
    _print(report, options)
    return report.exit_code


def _baseline(options: Namespace) -> SuiteReport | None:
    if not options.baseline:
        return None
    return read_run(Path(options.baseline))


def _choice(options: Namespace) -> CellFilter:
    return CellFilter(
        tuple(options.filter),
        tuple(options.model),
        tuple(options.surface),
        options.runs,
        options.shard,
        tuple(options.with_model),
    )


def _options(options: Namespace) -> RunOptions:
    return RunOptions(
        mode="record" if options.record else "live" if options.live else "replay",
        missing_only=options.record == "missing",
        allow_drift=options.allow_drift,
        offline=options.offline,
        fail_fast=options.fail_fast,
        concurrency=options.concurrency,
        seed=options.seed,
        budget=options.budget,
        cassettes=Path(options.cassettes) if options.cassettes else None,
    )


def _print(report: SuiteReport, options: Namespace) -> None:
    if options.save:
        files.write_atomically(Path(options.save), run_bytes(report))
        terminal.wrote(options.save)
    for each in options.report:
        name, _, path = each.partition(":")
        files.write_atomically(Path(path), render(report, name).encode("utf-8", "backslashreplace"))
        terminal.wrote(path)
    suite_output.print_report(report, "json" if options.json else options.format)


LOOK_EVERY = 0.5  # seconds
Stamps = dict[Path, tuple[int, int]]


def watch(options: Namespace, once: Callable[[Namespace], int], rounds: int | None = None) -> int:
    """Until Ctrl-C. An error in a file is reported, and the next change is awaited."""
    while True:
        seen = _stamps(options)
        _round(options, once)
        rounds = None if rounds is None else rounds - 1
        if rounds == 0:
            return 0
        _say("waiting for a change; press Ctrl-C to end")
        while _stamps(options) == seen:
            time.sleep(LOOK_EVERY)


def _round(options: Namespace, once: Callable[[Namespace], int]) -> None:
    try:
        once(options)
    except errors.ToolboothError as error:
        _say(str(error))


def _say(line: str) -> None:
    print(f"toolbooth: {safetext.for_terminal(line, 2000)}", file=sys.stderr, flush=True)  # noqa: T201


def _stamps(options: Namespace) -> Stamps:
    """Suites, and what is recorded of them; recordings written by this run do not count as a change."""
    try:
        suites = find_suites(options.suite, Path())
    except errors.ToolboothError:
        return {}
    found: Stamps = {}
    for suite in suites:
        recorded = () if options.record else (suite.parent / "cassettes").rglob("*.json")
        for path in (suite, *recorded):
            try:
                facts = path.stat()
            except OSError:
                continue
            found[path] = (facts.st_mtime_ns, facts.st_size)
    return found
