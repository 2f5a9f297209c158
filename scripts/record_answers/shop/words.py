"""Seeded random numbers by name, and the words that the shop is made of."""

import random
from datetime import UTC, datetime, timedelta

START = datetime(2026, 1, 5, 6, 0, tzinfo=UTC)
FIRST = [
    "Agnes",
    "Bela",
    "Cosmo",
    "Dagny",
    "Emre",
    "Fenja",
    "Gideon",
    "Hedda",
    "Ilka",
    "Joris",
    "Katla",
    "Leander",
    "Maris",
    "Nuno",
    "Odile",
    "Pavel",
    "Quirin",
    "Rieke",
    "Sanna",
    "Tibor",
    "Ursel",
    "Veit",
    "Wanda",
    "Xenia",
    "Yorick",
    "Zita",
]
LAST = [
    "Abendroth",
    "Brandal",
    "Corvin",
    "Dreesen",
    "Eklund",
    "Falkner",
    "Gundersen",
    "Hallström",
    "Iversen",
    "Jablonski",
    "Kerkhof",
    "Lindqvist",
    "Mortier",
    "Nygaard",
    "Oberlin",
    "Petersen",
    "Quast",
    "Rosendahl",
    "Stavros",
    "Thorne",
    "Uhlmann",
    "Vestergaard",
    "Wiersma",
    "Zeller",
]
CITIES = {
    "Aarhus": "DK", "Bergen": "NO", "Bremen": "DE", "Delft": "NL", "Gdynia": "PL", "Ghent": "BE", "Graz": "AT",
    "Linz": "AT", "Lund": "SE", "Oulu": "FI", "Porto": "PT", "Riga": "LV", "Tartu": "EE", "Turku": "FI", "Ulm": "DE",
}  # fmt: skip
WOODS = "Oak Ash Beech Walnut Cherry Larch Olive Maple Copper Linen Steel Slate Cork Enamel Stoneware Wool".split()  # noqa: SIM905
THINGS = [
    "Bread Board",
    "Salad Bowl",
    "Rolling Pin",
    "Kettle",
    "Butter Dish",
    "Tea Towel",
    "Pepper Mill",
    "Garden Trowel",
    "Watering Can",
    "Plant Stand",
    "Milk Jug",
    "Knife Block",
    "Egg Tray",
    "Storage Jar",
    "Serving Tray",
    "Door Mat",
    "Herb Shears",
    "Lantern",
    "Bird Feeder",
    "Seed Box",
]
TRAITS = (
    "made in a small workshop on the coast", "oiled by hand and safe with food", "turned from a single piece",
    "with a rim that does not drip", "packed without any plastic", "glazed twice and fired at 1240 degrees",
    "cut from wood that had to be felled anyway", "woven on a loom from 1932", "with a handle that stays cool",
    "that gets better with every year of use", "tested with two thousand openings", "with a spare part in the box",
)  # fmt: skip
TEAMS = "checkout catalogue warehouse payments search mail identity reporting".split()  # noqa: SIM905


def dice(name: str) -> random.Random:
    """The same name gives the same numbers."""
    return random.Random(f"shop:{name}")  # noqa: S311 - sample data, no secret


def stamp(moment: datetime) -> str:
    """`2026-01-05T06:00:00Z`."""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def after(minutes: float) -> datetime:
    """A moment in the shop's year."""
    return START + timedelta(minutes=minutes)


def person(throw: random.Random) -> str:
    return f"{throw.choice(FIRST)} {throw.choice(LAST)}"


def handle(name: str) -> str:
    """`Agnes Brandal` → `agnes.brandal`, in ASCII."""
    return name.lower().replace(" ", ".").replace("ö", "oe")
