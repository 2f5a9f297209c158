"""Entities and relations as the memory server takes them, from goods and people."""

from typing import Any

from .goods import products
from .words import TEAMS, TRAITS, dice, person

Entity = dict[str, Any]


def entities() -> list[Entity]:
    """Makers, people and things with what was noted about them."""
    throw = dice("graph")
    makers = [
        {
            "name": f"Workshop {name}",
            "entityType": "maker",
            "observations": [
                f"delivers on {throw.choice(('Monday', 'Tuesday', 'Thursday'))}",
                f"customer number {throw.randrange(10_000, 99_999)}",
            ],
        }
        for name in ("Norr", "Vest", "Holm", "Skagen", "Brink", "Aalto")
    ]
    staff = [
        {
            "name": person(throw),
            "entityType": "person",
            "observations": [f"works in {throw.choice(TEAMS)}", f"extension {throw.randrange(100, 999)}"],
        }
        for _ in range(40)
    ]
    things = [
        {
            "name": each["name"],
            "entityType": "thing",
            "observations": [
                throw.choice(TRAITS),
                f"shelf {each['shelf']}",
                f"counted {throw.randrange(300)}",
            ],
        }
        for each in products()[:200]
    ]
    return [*makers, *staff, *things]


def relations() -> list[dict[str, str]]:
    """Who makes what."""
    throw, known = dice("relations"), entities()
    makers = [each["name"] for each in known if each["entityType"] == "maker"]
    return [
        {"from": throw.choice(makers), "to": each["name"], "relationType": "makes"}
        for each in known
        if each["entityType"] == "thing"
    ]
