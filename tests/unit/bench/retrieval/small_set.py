"""Eight tools of three servers and six questions of two kinds, one of which no tool can serve."""

import json
from pathlib import Path
from typing import Any

from toolbooth.bench import Pair, pair, read_corpus, read_golden

TOOLS = {
    "files:read_file": "Read the contents of a file from disk.",
    "files:write_file": "Write text to a file, replacing what was there.",
    "files:delete_file": "Delete a file for good.",
    "mail:send_mail": "Send an e-mail to one or more people.",
    "mail:search_mail": "Search messages by sender, subject or words.",
    "calendar:create_event": "Create an event in the calendar.",
    "calendar:list_events": "List the events between two dates.",
    "calendar:delete_event": "Remove an event from the calendar.",
}
QUESTIONS: dict[str, tuple[str, str, dict[str, int]]] = {
    "q1": ("read a file", "literal", {"files:read_file": 2}),
    "q2": ("send an e-mail to Ada", "literal", {"mail:send_mail": 2}),
    "q3": ("throw away that document", "paraphrased", {"files:delete_file": 2}),
    "q4": (
        "put lunch on my calendar and mail Bo",
        "several",
        {"calendar:create_event": 2, "mail:send_mail": 1},
    ),
    "q5": ("which appointments do I have this week?", "paraphrased", {"calendar:list_events": 2}),
    "u1": ("zzxqv bbrtk", "unanswerable", {}),
}


def corpus_document(version: str = "small-1", **more: str) -> dict[str, Any]:
    tools = [
        {"tool_id": each, "server": each.split(":")[0], "tool": each.split(":")[1], "description": said}
        for each, said in (TOOLS | more).items()
    ]
    return {"version": version, "tools": tools}


def golden_document(*but: str, version: str = "small-1", **changed: Any) -> dict[str, Any]:
    queries = [
        {
            "id": name,
            "query": query,
            "kind": kind,
            "labels": [{"tool_id": each, "relevance": worth} for each, worth in labels.items()],
        }
        for name, (query, kind, labels) in (QUESTIONS | changed).items()
        if name not in but
    ]
    return {"corpus_version": version, "golden_version": "small-golden-1", "queries": queries}


def small_pair(*but: str, **changed: Any) -> Pair:
    corpus = read_corpus(corpus_document(), Path("corpus.json"))
    return pair(corpus, read_golden(golden_document(*but, **changed), Path("golden.json")))


def written(path: Path, document: Any) -> Path:
    """A JSON file, with the folders on the way to it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(document if isinstance(document, str) else json.dumps(document))
    return path
