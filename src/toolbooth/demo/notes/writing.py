"""New texts and ids → a changed notebook."""

from dataclasses import asdict
from typing import Any

from toolbooth.demo.notes.notebook import Notebook
from toolbooth.demo.notes.server import server
from toolbooth.demo.schemas import many, takes, text
from toolbooth.demo.toolkit import ADD, DELETE, SET


@server.tool(
    "Create a new note.",
    takes(
        "title",
        "body",
        title=text("Title of the note", minLength=1),
        body=text("Body in Markdown"),
        tags=many(text(), "Tags of the note"),
    ),
    hints=ADD,
)
def create_note(book: Notebook, title: str, body: str, tags: list[str] | None = None) -> dict[str, Any]:
    """The note as it was kept."""
    return asdict(book.add(title, body, tags or []))


@server.tool(
    "Change title, body or tags of a note. What is left out stays as it is.",
    takes(
        "note_id",
        note_id=text(),
        title=text("New title"),
        body=text("New body"),
        tags=many(text(), "New tags"),
    ),
    hints=SET,
)
def update_note(
    book: Notebook,
    note_id: str,
    title: str | None = None,
    body: str | None = None,
    tags: list[str] | None = None,
) -> dict[str, Any]:
    """The note after the change."""
    note = book.note(note_id)
    note.title = note.title if title is None else title
    note.body = note.body if body is None else body
    note.tags = note.tags if tags is None else sorted(set(tags))
    note.updated = book.clock.tick()
    return asdict(note)


@server.tool("Delete a note for good.", takes("note_id", note_id=text("Id of the note")), hints=DELETE)
def delete_note(book: Notebook, note_id: str) -> str:
    """One line."""
    title = book.note(note_id).title
    del book.notes[note_id]
    return f"Deleted {note_id}: {title}"
