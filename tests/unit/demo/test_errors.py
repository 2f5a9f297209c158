"""Bad calls of demo tools → answers marked as errors, with a text that helps."""

from typing import Any

import pytest
from mcp import MCPError
from tests.unit.demo.fleet import Fleet, text_of

pytestmark = pytest.mark.anyio

_NAMED = "Use list_tables and describe_table"
_READ_ONLY = "read-only: only SELECT"
CASES: list[tuple[str, str, dict[str, Any], str]] = [
    ("files", "read_file", {}, "'path' is a required property"),
    ("files", "read_file", {"path": 5}, "path: 5 is not of type 'string'"),
    ("files", "read_file", {"path": "/README.md", "colour": 1}, "'colour' was unexpected"),
    ("files", "read_file", {"path": "/docs"}, "use list_directory"),
    ("files", "read_file", {"path": "/../etc/passwd"}, "outside the project"),
    ("files", "read_file", {"path": "/README.md", "head": 1, "tail": 1}, "head or tail, not both"),
    ("files", "list_directory", {"path": "/nowhere"}, "No such directory: /nowhere"),
    ("files", "write_file", {"path": "/README.md/x", "content": ""}, "is a file, not a directory"),
    (
        "files",
        "edit_file",
        {"path": "/README.md", "edits": [{"oldText": "zzz", "newText": ""}]},
        "Nothing was",
    ),
    ("files", "move_file", {"source": "/README.md", "destination": "/TODO.txt"}, "already exists"),
    ("notes", "get_note", {"note_id": "note-999"}, "use search_notes"),
    ("notes", "search_notes", {"query": "x", "limit": 51}, "limit: 51 is greater than the maximum of 50"),
    ("calendar", "get_event", {"event_id": "evt-9999"}, "use search_events"),
    ("calendar", "list_events", {"start": "tomorrow"}, "not an ISO 8601 time"),
    ("calendar", "list_events", {"start": "9999-12-31T23:59:59-10:00"}, "not between 2000 and 2100"),
    (
        "calendar",
        "create_event",
        {"title": "x", "start": "2026-03-20", "end": "2026-03-19"},
        "end must come after",
    ),
    ("calendar", "update_event", {"event_id": "evt-0001", "end": "2020-01-01"}, "end must come after"),
    (
        "calendar",
        "schedule_meeting",
        {"title": "x", "attendees": ["a@b.example"], "earliest": "2026-03-21", "latest": "2026-03-22"},
        "Nobody found 30 free minutes",
    ),
    ("tickets", "get_ticket", {"key": "LF-9999"}, "use search_tickets"),
    ("tickets", "list_tickets", {"status": "lost"}, "status: 'lost' is not one of"),
    ("tickets", "assign_ticket", {"key": "LF-142", "assignee": "bob"}, "Handles: ada-quist"),
    ("tickets", "update_ticket", {"key": "LF-142"}, "Nothing to change"),
    ("weather", "get_current_weather", {"station": "Atlantis"}, "Stations: SKE, MOS"),
    ("weather", "get_tide_times", {"station": "SKE", "date": "2026-02-30"}, "There is no day 2026-02-30"),
    ("history", "get_commit", {"sha": "zzzz"}, "names no branch, tag or commit"),
    ("history", "get_commit", {"sha": "HEAD~999"}, "does not go back that far"),
    ("history", "get_diff", {"base": "main", "head": "docs", "path": "nowhere.py"}, "There is no nowhere.py"),
    ("history", "create_branch", {"name": "main"}, "exists already"),
    ("history", "blame_file", {"path": "nowhere.py"}, "Files: Makefile"),
    ("database", "run_query", {"sql": "DELETE FROM ferries"}, _READ_ONLY),
    ("database", "run_query", {"sql": "DROP TABLE ferries"}, _READ_ONLY),
    ("database", "run_query", {"sql": "ATTACH 'stolen.db' AS other"}, _READ_ONLY),
    ("database", "run_query", {"sql": "PRAGMA query_only = 0"}, _READ_ONLY),
    ("database", "run_query", {"sql": "SELECT nothing FROM ferries"}, _NAMED),
    ("database", "run_query", {"sql": "SELECT 1; SELECT 2"}, "one statement"),
    ("database", "explain_query", {"sql": "UPDATE ferries SET seats = 0"}, _READ_ONLY),
    ("database", "describe_table", {"table": "x; DROP TABLE ferries"}, "Tables: bookings"),
    ("mail", "get_message", {"message_id": "msg-9999"}, "use search_messages"),
    ("mail", "list_messages", {"page_token": "next"}, "not a page token"),
    ("mail", "get_attachment", {"message_id": "msg-0012", "name": "x"}, "it has none"),
    ("mail", "send_message", {"to": ["nobody"], "subject": "", "body": ""}, "Use search_contacts"),
]


@pytest.mark.parametrize(("server", "tool", "arguments", "words"), CASES)
async def test_bad_call_is_an_error_that_helps(
    server: str, tool: str, arguments: dict[str, Any], words: str, modern: Fleet
) -> None:
    result = await modern.call(server, tool, **arguments)
    assert result.is_error
    assert words in text_of(result)


async def test_errors_are_errors_in_the_old_protocol_version_too(legacy: Fleet) -> None:
    assert (await legacy.call("notes", "get_note", note_id="x")).is_error


async def test_unknown_tool_and_cursor_are_protocol_errors(modern: Fleet) -> None:
    with pytest.raises(MCPError, match="Unknown tool: fly"):
        await modern.call("notes", "fly")
    with pytest.raises(MCPError, match="unknown cursor"):
        await modern.clients["tickets"].list_tools(cursor="7")


async def test_endless_query_is_stopped(modern: Fleet) -> None:
    sql = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c"
    result = await modern.call("database", "run_query", sql=sql)
    assert result.is_error
    assert "took too long" in text_of(result)
    assert "harbours" in await modern.text("database", "list_tables")
