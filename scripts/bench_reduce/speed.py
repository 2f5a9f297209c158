"""The MB/s of the pipeline compared with decoding and encoding alone, for samples of four sizes."""

import json
from collections.abc import Callable
from functools import partial
from itertools import count
from typing import Any

from tests.result_reading import SESSION

from toolbooth.catalog.config import Reduction
from toolbooth.gateway.reduce import ReduceOptions, fit
from toolbooth.gateway.results import ResultStore

from .samples import SAMPLES, SIZES
from .timing import Work, in_turn

INTENT = "orders that were returned"
_FRESH = count()


def measure_speed(quick: bool) -> dict[str, Any]:
    """One row a kind and size; the last column compares the time a byte takes with that at 100 KB."""
    print("\nMB/s, best of rounds in turn; floor: json.loads and json.dumps of the same text alone")
    rates = f"{'reduced':>10}{'with intent':>13}{'floor':>10}{'to floor':>10}"
    print(f"  {'':22}{rates}{'a byte to 100 KB: ours, floor':>37}")
    sizes = dict(list(SIZES.items())[: 3 if quick else 4])
    return {name: _kind(name, make, sizes) for name, make in SAMPLES.items()}


def _kind(name: str, make: Callable[[int], str], sizes: dict[str, int]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for label, size in sizes.items():
        text = make(size)
        length = len(text.encode())
        works: dict[str, Work] = {
            "reduced": partial(_reduce, text, ""),
            "with intent": partial(_reduce, text, INTENT),
            "floor": partial(_floor, text),
        }
        seconds = in_turn(works, max(3, min(25, 4_000_000 // size)))
        found[label] = {"bytes": length, **{key: length / value / 1e6 for key, value in seconds.items()}}
        _print(name if label == next(iter(sizes)) else "", label, found)
    return found


def _print(name: str, label: str, found: dict[str, Any]) -> None:
    row = found[label]
    rates = f"{row['reduced']:10.1f}{row['with intent']:13.1f}{row['floor']:10.1f}"
    growth = [found["100 KB"][key] / row[key] for key in ("reduced", "floor")] if "100 KB" in found else []
    shown = "".join(f"{each:{width}.2f}" for each, width in zip(growth, (24, 13), strict=False))
    print(f"  {name:14}{label:>8}{rates}{row['floor'] / row['reduced']:9.1f}×{shown}", flush=True)


def _reduce(text: str, intent: str) -> object:
    """Each text is new, so that no cached count is used."""
    store = ResultStore()
    result = {"content": [{"type": "text", "text": text + " " * next(_FRESH)}]}
    return fit(result, ReduceOptions(Reduction(), intent), lambda whole: store.keep(whole, SESSION))


def _floor(text: str) -> str:
    """The cost of decoding and encoding alone: of the document, or of the text as a JSON string."""
    value = json.loads(text) if text[0] in "{[" else json.loads(json.dumps(text))
    return json.dumps(value)
