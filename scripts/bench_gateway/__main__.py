"""`python -m scripts.bench_gateway`: the gateway beside its peers, as ratios in one run."""

import argparse
import os
import signal
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import orjson

from .arena import Arena, Front, attempt
from .backends import four
from .bursts import measure_bursts
from .calls import measure_calls
from .contenders import DIRECT, TABLE, Contender
from .cpu import settle
from .flatness import measure_flatness
from .lags import measure_lags
from .menus import measure_menus
from .parts import NPM, PYPI, install, node
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
    parser.add_argument("--measure", action="append", choices=MEASURES, help="only this (repeat for more)")
    return parser.parse_args()


def chosen(only: Sequence[str] | None) -> list[Contender]:
    """Those asked for that can take part; for the others the reason is printed."""
    asked = [each for each in TABLE if each is DIRECT or not only or each.name.startswith(tuple(only))]
    for each in asked:
        if each.missing():
            print(f"  {each.name:24} left out: {each.missing()}")
    return [each for each in asked if not each.missing()]


def start_all(arena: Arena, contenders: Sequence[Contender]) -> dict[str, Front]:
    """Those that come up in front of the four servers and can echo."""

    def start(contender: Contender) -> Front:
        front = arena.start(arena.stand(contender, four(arena.folder)))
        front.echo("everything", "ready")
        return front

    tried = {each.name: attempt(each, partial(start, each)) for each in contenders}
    running = {name: front for name, front in tried.items() if front}
    settle(*running.values())
    return running


def measure(arena: Arena, contenders: list[Contender], wanted: Sequence[str], quick: bool) -> dict[str, Any]:
    """Every measure asked for, one after the other."""

    def able(name: str) -> list[Contender]:
        return [each for each in contenders if name in each.measures]

    steps: dict[str, Callable[[], dict[str, Any]]] = {
        "flat": lambda: measure_flatness(arena, able("flat"), 40 if quick else 400),
        "start": lambda: measure_starts(arena, able("start"), 2 if quick else 9),
        "burst": lambda: measure_bursts(arena, able("burst"), 2 if quick else 15),
        "lag": lambda: measure_lags(arena, able("lag"), 2.0 if quick else 10.0),
    }
    found: dict[str, Any] = {}
    if {"menu", "calls"} & set(wanted):
        print("\nthe four public servers")
        fronts = start_all(arena, contenders)
        if "menu" in wanted:
            found["menu"] = measure_menus(fronts)
        if "calls" in wanted:
            found["calls"] = measure_calls(fronts, 40 if quick else 400, 1 if quick else 3)
        arena.clear()
    return found | {name: step() for name, step in steps.items() if name in wanted}


def main() -> None:
    options = read_arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the arena is left in order
    reason = install()
    if not node().exists():
        sys.exit(reason or f"{node()} is absent: nothing to measure")
    cores, load = os.cpu_count(), os.getloadavg()[0]
    print(
        f"gateways, {', '.join(PYPI + NPM)}\nPython {sys.version.split()[0]}, {cores} cores, load {load:.1f}"
    )
    with Arena() as arena:
        found = measure(arena, chosen(options.only), options.measure or MEASURES, options.quick)
    if options.json:
        options.json.write_bytes(orjson.dumps(found, option=orjson.OPT_INDENT_2))


try:
    main()
except KeyboardInterrupt:
    sys.exit(130)
