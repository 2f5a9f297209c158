"""Random products, orders and customers."""

import random
from functools import cache
from itertools import product
from typing import Any

from .words import CITIES, THINGS, TRAITS, WOODS, after, dice, handle, person, stamp

SHELVES = ("kitchen", "table", "garden", "hall")
STATUSES = ("delivered", "delivered", "delivered", "shipped", "paid", "returned", "cancelled")
CARRIERS = ("Nordpost", "Kurier24", "Lastrad", "Fjordline")


@cache
def products() -> list[dict[str, Any]]:
    """320 things, one for each material and shape."""
    throw = dice("products")
    return [_product(throw, number, pair) for number, pair in enumerate(product(WOODS, THINGS))]


def _product(throw: random.Random, number: int, pair: tuple[str, str]) -> dict[str, Any]:
    name = " ".join(pair)
    first, second = throw.sample(TRAITS, 2)
    return {
        "sku": f"HF-{1000 + number * 7}",
        "name": name,
        "shelf": SHELVES[THINGS.index(pair[1]) // 5],
        "price": round(throw.uniform(4, 189), 2),
        "stock": throw.choice((0, *range(1, 240))),
        "rating": round(throw.uniform(2.8, 5), 1),
        "weight_g": throw.randrange(80, 5200),
        "description": f"{name}, {first}, {second}.",
    }


@cache
def orders() -> list[dict[str, Any]]:
    """1,600 orders of half a year, oldest first."""
    throw = dice("orders")
    return [_order(throw, number) for number in range(1600)]


def _order(throw: random.Random, number: int) -> dict[str, Any]:
    buyer, city = person(throw), throw.choice(tuple(CITIES))
    bought = throw.sample(products(), throw.choice((1, 1, 2, 2, 3, 4)))
    items = [
        {"sku": each["sku"], "quantity": throw.choice((1, 1, 1, 2, 3, 6)), "price": each["price"]}
        for each in bought
    ]
    return {
        "id": f"ORD-{20417 + number * 3}",
        "placed": stamp(after(number * 163 + throw.randrange(160))),
        "customer": buyer,
        "email": f"{handle(buyer)}@example.com",
        "city": city,
        "country": CITIES[city],
        "status": throw.choice(STATUSES),
        "carrier": throw.choice(CARRIERS),
        "items": items,
        "total": round(sum(each["quantity"] * each["price"] for each in items), 2),
    }
