"""`toolbooth bench growth`: what grows with the catalog, in tokens, time and memory, up to 100,000 tools."""

from argparse import ArgumentTypeError, Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING

from toolbooth.cli.arguments import Parser, positive, split_command_line
from toolbooth.cli.bench.output import add_output, deliver, exit_code, new_report
from toolbooth.cli.bench.sources import add_questions, add_tools, corpus_in, maybe_pair_of, noted
from toolbooth.errors import UserMistake

if TYPE_CHECKING:
    from toolbooth.bench import Corpus, Pair
    from toolbooth.bench.report import GrowthSection


EXAMPLES = """\
  toolbooth bench growth                                  50 to 100,000 tools, begun with the built-in corpus
  toolbooth bench growth --catalog catalog.json           begun with your own tools
  toolbooth bench growth --quick                          50, 500 and 5,000: half a minute
  toolbooth bench growth --sizes 100,1k,10k --output report

small sizes are samples of the catalog, each the beginning of the next; where it has fewer tools than a size, the rest
is made up of words and of parts of real tools, and marked. Every size is measured in processes of its own, on the CPU
clock, so that neither memory nor a busy machine carries over.
exit codes: 0 success · 2 wrong usage or a broken file · 3 a size could not be measured ·
130 Ctrl-C, with the sizes that were measured
"""


def parser() -> Parser:
    """The options of the subcommand."""
    made = Parser("bench growth", __doc__ or "", EXAMPLES)
    add = made.add_argument
    add_tools(add)
    add_questions(add)
    add(
        "--sizes", type=_sizes, metavar="LIST", help="how many tools, as in 50,500,5k (default up to 100,000)"
    )
    add("--quick", action="store_true", help="50, 500 and 5,000 tools")
    add("--rounds", type=positive, metavar="N", help="searches at each size (default 200)")
    add("--seed", type=int, default=0, metavar="N", help="of the samples and of what is made up (default 0)")
    add_output(add)
    made.takes_command()
    return made


def _sizes(text: str) -> tuple[int, ...]:
    from toolbooth.limits import MAX_GROWTH_SIZES, MAX_GROWTH_TOOLS

    sizes = tuple(sorted({positive(word) for word in text.split(",")}))
    if sizes[-1] > MAX_GROWTH_TOOLS:
        raise ArgumentTypeError(f"{sizes[-1]:,} tools are too many; {MAX_GROWTH_TOOLS:,} can be measured")
    if len(sizes) > MAX_GROWTH_SIZES:
        raise ArgumentTypeError(f"{len(sizes)} sizes are too many for one run; {MAX_GROWTH_SIZES} will do")
    return sizes


def run(words: Sequence[str]) -> int:
    """Measure and show; exit 3 if a size could not be measured."""
    typed = split_command_line(words)
    options = parser().parse_args(typed.options)
    if options.quick and options.sizes:
        raise UserMistake("choose one of --quick and --sizes")
    measured = maybe_pair_of(options, typed.command)
    section = _measure(measured, options)
    partial = (f"growth: {section.partial}",) if section.partial else ()
    report = new_report(measured, growth=section, partial=partial)
    deliver(report, section, options, lambda: _show(section))
    return exit_code(report)


def section_of(measured: "Corpus | Pair", options: Namespace, command: Sequence[str]) -> "GrowthSection":  # noqa: ARG001
    """The section as part of a whole benchmark, at every size."""
    return _measure(measured, Namespace(sizes=None, quick=False, rounds=None, seed=0))


def _measure(measured: "Corpus | Pair", options: Namespace) -> "GrowthSection":
    from toolbooth.bench import Corpus
    from toolbooth.bench.growth import QUICK_SIZES, SEARCHES, SIZES, GrowthPlan, measure_growth
    from toolbooth.cli.bench.output import status_line

    corpus = corpus_in(measured)
    asked = () if isinstance(measured, Corpus) else [each.query for each in measured.golden.questions]
    sizes = QUICK_SIZES if options.quick else options.sizes or SIZES
    rounds = options.rounds or SEARCHES
    plan = GrowthPlan(corpus.version, corpus.catalog, sizes, asked, rounds, options.seed)
    with status_line("starting") as progress:
        return noted(measure_growth(plan, progress), measured)


def _show(section: "GrowthSection") -> None:
    from toolbooth.cli.bench.timing_tables import print_growth

    print_growth(section)
