"""`toolbooth bench growth`: what grows with the catalog, in tokens, time and memory, up to 100,000 tools."""

import math
from argparse import ArgumentTypeError, Namespace
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from rich.text import Text

from toolbooth import bench, errors, figures, limits, safetext
from toolbooth.bench.report import GrowthSection, SizePoint
from toolbooth.cli import arguments, terminal
from toolbooth.cli.bench import output, sources

EXAMPLES = """\
  toolbooth bench growth                                  50 to 100,000 tools, starting from the built-in corpus
  toolbooth bench growth --catalog catalog.json           starting from your own tools
  toolbooth bench growth --quick                          50, 500 and 5,000: half a minute
  toolbooth bench growth --sizes 100,1k,10k --output report

small sizes are samples of the catalog, and each size contains the smaller ones. Where the catalog has fewer tools than
a size, the rest is generated from words and parts of real tools, and marked. Each size is measured in its own process,
in CPU time, so memory use and a busy machine do not distort the next one.
"""
EXITS = {
    3: "a size could not be measured",
    130: "interrupted; the measured sizes are shown",
}


def parser() -> arguments.Parser:
    """The options of the subcommand."""
    made = arguments.Parser("bench growth", __doc__ or "", EXAMPLES, EXITS)
    add = made.add_argument
    sources.add_tools(add)
    sources.add_questions(add)
    add(
        "--sizes",
        type=_sizes,
        metavar="LIST",
        help="numbers of tools, such as 50,500,5k (default up to 100,000)",
    )
    add("--quick", action="store_true", help="50, 500 and 5,000 tools")
    add("--rounds", type=arguments.positive, metavar="N", help="searches at each size (default 200)")
    add(
        "--seed", type=int, default=0, metavar="N", help="seed of the samples and generated tools (default 0)"
    )
    output.add_output(add)
    made.takes_command()
    return made


def _sizes(text: str) -> tuple[int, ...]:
    sizes = tuple(sorted({arguments.positive(word) for word in text.split(",")}))
    if sizes[-1] > limits.MAX_GROWTH_TOOLS:
        raise ArgumentTypeError(f"{sizes[-1]:,} tools are too many; the limit is {limits.MAX_GROWTH_TOOLS:,}")
    if len(sizes) > limits.MAX_GROWTH_SIZES:
        raise ArgumentTypeError(f"{len(sizes)} sizes are too many; the limit is {limits.MAX_GROWTH_SIZES}")
    return sizes


def run(words: Sequence[str]) -> int:
    """Measure and show; exit 3 if a size could not be measured."""
    typed = arguments.split_command_line(words)
    options = parser().parse_args(typed.options)
    if options.quick and options.sizes:
        raise errors.UserMistake("choose one of --quick and --sizes")
    measured = sources.maybe_pair_of(options, typed.command)
    section = _measure(measured, options)
    partial = (f"growth: {section.partial}",) if section.partial else ()
    report = output.new_report(measured, growth=section, partial=partial)
    output.deliver(report, section, options, lambda: _show(section))
    return output.exit_code(report)


def section_of(
    measured: bench.Corpus | bench.Pair,
    options: Namespace,  # noqa: ARG001
    command: Sequence[str],  # noqa: ARG001
) -> GrowthSection:
    """The section as part of a whole benchmark, at every size."""
    return _measure(measured, Namespace(sizes=None, quick=False, rounds=None, seed=0))


def _measure(measured: bench.Corpus | bench.Pair, options: Namespace) -> GrowthSection:
    corpus = sources.corpus_in(measured)
    asked = () if isinstance(measured, bench.Corpus) else [each.query for each in measured.golden.questions]
    sizes = bench.QUICK_SIZES if options.quick else options.sizes or bench.SIZES
    rounds = options.rounds or bench.SEARCHES
    plan = bench.GrowthPlan(corpus.version, corpus.catalog, sizes, asked, rounds, options.seed)
    with output.status_line("starting") as progress:
        return sources.noted(bench.measure_growth(plan, progress), measured)


def _show(section: GrowthSection) -> None:
    print_growth(section)


_STEPS: Final = "▁▂▃▄▅▆▇█"
_ROWS: Final[Mapping[str, tuple[str, Callable[[float], str]]]] = {
    "baseline_tokens": ("every definition", figures.number),
    "menu_tokens": ("search surface", figures.number),
    "search_p50_ms": ("search, p50", figures.milliseconds),
    "search_p95_ms": ("search, p95", figures.milliseconds),
    "start_ms": ("warm start", figures.milliseconds),
    "build_ms": ("new index", figures.milliseconds),
    "read_ms": ("catalog file", figures.milliseconds),
    "memory_mb": ("memory", figures.megabytes),
}


def print_growth(section: GrowthSection) -> None:
    """The table, the figures that grow faster than the catalog, then what the rows mean."""
    console = terminal.out()
    head = f" of {safetext.for_terminal(section.source, 60)}, each size in its own process"
    console.print(Text("Growth", "bold").append(head, "not bold dim"))
    console.print()
    gone = terminal.print_columns(console, _growth_columns(section), console.width)
    console.print()
    for sentence in section.bends:
        console.print(terminal.indented(Text(safetext.for_terminal(sentence, 400))))
    left_out = terminal.left_out_words(gone, console.width)
    for note in (*_legend(section), *section.notes, *([left_out] if left_out else [])):
        console.print(terminal.indented(Text(safetext.for_terminal(note, 400), "dim")))
    if section.partial:
        console.print(
            terminal.indented(Text(f"partial: {safetext.for_terminal(section.partial, 400)}", "red"))
        )


def _growth_columns(section: GrowthSection) -> list[terminal.Column]:
    points = section.points
    middle = [*range(1, len(points) - 1)]
    return [
        terminal.Column("  tools", "name", [f"  {title}" for title, _ in _ROWS.values()]),
        *(_size(point, goes=middle.index(at) + 2 if at in middle else 0) for at, point in enumerate(points)),
        terminal.Column("growth", "number", [_curve(points, name) for name in _ROWS], 1, "cyan"),
        terminal.Column("exponent", "number", [_exponent(section, name) for name in _ROWS], 0, "bold"),
    ]


def _size(point: SizePoint, goes: int) -> terminal.Column:
    title = f"{point.tools:,}{'*' if point.made_up else ''}"
    cells = [words(getattr(point, name)) for name, (_, words) in _ROWS.items()]
    return terminal.Column(title, "number", cells, goes)


def _curve(points: tuple[SizePoint, ...], name: str) -> str:
    """A step for each size, on a log scale: the highest is where a figure has grown as far as the catalog."""
    first, last = points[0], points[-1]
    if len(points) < 2 or getattr(first, name) <= 0:
        return ""
    whole = math.log(last.tools / first.tools)
    grown = (math.log(max(getattr(each, name) / getattr(first, name), 1e-9)) / whole for each in points)
    return "".join(_STEPS[max(0, min(len(_STEPS) - 1, round(part * (len(_STEPS) - 1))))] for part in grown)


def _exponent(section: GrowthSection, name: str) -> str:
    found = section.exponents.get(name)
    return "" if found is None else f"{found:.2f}".replace("-", "−")


def _legend(section: GrowthSection) -> list[str]:
    made_up = [f"{each.made_up:,} of {each.tools:,}" for each in section.points if each.made_up]
    return [
        *([f"* generated: {', '.join(made_up)} tools"] if made_up else []),
        "exponent: the slope on a log-log scale over the last sizes; 1 grows with the catalog, 0 does not grow",
        "every definition and search surface: tokens of the menu; times are CPU time; warm start: from the gateway's "
        "cache to its first search result, without the start of the process; memory: what that adds to the process",
    ]
