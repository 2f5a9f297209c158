"""Ids, tags and words → notes of the notebook."""

from collections import Counter
from dataclasses import asdict
from html import escape
from typing import Any

from toolbooth.demo.notes.notebook import Note, Notebook
from toolbooth.demo.notes.server import server
from toolbooth.demo.schemas import choice, gives, many, takes, text, whole
from toolbooth.demo.toolkit import READ

_NOTE = gives(
    "id",
    "title",
    "body",
    "tags",
    id=text(title="Id"),
    title=text(title="Title"),
    body=text(title="Body"),
    tags=many(text(), title="Tags"),
    author=text(title="Author"),
    created=text(title="Created"),
    updated=text(title="Updated"),
) | {"title": "Note"}


@server.tool(
    "List notes, newest first, without their bodies.",
    takes(
        tag=text("Only notes with this tag"),
        limit=whole("How many notes to return", default=100),
        offset=whole("How many notes to skip", default=0),
    ),
    hints=READ,
)
def list_notes(book: Notebook, tag: str | None = None, limit: int = 100, offset: int = 0) -> dict[str, Any]:
    """The schema sets no ceiling for the limit."""
    notes = [note.summary() for note in reversed(book.notes.values()) if tag is None or tag in note.tags]
    return {"total": len(notes), "notes": notes[max(offset, 0) :][: max(limit, 0)]}


@server.tool("Get one note with its body.", takes("note_id", note_id=text()), outputs=_NOTE, hints=READ)
def get_note(book: Notebook, note_id: str) -> dict[str, Any]:
    """The whole note."""
    return asdict(book.note(note_id))


@server.tool(
    "Search notes for words in title, body and tags. All words must occur. Best matches first: a word in the "
    "title counts more than one in the body.",
    takes(
        "query",
        query=text("Words to look for", minLength=1),
        limit=whole("Maximum number of notes", default=10, minimum=1, maximum=50),
    ),
    hints=READ,
)
def search_notes(book: Notebook, query: str, limit: int = 10) -> dict[str, Any]:
    """Summaries of the notes that fit."""
    words = query.lower().split()
    scored = [(_score(note, words), note) for note in reversed(book.notes.values())]
    found = sorted((pair for pair in scored if pair[0]), key=lambda pair: -pair[0])
    return {"total": len(found), "notes": [note.summary() for _, note in found[:limit]]}


def _score(note: Note, words: list[str]) -> int:
    title, rest = note.title.lower(), f"{note.body} {' '.join(note.tags)}".lower()
    points = [3 * (word in title) + (word in rest) for word in words]
    return sum(points) if all(points) else 0


@server.tool("List all tags in use and how many notes carry each.", hints=READ)
def list_tags(book: Notebook) -> dict[str, Any]:
    """Most used first."""
    counts = Counter(tag for note in book.notes.values() for tag in note.tags)
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return {"tags": [{"tag": tag, "notes": count} for tag, count in ordered]}


@server.tool(
    "Export the notebook as one document. In HTML the document is a complete page with a table of contents "
    "and one article for each note, ready to be printed or archived; in Markdown the notes simply follow "
    "each other under their titles. The export contains every note unless a tag is given, and it is not "
    "paginated: with a full notebook it can become very long, so prefer search_notes and get_note when you "
    "only want to know what a note says. The order is by age, oldest first. Personal notes are included.",
    takes(format=choice("", "html", "markdown", default="html"), tag=text("Only notes with this tag")),
    hints=READ,
)
def export_notes(book: Notebook, format: str = "html", tag: str | None = None) -> str:
    """Fat on purpose."""
    notes = [note for note in book.notes.values() if tag is None or tag in note.tags]
    if format == "markdown":
        return "\n\n".join(f"# {note.title}\n\n{note.body}" for note in notes)
    contents = "\n".join(f'<li><a href="#{note.id}">{escape(note.title)}</a></li>' for note in notes)
    articles = "\n".join(_article(note) for note in notes)
    head = '<head><meta charset="utf-8"><title>Notebook</title></head>'
    return f"<!doctype html>\n<html>\n{head}\n<body>\n<ol>\n{contents}\n</ol>\n{articles}\n</body>\n</html>"


def _article(note: Note) -> str:
    tags = "".join(f'<span class="tag tag--{tag}">{tag}</span>' for tag in note.tags)
    body = "".join(f'<p class="note__text">{escape(part)}</p>' for part in note.body.split("\n\n"))
    line = f"{note.author}, {note.created}"
    head = f'<header class="note__head"><h2>{escape(note.title)}</h2><p>{line}</p></header>'
    return f'<article class="note" id="{note.id}">{head}<div class="note__tags">{tags}</div>{body}</article>'
