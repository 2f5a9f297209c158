"""An issue tracker's list, with long bodies, labels, people and links, as a public API returns it."""

import random
from typing import Any

from .words import TEAMS, after, dice, handle, person, stamp

_WHERE = (
    "the basket", "the price filter", "the return label", "the stock counter", "the order mail", "the gift card",
    "the address form", "the size table", "the invoice", "the wish list", "the tax line", "the carrier choice",
)  # fmt: skip
_WHAT = (
    "shows the price of yesterday", "loses the second item", "prints the label twice", "counts a return as sold",
    "goes blank on old phones", "rounds to the wrong cent", "ignores the country", "cannot be undone",
    "takes nine seconds", "fails for umlauts", "forgets the voucher", "overlaps the button",
)  # fmt: skip
_STEPS = (
    "Open {where} with at least {n} things in it.", "Change the country to one outside the union.",
    "Press back twice and then reload.", "Wait until the session is {n} minutes old.",
    "Use a voucher that was valid until yesterday.", "Switch the language while the page loads.",
    "Log in from a second device.", "Add the same thing from the search and from its own page.",
)  # fmt: skip
_SEEN = (
    "It happened to {n} customers last week, and support answered each of them by hand.",
    "The log has `{code}` every time, with the request id {hexed}.",
    "A reload helps in about one of {n} cases, which makes it hard to show.",
    "It began after the release of {month}; the one before was fine.",
    "The numbers in the report are off by {n} since then, so finance asked for a date.",
    "On the test system it never happens, because there the cache is off.",
)  # fmt: skip
_LABELS = ("bug", "regression", "good first issue", "needs design", "accessibility", "performance", "wontfix")


def issues(count: int, first: int) -> list[dict[str, Any]]:
    """Newest first."""
    throw = dice(f"issues:{count}")
    return [_issue(throw, first + count - 1 - place, place) for place in range(count)]


def _issue(throw: random.Random, number: int, place: int) -> dict[str, Any]:
    where, what, team = throw.choice(_WHERE), throw.choice(_WHAT), throw.choice(TEAMS)
    author, state = person(throw), throw.choice(("open", "open", "open", "closed", "closed"))
    url = f"https://git.shop.example/shop/{team}/issues/{number}"
    closed = stamp(after(180_000 - place * 950)) if state == "closed" else None
    return {
        "id": 884_000_000 + number * 917,
        "number": number,
        "title": f"{where.removeprefix('the ').capitalize()} {what}",
        "state": state,
        "html_url": url,
        "comments_url": f"{url}/comments",
        "user": {
            "login": handle(author),
            "id": throw.randrange(10_000, 99_999),
            "type": "User",
            "site_admin": False,
        },
        "labels": [
            {"name": name, "color": f"{throw.randrange(1 << 24):06x}"} for name in _labels(throw, team)
        ],
        "assignee": {"login": handle(person(throw))} if throw.random() < 0.6 else None,
        "milestone": throw.choice((None, {"title": "Spring sale", "due_on": "2026-04-01T00:00:00Z"})),
        "comments": throw.randrange(0, 34),
        "created_at": stamp(after(170_000 - place * 960)),
        "closed_at": closed,
        "body": _body(throw, where),
    }


def _labels(throw: random.Random, team: str) -> list[str]:
    return [team, *throw.sample(_LABELS, throw.choice((0, 1, 1, 2)))]


def _body(throw: random.Random, where: str) -> str:
    steps = [_filled(throw, text, where) for text in throw.sample(_STEPS, throw.randrange(2, 5))]
    seen = [_filled(throw, text, where) for text in throw.sample(_SEEN, throw.randrange(2, 6))]
    numbered = "\n".join(f"{place}. {step}" for place, step in enumerate(steps, 1))
    return f"### Steps\n\n{numbered}\n\n### What is seen\n\n{' '.join(seen)}\n\n### Version\n\n{_version(throw)}\n"


def _filled(throw: random.Random, text: str, where: str) -> str:
    return text.format(
        where=where,
        n=throw.randrange(3, 90),
        code=throw.choice(("E_STALE_PRICE", "E_NO_ROUTE", "E_TAX_RULE", "E_TIMEOUT", "E_DOUBLE_BOOK")),
        hexed=f"{throw.randrange(1 << 48):012x}",
        month=throw.choice(("January", "February", "March")),
    )


def _version(throw: random.Random) -> str:
    number = f"{throw.randrange(4, 7)}.{throw.randrange(20)}.{throw.randrange(10)}"
    return f"shop {number}, build {throw.randrange(9000, 9999)}"
