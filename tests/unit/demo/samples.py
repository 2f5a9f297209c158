"""The name of a server and a tool → arguments with which a call works, in an order that disturbs nothing."""

from typing import Any

_ADA = "ada.quist@larkfield.example"
_WEEK = {"start": "2026-03-16T00:00:00Z", "end": "2026-03-21T00:00:00Z"}

SAMPLES: dict[str, dict[str, dict[str, Any]]] = {
    "files": {
        "list_directory": {"path": "/docs"},
        "directory_tree": {"path": "/", "excludePatterns": ["/logs/*"]},
        "read_file": {"path": "/logs/desk-2026-03-15.log"},
        "read_multiple_files": {
            "paths": ["/README.md", "/web/index.html", "/data/seats.min.json", "/nowhere"]
        },
        "search_files": {"path": "/", "pattern": "*.json"},
        "search_file_contents": {"query": "refund"},
        "get_file_info": {"path": "/data/passengers.csv"},
        "write_file": {"path": "/tmp/new.txt", "content": "one\ntwo\n"},
        "edit_file": {"path": "/tmp/new.txt", "edits": [{"oldText": "two", "newText": "three"}]},
        "move_file": {"source": "/tmp/new.txt", "destination": "/tmp/moved.txt"},
        "delete_file": {"path": "/tmp/moved.txt"},
    },
    "notes": {
        "list_notes": {},
        "get_note": {"note_id": "note-136"},
        "search_notes": {"query": "fare", "limit": 5},
        "list_tags": {},
        "export_notes": {},
        "create_note": {"title": "Sample", "body": "A body", "tags": ["idea"]},
        "update_note": {"note_id": "note-141", "body": "Another body", "title": None},
        "delete_note": {"note_id": "note-141"},
    },
    "calendar": {
        "list_events": {"includeDetails": True},
        "get_event": {"event_id": "evt-0127"},
        "search_events": {"query": "drill"},
        "find_free_slots": {"attendees": [_ADA], **_WEEK, "duration_minutes": 60},
        "create_event": {"title": "Sample", "start": "2026-03-20T12:00:00Z", "end": "2026-03-20T13:00:00Z"},
        "schedule_meeting": {"title": "Sample talk", "attendees": [_ADA, "oda.grahn@larkfield.example"]},
        "update_event": {
            "event_id": "evt-0131",
            "title": "Sample, moved",
            "end": "2026-03-20T14:00:00+01:00",
        },
        "delete_event": {"event_id": "evt-0131"},
    },
    "tickets": {
        "list_tickets": {"label": "fares", "status": "open", "per_page": 100},
        "get_ticket": {"key": "LF-142"},
        "search_tickets": {"query": "refund"},
        "list_comments": {"key": "lf-3"},
        "list_labels": {},
        "export_tickets": {},
        "create_ticket": {"title": "Sample", "labels": ["bug"], "assignee": "mira-ekman"},
        "update_ticket": {"key": "LF-251", "priority": "low"},
        "assign_ticket": {"key": "LF-251", "assignee": "falk-voss"},
        "add_comment": {"key": "LF-251", "body": "Seen"},
        "close_ticket": {"key": "LF-251", "resolution": "duplicate", "comment": "See LF-142."},
    },
    "weather": {
        "list_stations": {},
        "get_current_weather": {"station": "Tern Island", "units": "imperial"},
        "get_observations": {"station": "trn"},
        "get_radar_image": {"station": "GRA"},
        "get_forecast": {"station": "SKE", "days": 7, "hourly": True},
        "get_weather_alerts": {},
        "get_tide_times": {"station": "BEL", "date": "2026-04-21"},
    },
    "history": {
        "list_commits": {"limit": 1000},
        "search_commits": {"query": "LF-142"},
        "list_branches": {},
        "list_tags": {},
        "get_file_contents": {"path": "src/ferrydesk/fares.py", "ref": "v4.6.0"},
        "get_build_log": {"ref": "HEAD~2"},
        "get_commit": {"sha": "HEAD"},
        "get_diff": {"base": "v4.7.0", "head": "v4.8.0"},
        "compare_branches": {"base": "main", "head": "fix/double-refund"},
        "blame_file": {"path": "src/ferrydesk/refunds.py"},
        "create_branch": {"name": "sample/branch", "ref": "v4.8.0"},
    },
    "database": {
        "list_tables": {},
        "describe_table": {"table": "bookings"},
        "get_table_statistics": {"table": "bookings"},
        "export_table": {"table": "bookings"},
        "run_query": {"sql": "SELECT * FROM bookings WHERE seats > ?", "params": [2]},
        "explain_query": {"sql": "SELECT * FROM bookings WHERE sailing_id = 4"},
        "preview_query": {"sql": "SELECT * FROM customers", "limit": 3},
    },
    "mail": {
        "list_messages": {"unread_only": True},
        "get_message": {"message_id": "msg-0030"},
        "search_messages": {"query": "yard"},
        "get_attachment": {"message_id": "msg-0011", "name": "list-11.csv"},
        "search_contacts": {"query": "fares"},
        "send_message": {"to": [_ADA], "subject": "Sample", "body": "Hello", "reply_to": "msg-0178"},
    },
}
