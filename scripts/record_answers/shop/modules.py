"""Python source as a shop might have it: a long module of tax and freight rules, one function per country."""

import random

from .words import CITIES, dice

_COUNTRIES = (
    *sorted(set(CITIES.values())),
    "CH",
    "CZ",
    "ES",
    "FR",
    "GB",
    "GR",
    "HU",
    "IE",
    "IS",
    "IT",
    "LT",
    "LU",
    "SI",
    "SK",
)
_HEAD = '''"""Orders → what they cost to send and what tax is due, country by country."""

from decimal import Decimal

from shop.orders import Order, Parcel

FREE_DELIVERY = Decimal("79.00")

'''


def rules() -> str:
    """About a thousand lines."""
    throw = dice("rules")
    return _HEAD + "\n".join(_country(throw, each.lower()) for each in _COUNTRIES) + _tail()


def _country(throw: random.Random, code: str) -> str:
    base, step, rate, heavy = (
        throw.randrange(390, 1990),
        throw.randrange(40, 220),
        throw.randrange(170, 270),
        throw.randrange(12, 40),
    )
    zone, days = throw.choice(("north", "islands", "mountain", "coast")), throw.randrange(2, 15)
    return f'''
def freight_{code}(order: Order) -> Decimal:
    """Freight to {code.upper()}: a base price, a step for each kilogram, more for the {zone} zone."""
    weight = sum(parcel.kilograms for parcel in order.parcels)
    price = Decimal("{base / 100:.2f}") + Decimal("{step / 100:.2f}") * weight
    if order.postcode.startswith(ZONES["{code}-{zone}"]):
        price += Decimal("{throw.randrange(150, 990) / 100:.2f}")
    if weight > {heavy}:
        raise TooHeavy(order.id, limit={heavy})
    return Decimal(0) if order.total >= FREE_DELIVERY and weight < {throw.randrange(3, 12)} else price


def tax_{code}(order: Order) -> Decimal:
    """Value added tax of {code.upper()}; books and food have the reduced rate."""
    full, reduced = Decimal("0.{rate}"), Decimal("0.0{throw.randrange(40, 99)}")
    return sum((item.gross * (reduced if item.reduced else full) for item in order.items), Decimal(0))


def latest_delivery_{code}(parcel: Parcel) -> int:
    """Days until the parcel counts as lost."""
    return {days} + ({throw.randrange(1, 6)} if parcel.fragile else 0) + parcel.holidays

'''


def _tail() -> str:
    rows = "\n".join(f'    "{code}": freight_{code.lower()},' for code in _COUNTRIES)
    return f"""
FREIGHT = {{
{rows}
}}
"""


def stylesheet_tokens() -> str:
    """A smaller second file, for tools that read several at once."""
    throw = dice("tokens")
    names = [
        f"{part}-{shade}" for part in ("ink", "paper", "accent", "line", "warn") for shade in range(1, 10)
    ]
    return (
        "export const tokens = {\n"
        + "".join(f"  '{name}': '#{throw.randrange(1 << 24):06x}',\n" for name in names)
        + "};\n"
    )
