"""Three small lookups, each leading to the next: code has little to gain."""

from collections.abc import Iterable, Mapping
from typing import Any

from ..agent import Agent, by_code, data, direct, find, through
from ..direct_servers import DirectServers
from ..task import Task

QUESTION = "Who is invited to the dry dock of the Kittiwake, and under which phone numbers? As `name phone`, by name."
WORDS = "dry dock Kittiwake"
SEARCHES = (
    find("search events, get one event", 3, server="calendar"),
    find("phone number of a person", 1),
)
LOOKS = (
    'await asyncio.gather(calendar.search_events(query="dry dock Kittiwake"), mail.search_contacts(query="lead"))',
)
CODE = """
found = (await calendar.search_events(query="dry dock Kittiwake"))["events"]
event = await calendar.get_event(event_id=found[0]["id"])
contacts = (await mail.search_contacts())["contacts"]
[[c["name"], c["phone"]] for c in contacts if c["email"] in event["attendees"]]
"""


def truth(servers: DirectServers) -> str:
    events = servers.ask("calendar.list_events", includeDetails=True)["events"]
    [event] = [each for each in events if each["title"] == "Dry dock of the Kittiwake"]
    contacts = servers.ask("mail.search_contacts")["contacts"]
    return _said(each for each in contacts if each["email"] in event["attendees"])


def _said(contacts: Iterable[Mapping[str, Any]]) -> str:
    return ", ".join(sorted(f"{each['name']} {each['phone']}" for each in contacts))


def _person(address: str) -> str:
    """Ada Quist has the address ada.quist@…: the address book is searched by name."""
    return address.split("@")[0].replace(".", " ")


def baseline() -> Agent:
    [found] = yield [direct("calendar.search_events", query=WORDS)]
    [event] = yield [direct("calendar.get_event", event_id=data(found)["events"][0]["id"])]
    people = map(_person, data(event)["attendees"])
    answers = yield [direct("mail.search_contacts", query=person) for person in people]
    return _said(data(answer)["contacts"][0] for answer in answers)


def search() -> Agent:
    """The answers are small, and `attendees` is named in the tool's own description: nothing to look at first."""
    yield SEARCHES
    [found] = yield [through("calendar.search_events", {"query": WORDS})]
    event_id = data(found)["events"][0]["id"]
    [event] = yield [through("calendar.get_event", {"event_id": event_id}, fields="attendees")]
    people = map(_person, data(event)["attendees"])
    answers = yield [through("mail.search_contacts", {"query": person}) for person in people]
    return _said(data(answer)["contacts"][0] for answer in answers)


def _words(answer: str) -> str:
    return _said({"name": name, "phone": phone} for name, phone in data(answer))


TASK = Task(
    "dry dock phones",
    QUESTION,
    truth,
    {
        "baseline": baseline,
        "search": search,
        "search, known": search,
        **by_code(SEARCHES, LOOKS, CODE, _words),
    },
)
