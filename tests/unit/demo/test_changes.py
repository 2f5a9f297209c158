"""What a demo tool writes, another one shows."""

import json

import pytest
from tests.unit.demo.fleet import Fleet

pytestmark = pytest.mark.anyio

_ADA = "ada.quist@larkfield.example"


async def test_written_file_is_listed_edited_moved_and_deleted(modern: Fleet) -> None:
    await modern.text("files", "write_file", path="/drafts/plan.md", content="first\nsecond\n")
    assert "[FILE] plan.md" in await modern.text("files", "list_directory", path="/drafts")
    edits = [{"oldText": "second", "newText": "third"}]
    diff = await modern.text("files", "edit_file", path="/drafts/plan.md", edits=edits, dryRun=True)
    assert "+third" in diff
    assert await modern.text("files", "read_file", path="/drafts/plan.md") == "first\nsecond\n"
    await modern.text("files", "edit_file", path="/drafts/plan.md", edits=edits)
    await modern.text("files", "move_file", source="/drafts/plan.md", destination="/kept.md")
    assert await modern.text("files", "read_file", path="/kept.md", tail=1) == "third"
    await modern.text("files", "delete_file", path="/kept.md")
    assert (await modern.call("files", "read_file", path="/kept.md")).is_error
    assert (await modern.call("files", "list_directory", path="/drafts")).is_error


async def test_created_note_is_found_changed_and_deleted(modern: Fleet) -> None:
    made = json.loads(await modern.text("notes", "create_note", title="Zebra crossing", body="black"))
    found = json.loads(await modern.text("notes", "search_notes", query="zebra"))
    assert [note["id"] for note in found["notes"]] == [made["id"]]
    assert made["id"] in await modern.text("notes", "list_notes", limit=1)
    await modern.text("notes", "update_note", note_id=made["id"], body="white")
    assert json.loads(await modern.text("notes", "get_note", note_id=made["id"]))["body"] == "white"
    await modern.text("notes", "delete_note", note_id=made["id"])
    assert (await modern.call("notes", "get_note", note_id=made["id"])).is_error


async def test_scheduled_meeting_takes_the_first_free_slot(modern: Fleet) -> None:
    window = {"start": "2026-03-23T00:00:00Z", "end": "2026-03-28T00:00:00Z"}
    ask = {"attendees": [_ADA, "mira.ekman@larkfield.example"], "duration_minutes": 45}
    free = json.loads(await modern.text("calendar", "find_free_slots", **ask, **window))["slots"]
    made = json.loads(
        await modern.text("calendar", "schedule_meeting", title="Talk", earliest=window["start"], **ask)
    )
    assert made["start"] == free[0]["start"]
    left = json.loads(await modern.text("calendar", "find_free_slots", **ask, **window))["slots"]
    assert free[0] not in left
    assert made["id"] in await modern.text("calendar", "list_events", attendee=_ADA)


async def test_ticket_is_filed_commented_and_closed(modern: Fleet) -> None:
    key = json.loads(await modern.text("tickets", "create_ticket", title="Gull on the radar"))["key"]
    newest = json.loads(await modern.text("tickets", "list_tickets", per_page=1))["tickets"]
    assert newest[0]["key"] == key
    await modern.text("tickets", "add_comment", key=key, body="It is a big gull")
    assert json.loads(await modern.text("tickets", "search_tickets", query="big gull"))["total"] == 1
    await modern.text("tickets", "close_ticket", key=key)
    assert json.loads(await modern.text("tickets", "get_ticket", key=key))["status"] == "closed"
    assert (await modern.call("tickets", "assign_ticket", key=key, assignee="mira-ekman")).is_error
    assert (await modern.call("tickets", "close_ticket", key=key)).is_error


async def test_created_branch_is_listed(modern: Fleet) -> None:
    await modern.text("history", "create_branch", name="try/it", ref="HEAD~4")
    assert '"try/it"' in await modern.text("history", "list_branches")
    compared = json.loads(await modern.text("history", "compare_branches", base="main", head="try/it"))
    assert (compared["ahead"], compared["behind"]) == (0, 4)


async def test_sent_message_lies_in_the_sent_folder(modern: Fleet) -> None:
    made = json.loads(await modern.text("mail", "send_message", to=[_ADA], subject="Gull", body="Look up"))
    sent = json.loads(await modern.text("mail", "list_messages", folder="sent", limit=1))
    assert sent["messages"][0]["id"] == made["id"]


async def test_reading_a_message_marks_it_read(modern: Fleet) -> None:
    before = json.loads(await modern.text("mail", "list_messages", unread_only=True))["total"]
    await modern.text("mail", "get_message", message_id="msg-0178")
    assert json.loads(await modern.text("mail", "list_messages", unread_only=True))["total"] == before - 1
