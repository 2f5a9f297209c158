"""`python -m scripts.bench_code`: the cost of tasks by single calls and by code, and the time of running code."""

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson

from .times import measure_times
from .tokens import measure_tokens

MEASURES: dict[str, Callable[[bool], dict[str, Any]]] = {"tokens": measure_tokens, "times": measure_times}


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m scripts.bench_code", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="three tasks and a few rounds")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures here as well")
    parser.add_argument("--measure", action="append", choices=MEASURES, help="only this (repeat for more)")
    return parser.parse_args()


def main() -> None:
    options = read_arguments()
    load = f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"
    print(f"code that calls tools, Python {sys.version.split()[0]}, {load}")
    wanted = options.measure or MEASURES
    found = {name: measure(options.quick) for name, measure in MEASURES.items() if name in wanted}
    if options.json:
        options.json.write_bytes(orjson.dumps(found, option=orjson.OPT_INDENT_2))


try:
    main()
except KeyboardInterrupt:
    sys.exit(130)
