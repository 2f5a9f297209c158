"""Sample answers of a given size in bytes: rows of JSON, nested JSON in one line, a log, an HTML page."""

from collections.abc import Callable
from itertools import count, cycle, islice
from typing import Any

from scripts.record_answers.shop import dumps, goods, logs, pages

SIZES = {"10 KB": 10_000, "100 KB": 100_000, "1 MB": 1_000_000, "10 MB": 10_000_000}


def rows(size: int) -> str:
    """An array of objects with the same keys, as a query gives it."""
    orders = goods.orders()
    made = [
        {**each, "id": f"ORD-{number}"}
        for number, each in zip(range(_times(size, dumps.pretty(orders[:50]), 50)), cycle(orders))
    ]
    return dumps.pretty({"row_count": len(made), "rows": made})


def nested(size: int) -> str:
    """Objects in objects with few arrays, minified."""
    one = dumps.deployment()["regions"]["north"]
    regions: dict[str, Any] = {
        f"region-{number}": one for number in range(_times(size, dumps.minified(one), 1))
    }
    return dumps.minified({"version": 7, "regions": regions})


def log(size: int) -> str:
    """Lines of an application log."""
    text = logs.app_log(4_000)
    return "".join(islice(cycle(text.splitlines(keepends=True)), _times(size, text, 4_000)))


def page(size: int) -> str:
    """A shelf page with so many cards."""
    empty, full = pages.catalogue(0), pages.catalogue(150)
    start = full.index("<article")
    end = full.rindex("</section>")
    cards = full[start:end].splitlines(keepends=True)
    wanted = max(1, (size - len(empty)) * len(cards) // (end - start))
    numbered = (card.replace("HF-", f"HF-{number}-") for number, card in zip(count(), cycle(cards)))
    return full[:start] + "".join(islice(numbered, wanted)) + full[end:]


def _times(size: int, text: str, units: int) -> int:
    """How many units make a text of this size, where so many made this one."""
    return max(1, round(size * units / len(text.encode())))


SAMPLES: dict[str, Callable[[int], str]] = {
    "JSON rows": rows,
    "nested JSON": nested,
    "log": log,
    "HTML": page,
}
