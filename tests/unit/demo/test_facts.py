"""The facts in the demo data that agent tasks ask for stay where they are."""

import json
from typing import Any

import pytest
from tests.unit.demo.fleet import Fleet

pytestmark = pytest.mark.anyio

_MOST_CANCELLED = (
    "SELECT f.name, count(*) AS n FROM sailings s JOIN ferries f ON f.id = s.ferry_id "
    "WHERE s.status = 'cancelled' GROUP BY f.id ORDER BY n DESC, f.name LIMIT 1"
)
FACTS: list[tuple[str, str, dict[str, Any], str]] = [
    ("files", "read_file", {"path": "/README.md"}, "port 8417"),
    ("files", "read_file", {"path": "/docs/fare-table-2026.md"}, "| caravan | 67.50 |"),
    ("files", "search_file_contents", {"query": "harbour master of tern"}, "Oda Grahn"),
    ("notes", "get_note", {"note_id": "note-136"}, "seventeen-gulls"),
    ("notes", "search_notes", {"query": "offsite"}, "note-140"),
    ("calendar", "search_events", {"query": "kittiwake"}, "2026-04-21T07:00:00Z"),
    ("tickets", "get_ticket", {"key": "LF-142"}, "Booking 20931"),
    ("tickets", "search_tickets", {"query": "session cookie"}, "falk-voss"),
    ("weather", "get_current_weather", {"station": "TRN"}, '"sky": "fog"'),
    ("history", "search_commits", {"query": "pay back once"}, "Mira Ekman"),
    ("history", "search_commits", {"query": "fax"}, "Jonas Brandt"),
    ("database", "run_query", {"sql": "SELECT count(*) AS n FROM bookings"}, '"n": 3000'),
    ("database", "run_query", {"sql": _MOST_CANCELLED}, '"name": "Sandpiper"'),
    ("mail", "search_messages", {"query": "gate code"}, "7730"),
]


@pytest.mark.parametrize(("server", "tool", "arguments", "words"), FACTS)
async def test_fact_is_reported(
    server: str, tool: str, arguments: dict[str, Any], words: str, modern: Fleet
) -> None:
    assert words in await modern.text(server, tool, **arguments)


async def test_the_worlds_agree_with_each_other(modern: Fleet) -> None:
    commit = json.loads(await modern.text("history", "search_commits", query="pay back once"))["commits"][0]
    ticket = json.loads(await modern.text("tickets", "get_ticket", key="LF-142"))
    assert "LF-142" in commit["message"]
    assert commit["email"].split("@")[0].replace(".", "-") == ticket["assignee"]


async def test_the_data_is_rich(modern: Fleet) -> None:
    async def total(server: str, tool: str, **arguments: Any) -> int:
        return int(json.loads(await modern.text(server, tool, **arguments))["total"])

    assert await total("notes", "list_notes") >= 140
    assert await total("calendar", "list_events") >= 120
    assert await total("tickets", "list_tickets") >= 250
    assert await total("history", "search_commits", query=" ") == 400
    assert await total("mail", "list_messages", folder="archive") >= 30


async def test_blame_and_log_tell_the_same_story(modern: Fleet) -> None:
    path = "src/ferrydesk/refunds.py"
    commits = json.loads(await modern.text("history", "list_commits", path=path, limit=400))["commits"]
    known = {commit["sha"][:8] for commit in commits}
    blamed = {line[:8] for line in (await modern.text("history", "blame_file", path=path)).splitlines()}
    assert blamed <= known
    assert len(blamed) > 5
