"""`python -m scripts.bench_peers`: Toolbooth and its peers in front of the same servers, asked the same questions."""

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from toolbooth.bench.report import BenchReport
from toolbooth.cli.bench.live_table import print_endpoints
from toolbooth.cli.bench.output import new_report, write_report

from ..bench_gateway.launcher import Launcher
from ..bench_gateway.peer_packages import PYPI, install
from .contenders import PEERS, Peer
from .run import measure
from .sets import ROOT, SETS, PeerSet, load, names
from .static_rows import direct, recorded

OUT = ROOT / ".cache" / "bench-peers"


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m scripts.bench_peers", description=__doc__)
    known = ", ".join((*SETS, "builtin"))
    parser.add_argument(
        "--data", type=Path, metavar="FOLDER", help="where the sets are (default: builtin alone)"
    )
    parser.add_argument("--sets", metavar="LIST", help=f"of {known} (default: all that are in the folder)")
    parser.add_argument("--only", action="append", metavar="NAME", help="contenders whose names begin so")
    parser.add_argument("--few", type=int, metavar="N", help="the first N questions of each set")
    parser.add_argument("--out", type=Path, default=OUT, metavar="DIR", help=f"reports (default {OUT})")
    return parser.parse_args()


def chosen(only: Sequence[str] | None) -> list[Peer]:
    """The requested contenders that can take part; for the others the reason is printed."""
    asked = [each for each in PEERS if not only or each.name.startswith(tuple(only))]
    for each in asked:
        if each.contender.missing():
            print(f"  {each.name:24} left out: {each.contender.missing()}")
    return [each for each in asked if not each.contender.missing()]


def one_set(
    name: str, peers: Sequence[Peer], few: int | None, data: Path | None
) -> tuple[PeerSet, BenchReport]:
    """Everything that runs for a set ends with it."""
    with Launcher() as launcher:
        folder = launcher.folder / "servers"
        folder.mkdir()
        given = load(name, folder, few, data)
        print(
            f"\n{name}: {len(given.pair.corpus.catalog):,} tools of {len(given.servers)} servers", flush=True
        )
        found = measure(launcher, given, peers)
    rows = (direct(given.pair), *found.sections, *recorded(given.pair, data))
    partial = (*found.failed, *(f"{each.name}: {each.partial}" for each in rows if each.partial))
    return given, new_report(given.pair, endpoints=rows, partial=partial)


def tell(given: PeerSet, report: BenchReport, folder: Path) -> None:
    questions = len(given.pair.golden.questions)
    turns = "all at once, in turn" if given.at_once else "one after the other"
    print(f"\n{given.name}: {questions} questions, {turns}; tokens are cl100k")
    print_endpoints(report.endpoints)
    for line in report.partial:
        print(f"  not measured whole: {line}")
    write_report(report, folder / given.name)
    print(f"  {folder / given.name / 'report.html'}", flush=True)


def main() -> None:
    options = read_arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the launcher ends what it started
    reason = install()
    if reason:
        print(reason)
    wanted = tuple(options.sets.split(",")) if options.sets else names(options.data)
    unknown = set(wanted) - {*names(options.data), "builtin"}
    if unknown:
        sys.exit(f"no such set: {', '.join(sorted(unknown))}; name the folder that has it with --data")
    peers = chosen(options.only)
    print(
        f"{', '.join(PYPI[:3])}; Python {sys.version.split()[0]}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"
    )
    for name in wanted:
        tell(*one_set(name, peers, options.few, options.data), options.out)


try:
    main()
except KeyboardInterrupt:
    sys.exit(130)
