"""`python -m scripts.bench_model`: the table of the package and other embedders on every available question set."""

import argparse
import os
import shutil
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import msgspec

from .contenders import Lineup, gather
from .costs import LARGE, measure_models, measure_scale
from .layout import BEGIN, as_text, has_block, replace_block
from .packages import PEERS, Packages, install
from .results import Results
from .scoring import Measured, means, measure_sets
from .sets import BenchSet, load_sets
from .tables import document, means_table, models_table, scale_line, set_table


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m scripts.bench_model", description=__doc__)
    parser.add_argument("--peers", action="store_true", help="first install what MiniLM and WordLlama need")
    parser.add_argument("--python", metavar="PATH", help="an interpreter that has those packages already")
    parser.add_argument(
        "--data", type=Path, metavar="FOLDER", help="other question sets than the built-in one"
    )
    parser.add_argument("--reference", type=Path, metavar="FOLDER", help="the first table of the package")
    parser.add_argument("--few", type=int, metavar="N", help="the first N questions of each set")
    parser.add_argument("--sets", metavar="LIST", default="", help="only these, with commas between")
    parser.add_argument(
        "--markdown", type=Path, metavar="FILE", help=f"put the tables behind its line {BEGIN}"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures here")
    options = parser.parse_args()
    if options.python and not shutil.which(options.python):
        parser.error(f"--python: {options.python} is no program")
    if options.markdown and not (options.markdown.is_file() and has_block(_read(options.markdown))):
        parser.error(f"--markdown: {options.markdown} does not have the two lines of the block, each once")
    return options


def packages_for(options: argparse.Namespace) -> Packages:
    """A named interpreter has its own packages; otherwise those below .cache are used."""
    if options.python:
        return Packages(options.python)
    reason = install() if options.peers else ""
    if reason:
        print(reason)
    return PEERS


def busy() -> list[str]:
    """A warning about a busy machine: MiniLM, which uses every core, suffers most."""
    load, cores = os.getloadavg()[0], os.cpu_count() or 1
    return (
        [f"load {load:.1f} on {cores} cores: times are too long, MiniLM's most"] if load > cores / 2 else []
    )


def measure(
    sets: Sequence[BenchSet], lineup: Lineup, data: Path | None, machine: str, notes: Sequence[str]
) -> Results:
    """Each set is printed when it is done."""
    found: list[Measured] = []
    for each in measure_sets(sets, lineup.contenders):
        print(f"\n{as_text(set_table(each.facts, each.scored))}", flush=True)
        found.append(each)
    scored = [one for each in found for one in each.scored]
    seconds = {name: [took for each in found for took in each.seconds[name]] for name in found[0].seconds}
    models = measure_models(lineup.contenders, seconds)
    facts = tuple(each.facts for each in found)
    scale = measure_scale(data)
    return Results(machine, facts, tuple(scored), tuple(means(scored)), tuple(models), scale, tuple(notes))


def tell(results: Results, options: argparse.Namespace) -> None:
    print(f"\n{as_text(means_table(results.means))}\n\n{as_text(models_table(results.models))}")
    print(scale_line(results.scale) if results.scale else f"no figure at scale: --data FOLDER has no {LARGE}")
    if options.json:
        written = msgspec.json.format(msgspec.json.encode(results), indent=2)
        options.json.write_bytes(written + b"\n")
    if options.markdown:
        replaced = replace_block(_read(options.markdown), document(results))
        options.markdown.write_text(replaced, encoding="utf-8")


def main() -> None:
    options = read_arguments()
    asked = f", the first {options.few} questions of each set" if options.few else ""
    machine = f"Python {sys.version.split()[0]}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}{asked}"
    print(f"{machine}; intervals 95 %, seeded")
    only = [name.strip() for name in options.sets.split(",") if name.strip()]
    given = load_sets(options.data, options.few, only)
    with ExitStack() as stack:
        lineup = gather(packages_for(options), stack, options.reference)
        notes = [*busy(), *given.left_out, *lineup.left_out, *lineup.notes]
        print("".join(f"{note}\n" for note in notes), end="", flush=True)
        if given.sets:
            tell(measure(given.sets, lineup, options.data, machine, notes), options)


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
