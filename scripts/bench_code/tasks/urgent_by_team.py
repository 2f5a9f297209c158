"""Filter, join and count: tickets by the team of their assignee."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from ..agent import Agent, Call, by_code, data, direct, find, read, through
from ..direct_servers import DirectServers
from ..task import Task
from .people import by_handle

QUESTION = (
    "How many urgent tickets that are not closed does each team have, by the team of the person they are "
    "assigned to? As `team n`, most first, then by name; those of nobody as `nobody`."
)
OPEN = ("open", "in_progress", "blocked")
SEARCHES = (find("list tickets by priority and status", 1), find("address book of people and teams", 1))
LOOKS = ('await asyncio.gather(tickets.list_tickets(per_page=1), mail.search_contacts(query="lead"))',)
CODE = """
pages = await asyncio.gather(*[
    tickets.list_tickets(priority="urgent", status=s, per_page=100) for s in ("open", "in_progress", "blocked")])
contacts = (await mail.search_contacts())["contacts"]
team = {c["email"].split("@")[0].replace(".", "-"): c["team"] for c in contacts}
counts = {}
for page in pages:
    for t in page["tickets"]:
        name = team.get(t["assignee"], "nobody")
        counts[name] = counts.get(name, 0) + 1
counts
"""


def truth(servers: DirectServers) -> str:
    """Computed differently: from all tickets, page by page, and every person's own entry."""
    found = []
    for page in range(1, 10):
        found += servers.ask("tickets.list_tickets", page=page)["tickets"]
    wanted = [each for each in found if each["priority"] == "urgent" and each["status"] != "closed"]
    contacts = servers.ask("mail.search_contacts")["contacts"]
    return _said(_counted(wanted, contacts))


def _counted(tickets: Iterable[Mapping[str, Any]], contacts: Iterable[Mapping[str, Any]]) -> Counter[str]:
    people = by_handle(contacts)
    return Counter(people[each["assignee"]]["team"] if each["assignee"] else "nobody" for each in tickets)


def _said(counts: Mapping[str, int]) -> str:
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return ", ".join(f"{team} {number}" for team, number in ordered)


def baseline() -> Agent:
    calls = [
        direct("tickets.list_tickets", priority="urgent", status=status, per_page=100) for status in OPEN
    ]
    *pages, contacts = yield [*calls, direct("mail.search_contacts")]
    return _summed(pages, contacts)


def _pages() -> list[Call]:
    return [
        through(
            "tickets.list_tickets",
            {"priority": "urgent", "status": status, "per_page": 100},
            fields="tickets[].assignee",
        )
        for status in OPEN
    ]


def search_known() -> Agent:
    yield SEARCHES
    book = through("mail.search_contacts", fields="contacts[].email,contacts[].team")
    *pages, contacts = yield [*_pages(), book]
    return _summed(pages, contacts)


def _summed(pages: Iterable[str], contacts: str) -> str:
    found = [ticket for page in pages for ticket in data(page)["tickets"]]
    return _said(_counted(found, data(contacts)["contacts"]))


def search() -> Agent:
    """One ticket shows what all look like; the rest of a cut address book is read."""
    yield SEARCHES
    _, cut = yield [through("tickets.list_tickets", {"per_page": 1}), through("mail.search_contacts")]
    book = read(cut, path="{contacts: contacts[].{email: email, team: team}}")
    *pages, contacts = yield [*_pages(), book]
    return _summed(pages, contacts)


TASK = Task(
    "urgent by team",
    QUESTION,
    truth,
    {
        "baseline": baseline,
        "search": search,
        "search, known": search_known,
        **by_code(SEARCHES, LOOKS, CODE, lambda answer: _said(data(answer))),
    },
)
