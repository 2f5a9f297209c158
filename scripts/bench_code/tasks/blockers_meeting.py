"""Find, then change: the people behind some tickets are invited to a meeting when all of them are free."""

from collections.abc import Iterable

from ..agent import Agent, by_code, data, direct, find, read, through
from ..direct_servers import DirectServers
from ..task import Proof, Task
from .people import by_handle, handle

QUESTION = (
    "Set up one hour, titled 'Urgent blockers', with everybody who has an urgent ticket that is blocked, at the "
    "first time at which all are free. When does it start, and with how many people?"
)
TITLE = "Urgent blockers"
BLOCKED = {"status": "blocked", "priority": "urgent", "per_page": 100}
LOOKS = ('await asyncio.gather(tickets.list_tickets(per_page=1), mail.search_contacts(query="lead"))',)
SEARCHES = (
    find("list tickets by priority and status", 1),
    find("address book of people and teams", 1),
    find("schedule a meeting at the first free time", 1),
)
CODE = """
found = (await tickets.list_tickets(status="blocked", priority="urgent", per_page=100))["tickets"]
contacts = (await mail.search_contacts())["contacts"]
email = {c["email"].split("@")[0].replace(".", "-"): c["email"] for c in contacts}
people = sorted({email[t["assignee"]] for t in found if t["assignee"]})
await calendar.schedule_meeting(title="Urgent blockers", attendees=people, duration_minutes=60)
"""


def truth(servers: DirectServers) -> str:
    """The first free slot, without booking it."""
    people = _invited(servers)
    window = {"start": "2026-03-16T09:00:00Z", "end": "2026-03-30T09:00:00Z", "duration_minutes": 60}
    slots = servers.ask("calendar.find_free_slots", attendees=people, **window)["slots"]
    return f"{slots[0]['start']} {len(people)}"


def _invited(servers: DirectServers) -> list[str]:
    tickets = servers.ask("tickets.list_tickets", status="blocked", per_page=100)["tickets"]
    named = {each["assignee"] for each in tickets if each["priority"] == "urgent"}
    contacts = servers.ask("mail.search_contacts")["contacts"]
    return sorted(each["email"] for each in contacts if handle(each) in named)


def proofs(servers: DirectServers) -> list[Proof]:
    start = truth(servers).split()[0]
    return [Proof("calendar.search_events", {"query": TITLE}, start)]


def _people(tickets: str, contacts: str) -> list[str]:
    known = by_handle(data(contacts)["contacts"])
    handles: Iterable[str] = {each["assignee"] for each in data(tickets)["tickets"] if each["assignee"]}
    return sorted(known[each]["email"] for each in handles)


def _said(answer: str) -> str:
    event = data(answer)
    return f"{event['start']} {len(event['attendees'])}"


def baseline() -> Agent:
    tickets, contacts = yield [
        direct("tickets.list_tickets", **BLOCKED),
        direct("mail.search_contacts"),
    ]
    wanted = {"title": TITLE, "attendees": _people(tickets, contacts), "duration_minutes": 60}
    [answer] = yield [direct("calendar.schedule_meeting", **wanted)]
    return _said(answer)


def search_known() -> Agent:
    yield SEARCHES
    tickets, contacts = yield [
        through("tickets.list_tickets", BLOCKED, fields="tickets[].assignee"),
        through("mail.search_contacts", fields="contacts[].email"),
    ]
    wanted = {"title": TITLE, "attendees": _people(tickets, contacts), "duration_minutes": 60}
    [answer] = yield [through("calendar.schedule_meeting", wanted)]
    return _said(answer)


def search() -> Agent:
    yield SEARCHES
    cut = yield [through("tickets.list_tickets", BLOCKED), through("mail.search_contacts")]
    tickets, contacts = yield [
        read(cut[0], path="{tickets: tickets[].{assignee: assignee}}"),
        read(cut[1], path="{contacts: contacts[].{email: email}}"),
    ]
    wanted = {"title": TITLE, "attendees": _people(tickets, contacts), "duration_minutes": 60}
    [answer] = yield [through("calendar.schedule_meeting", wanted)]
    return _said(answer)


TASK = Task(
    "blockers meeting",
    QUESTION,
    truth,
    {
        "baseline": baseline,
        "search": search,
        "search, known": search_known,
        **by_code(SEARCHES, LOOKS, CODE, _said),
    },
    proofs,
)
