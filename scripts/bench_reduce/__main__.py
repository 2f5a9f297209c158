"""`python -m scripts.bench_reduce`: the speed of reducing, its cost for small answers, and what is still answerable."""

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson

from .kinds import measure_kinds
from .small import measure_small
from .speed import measure_speed

MEASURES: dict[str, Callable[[bool], dict[str, Any]]] = {
    "kinds": measure_kinds,
    "small": measure_small,
    "speed": measure_speed,
}


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m scripts.bench_reduce", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer rounds, and nothing of 10 MB")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures here as well")
    parser.add_argument("--measure", action="append", choices=MEASURES, help="only this (repeat for more)")
    return parser.parse_args()


def main() -> None:
    options = read_arguments()
    print(
        f"reducing answers, Python {sys.version.split()[0]}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"
    )
    wanted = options.measure or MEASURES
    found = {name: measure(options.quick) for name, measure in MEASURES.items() if name in wanted}
    if options.json:
        options.json.write_bytes(orjson.dumps(found, option=orjson.OPT_INDENT_2))


try:
    main()
except KeyboardInterrupt:
    sys.exit(130)
