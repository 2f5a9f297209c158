"""`python -m scripts.bench_gateway`: the gateway compared with its peers, as ratios in one run."""

import argparse
import os
import signal
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import orjson

from .backends import four
from .bursts import measure_bursts
from .calls import measure_calls
from .contenders import DIRECT, TABLE, Contender, ours
from .cpu import settle
from .launcher import Launcher, Session, attempt
from .menus import measure_menus
from .peer_packages import NPM, PYPI, install, node
from .sibling_delays import measure_sibling_delays
from .size_scaling import measure_size_scaling
from .starts import measure_starts

MEASURES = ("menu", "calls", "flat", "start", "burst", "lag")


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m scripts.bench_gateway", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the calls, one repetition")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures here as well")
    parser.add_argument(
        "--only",
        action="append",
        metavar="NAME",
        help="contenders whose names begin so, beside direct (repeat for more)",
    )
    parser.add_argument(
        "--beside",
        type=Path,
        metavar="PROGRAM",
        help="another build of Toolbooth (its `toolbooth` program), measured in the same run",
    )
    parser.add_argument("--measure", action="append", choices=MEASURES, help="only this (repeat for more)")
    return parser.parse_args()


def chosen(only: Sequence[str] | None, beside: Path | None) -> list[Contender]:
    """The requested contenders that can take part; for the others the reason is printed."""
    asked = [each for each in TABLE if each is DIRECT or not only or each.name.startswith(tuple(only))]
    asked += [] if beside is None else ours("other build", beside)
    for each in asked:
        if each.missing():
            print(f"  {each.name:24} left out: {each.missing()}")
    return [each for each in asked if not each.missing()]


def start_all(launcher: Launcher, contenders: Sequence[Contender]) -> dict[str, Session]:
    """The contenders that start in front of the four servers and can echo."""

    def start(contender: Contender) -> Session:
        session = launcher.start(launcher.prepare(contender, four(launcher.folder)))
        session.echo("everything", "ready")
        return session

    tried = {each.name: attempt(each, partial(start, each)) for each in contenders}
    running = {name: session for name, session in tried.items() if session}
    settle(*running.values())
    return running


def measure(
    launcher: Launcher, contenders: list[Contender], wanted: Sequence[str], quick: bool
) -> dict[str, Any]:
    """Every requested measure, one after the other."""

    def able(name: str) -> list[Contender]:
        return [each for each in contenders if name in each.measures]

    steps: dict[str, Callable[[], dict[str, Any]]] = {
        "flat": lambda: measure_size_scaling(launcher, able("flat"), 40 if quick else 400),
        "start": lambda: measure_starts(launcher, able("start"), 2 if quick else 9),
        "burst": lambda: measure_bursts(launcher, able("burst"), 2 if quick else 15),
        "lag": lambda: measure_sibling_delays(
            launcher, able("lag"), 1.5 if quick else 2.5, 1 if quick else 3
        ),
    }
    found: dict[str, Any] = {}
    if {"menu", "calls"} & set(wanted):
        print("\nthe four public servers")
        sessions = start_all(launcher, contenders)
        if "menu" in wanted:
            found["menu"] = measure_menus(sessions)
        if "calls" in wanted:
            found["calls"] = measure_calls(sessions, 40 if quick else 400, 1 if quick else 3)
        launcher.clear()
    return found | {name: step() for name, step in steps.items() if name in wanted}


def main() -> None:
    options = read_arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the launcher ends what it started
    reason = install()
    if not node().exists():
        sys.exit(reason or f"{node()} is absent: nothing to measure")
    cores, load = os.cpu_count(), os.getloadavg()[0]
    print(
        f"gateways, {', '.join(PYPI + NPM)}\nPython {sys.version.split()[0]}, {cores} cores, load {load:.1f}"
    )
    with Launcher() as launcher:
        found = measure(
            launcher, chosen(options.only, options.beside), options.measure or MEASURES, options.quick
        )
    if options.json:
        options.json.write_bytes(orjson.dumps(found, option=orjson.OPT_INDENT_2))


try:
    main()
except KeyboardInterrupt:
    sys.exit(130)
