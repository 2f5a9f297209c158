"""Find, then change many: every blocked ticket without an assignee gets one."""

from collections.abc import Iterable

from ..agent import Agent, by_code, data, direct, find, read, through
from ..direct_servers import DirectServers
from ..task import Proof, Task
from .people import handle

QUESTION = (
    "Assign every blocked ticket that nobody has to the team lead of Platform. Which tickets were they? Keys by "
    "number."
)
ROLE = "Platform team lead"
BLOCKED = {"status": "blocked", "per_page": 100}
SEARCHES = (find("list tickets, assign a ticket", 2), find("address book of people and teams", 1))
LOOKS = (
    'await asyncio.gather(tickets.list_tickets(status="blocked", per_page=1), '
    'mail.search_contacts(query="Platform team lead"))',
)
CODE = """
lead = (await mail.search_contacts(query="Platform team lead"))["contacts"][0]["email"]
handle = lead.split("@")[0].replace(".", "-")
found = (await tickets.list_tickets(status="blocked", per_page=100))["tickets"]
keys = [t["key"] for t in found if not t["assignee"]]
await asyncio.gather(*[tickets.assign_ticket(key=k, assignee=handle) for k in keys])
keys
"""


def truth(servers: DirectServers) -> str:
    return _said(_free(servers))


def _free(servers: DirectServers) -> list[str]:
    """One ticket after the other."""
    tickets = (servers.ask("tickets.get_ticket", key=f"LF-{number}") for number in range(1, 251))
    return [each["key"] for each in tickets if each["status"] == "blocked" and not each["assignee"]]


def proofs(servers: DirectServers) -> list[Proof]:
    [lead] = servers.ask("mail.search_contacts", query=ROLE)["contacts"]
    return [Proof("tickets.get_ticket", {"key": key}, handle(lead)) for key in _free(servers)]


def _said(keys: Iterable[str]) -> str:
    return ", ".join(sorted(keys, key=lambda key: int(key.removeprefix("LF-"))))


def _without(listed: str) -> list[str]:
    return [each["key"] for each in data(listed)["tickets"] if not each["assignee"]]


def _confirmed(answers: Iterable[str], lead: str) -> str:
    return _said(answer.split()[0] for answer in answers if f"is now assigned to {lead}" in answer)


def baseline() -> Agent:
    listed, leads = yield [
        direct("tickets.list_tickets", **BLOCKED),
        direct("mail.search_contacts", query=ROLE),
    ]
    lead = handle(data(leads)["contacts"][0])
    answers = yield [direct("tickets.assign_ticket", key=key, assignee=lead) for key in _without(listed)]
    return _confirmed(answers, lead)


def search_known() -> Agent:
    yield SEARCHES
    listed, leads = yield [
        through("tickets.list_tickets", BLOCKED, fields="tickets[].key,tickets[].assignee"),
        through("mail.search_contacts", {"query": ROLE}),
    ]
    lead = handle(data(leads)["contacts"][0])
    answers = yield [
        through("tickets.assign_ticket", {"key": key, "assignee": lead}) for key in _without(listed)
    ]
    return _confirmed(answers, lead)


def search() -> Agent:
    yield SEARCHES
    cut, leads = yield [
        through("tickets.list_tickets", BLOCKED),
        through("mail.search_contacts", {"query": ROLE}),
    ]
    lead = handle(data(leads)["contacts"][0])
    [keys] = yield [read(cut, path="tickets[?assignee==null].key")]
    answers = yield [through("tickets.assign_ticket", {"key": key, "assignee": lead}) for key in data(keys)]
    return _confirmed(answers, lead)


TASK = Task(
    "blocked tickets",
    QUESTION,
    truth,
    {
        "baseline": baseline,
        "search": search,
        "search, known": search_known,
        **by_code(SEARCHES, LOOKS, CODE, lambda answer: _said(data(answer))),
    },
    proofs,
)
