"""JSON as APIs return it: minified, pretty, deep, with blobs inside."""

import json
import random
from typing import Any

from .goods import orders, products
from .pages import picture
from .words import TEAMS, after, dice, person, stamp


def minified(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def pretty(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


def order_page(count: int) -> dict[str, Any]:
    """A page of orders with the envelope that APIs put around it."""
    return {
        "meta": {"page": 1, "per_page": count, "total": len(orders())},
        "orders": orders()[100 : 100 + count],
    }


def goods_by_shelf() -> dict[str, Any]:
    """Products as an object of objects, keyed by shelf and number."""
    shelves: dict[str, dict[str, Any]] = {}
    for each in products():
        rest = {key: value for key, value in each.items() if key not in ("sku", "shelf", "description")}
        shelves.setdefault(each["shelf"], {})[each["sku"]] = rest
    return {"exported": stamp(after(90_000)), "shelves": shelves}


def category_tree() -> dict[str, Any]:
    """Eight levels deep; leaves carry counts and managers."""
    return _category(dice("categories"), "All goods", (4, 3, 3, 2, 2, 2, 1))


def _category(throw: random.Random, name: str, widths: tuple[int, ...]) -> dict[str, Any]:
    node: dict[str, Any] = {
        "id": throw.randrange(100_000, 999_999),
        "name": name,
        "goods": throw.randrange(0, 400),
    }
    if widths:
        words = throw.sample(("Small", "Large", "Round", "Flat", "Painted", "Plain", "Old", "New"), widths[0])
        node["children"] = [
            _category(throw, f"{word} {name.split()[-1]} {len(widths)}", widths[1:]) for word in words
        ]
    else:
        node["manager"] = person(throw)
    return node


def deployment() -> dict[str, Any]:
    """The settings of every service in every region, nested as such files are."""
    throw = dice("deployment")
    return {"version": 7, "regions": {region: _region(throw) for region in ("north", "south", "west", "lab")}}


def _region(throw: random.Random) -> dict[str, Any]:
    return {
        "services": {team: _service(throw, team) for team in TEAMS},
        "gateway": {"tls": {"min": "1.3"}, "ports": [443, 8443]},
    }


def _service(throw: random.Random, team: str) -> dict[str, Any]:
    limits = {"cpu": f"{throw.randrange(100, 4000)}m", "memory": f"{throw.randrange(128, 8192)}Mi"}
    probes = {kind: {"path": f"/{kind}", "every": throw.randrange(2, 60)} for kind in ("health", "ready")}
    env = {
        f"{team.upper()}_{key}": str(throw.randrange(1, 90_000))
        for key in ("POOL", "TIMEOUT_MS", "BATCH", "CACHE_TTL")
    }
    image = f"images.shop.example/{team}:{throw.randrange(4, 9)}.{throw.randrange(30)}.{throw.randrange(9)}"
    return {
        "image": image,
        "replicas": throw.randrange(1, 12),
        "resources": {"limits": limits},
        "probes": probes,
        "env": env,
    }


def attachments(count: int) -> dict[str, Any]:
    """Scanned papers as base64 inside JSON."""
    throw = dice("attachments")
    papers = [_paper(throw, number) for number in range(count)]
    return {"customer": "Dagny Lindqvist", "attachments": papers, "next": None}


def _paper(throw: random.Random, number: int) -> dict[str, Any]:
    size = throw.randrange(2_000, 9_000)
    return {
        "id": f"att-{5100 + number * 13}",
        "filename": _filename(throw),
        "bytes": size,
        "uploaded": stamp(after(throw.randrange(200_000))),
        "note": f"checked by {person(throw)}",
        "content": picture(f"paper {number}", size),
    }


def _filename(throw: random.Random) -> str:
    subject, number = throw.choice(("receipt", "photo", "letter", "label")), throw.randrange(100, 999)
    return f"{subject}-{number}.{throw.choice(('png', 'pdf'))}"


def mail() -> str:
    """A complaint with two attachments, as it lies in the mailbox."""
    wrapped = [
        "\n".join(data[start : start + 76] for start in range(0, len(data), 76))
        for data in (picture("mail photo", 21_000), picture("mail scan", 14_000))
    ]
    return f"""From: Rieke Oberlin <rieke.oberlin@example.com>
To: service@shop.example
Subject: Broken lantern, order ORD-21593
Date: Tue, 17 Mar 2026 09:41:12 +0100
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="=_part_7f3a"

--=_part_7f3a
Content-Type: text/plain; charset=utf-8

The glass of the lantern was in three pieces when I opened the parcel.
The box itself was fine, so I think it was broken before it was packed.

--=_part_7f3a
Content-Type: image/jpeg; name="lantern.jpg"
Content-Transfer-Encoding: base64

{wrapped[0]}

--=_part_7f3a
Content-Type: text/plain; charset=utf-8

Below is the delivery note. Please send a new glass, not a new lantern,
to my sister: Xenia Oberlin, Havnegade 31, Aarhus. I need it by 4 April.

--=_part_7f3a
Content-Type: application/pdf; name="delivery-note.pdf"
Content-Transfer-Encoding: base64

{wrapped[1]}

--=_part_7f3a--
"""
