"""The words of look-alike tools: verbs that mean much the same, and things that are nearly what is wanted."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

VERBS: Final = (
    ("get", "fetch", "retrieve", "load", "read", "show", "view", "describe"),
    ("list", "browse", "enumerate", "collect"),
    ("search", "find", "query", "lookup", "filter", "match"),
    ("create", "add", "make", "open", "new", "insert", "register", "post"),
    ("update", "edit", "change", "modify", "set", "patch", "write"),
    ("delete", "remove", "drop", "discard", "purge", "clear", "close", "cancel"),
    ("send", "submit", "deliver", "forward", "publish", "share", "push"),
    ("run", "execute", "start", "perform", "call", "trigger"),
    ("export", "download", "dump", "extract"),
    ("import", "upload", "ingest"),
    ("assign", "attach", "link", "bind"),
    ("check", "validate", "verify", "inspect", "test"),
)


class Kind(NamedTuple):
    """`word` stands before the thing's name, or `after` it. `where` begins the description, `limit` ends it."""

    word: str
    where: str
    limit: str
    parameter: str
    schema: Mapping[str, Any]
    after: bool = False


_TEXT: Final[Mapping[str, Any]] = {"type": "string"}
_NUMBER: Final[Mapping[str, Any]] = {"type": "integer", "minimum": 1}
_FLAG: Final[Mapping[str, Any]] = {"type": "boolean"}

KINDS: Final = (
    Kind("archived", "Only in the cold archive", "Nothing in use today is reached.", "archive_year", _NUMBER),
    Kind("draft", "Only for unpublished drafts", "What is published stays unseen.", "draft_id", _TEXT),
    Kind("template", "Only for templates", "No real entry is read or changed.", "template_id", _TEXT),
    Kind("legacy", "In the system that was switched off", "Current data is elsewhere.", "legacy_code", _TEXT),
    Kind("sample", "On made-up sample data", "For training; no real data is there.", "sample_set", _TEXT),
    Kind("trashed", "Only in the recycle bin", "What was not deleted is not there.", "bin_id", _TEXT),
    Kind("simulated", "As a dry run", "Nothing happens, and no real answer comes.", "scenario", _TEXT),
    Kind("scheduled", "Only for planned jobs", "What is there already is not seen.", "schedule_id", _TEXT),
    Kind("partner", "In the copies of outside partners", "Our own data is not there.", "partner_id", _TEXT),
    Kind("audit", "For its audit log", "Who did what, not the data.", "audit_id", _TEXT, after=True),
    Kind("quarantined", "Only for what was held back as unsafe", "All else is unknown.", "case_id", _TEXT),
    Kind("imported", "In the waiting room of imports", "What was taken in is not there.", "batch", _NUMBER),
    Kind("mirrored", "On last month's mirror", "It is never up to date.", "mirror", _TEXT),
    Kind("locked", "Only for locked entries", "Open ones are refused.", "lock_id", _TEXT),
    Kind("pinned", "Only for what a user pinned", "All that is not pinned is left out.", "pin_board", _TEXT),
    Kind(
        "billing", "For its invoices", "What it costs, not what it is.", "invoice_number", _TEXT, after=True
    ),
    Kind(
        "quota",
        "For its limits of use",
        "How much is allowed, not what is there.",
        "quota_id",
        _TEXT,
        after=True,
    ),
    Kind("permission", "For its rights of access", "Who may, not what is there.", "role", _TEXT, after=True),
    Kind("webhook", "For its webhooks", "Where news is sent, not the data.", "endpoint", _TEXT, after=True),
    Kind(
        "retention",
        "For its rules of keeping",
        "How long it is kept, not what it is.",
        "rule_id",
        _TEXT,
        after=True,
    ),
    Kind("sandbox", "In the developers' test system", "Production is out of reach.", "sandbox_id", _TEXT),
    Kind("cached", "In a cache of old answers", "The source itself is never asked.", "stale_ok", _FLAG),
    Kind("regional", "In the branch office's own system", "Head office is not in it.", "branch", _TEXT),
    Kind("translated", "Only for machine translations", "The original is not touched.", "language", _TEXT),
)
