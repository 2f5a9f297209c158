"""The microseconds that reducing adds to a short answer."""

from functools import partial
from typing import Any

from tests.result_reading import SESSION

from toolbooth.catalog.config import Reduction
from toolbooth.gateway.reduce import ReduceOptions, fit
from toolbooth.gateway.results import ResultStore

from .samples import log, nested
from .timing import in_turn

CALLS = 2_000
BYTES = 500


def measure_small(quick: bool) -> dict[str, Any]:
    """Compared with a function that returns the result unchanged."""
    print(f"\nan answer of {BYTES} bytes, µs a call, best of rounds of {CALLS:,} calls in turn")
    store, options = ResultStore(), ReduceOptions(Reduction())

    def keep(text: str) -> str:
        return store.keep(text, SESSION)

    found = {}
    for name, text in {"JSON": nested(BYTES)[:BYTES], "log": log(BYTES)[:BYTES]}.items():
        result = {"content": [{"type": "text", "text": text}]}
        works = {
            "reduced": partial(_many, partial(fit, result, options, keep)),
            "direct": partial(_many, partial(_direct, result)),
        }
        seconds = in_turn(works, 3 if quick else 15)
        found[name] = {key: value / CALLS * 1e6 for key, value in seconds.items()}
        print(
            f"  {name:14} reduced {found[name]['reduced']:7.2f}   direct {found[name]['direct']:7.2f}",
            flush=True,
        )
    return found


def _direct(result: dict[str, Any]) -> dict[str, Any]:
    return result


def _many(work: partial[Any]) -> None:
    for _ in range(CALLS):
        work()
