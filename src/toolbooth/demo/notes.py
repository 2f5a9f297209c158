"""The demo server `notes`: a team's notes in memory, and tools to read and change them."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from datetime import timedelta
from html import escape
from typing import Any, Self

from toolbooth.demo.schemas import choice, gives, like_pydantic, many, takes, text, whole
from toolbooth.demo.toolkit import ADD, DELETE, READ, SET, DemoServer, ToolError
from toolbooth.demo.world import NOW, PEOPLE, Clock, dice, paragraph, stamp

TAGS = ("meeting", "idea", "how-to", "customer", "travel", "fares", "harbour", "retro", "personal", "release")
_TOPICS = (
    "Call with the harbour master", "Retro of the booking team", "Idea for the seat map", "Visit to the yard",
    "Fare review", "Interview notes", "Release checklist", "Training day", "Customer feedback", "Lost and "
    "found",
)  # fmt: skip
# Fixed facts that tasks can ask for; everything else is generated around them.
_WRITTEN = (
    (
        "Guest wifi in the Mossvik office",
        "Network: larkfield-guest\nPassphrase: seventeen-gulls",
        ("how-to",),
    ),
    (
        "Coffee machine",
        "Descale on the first Friday. Spare filters are in cabinet 4B.",
        ("how-to", "personal"),
    ),
    ("Summer timetable draft", "Tern Island gets a ninth daily sailing from 12 June.", ("harbour", "idea")),
    (
        "Refund policy in one line",
        "Full refund until 36 hours before departure, then 40 percent.",
        ("fares",),
    ),
    ("Offsite 2026", "Lowsand, 4 to 6 May. Greta Wieland books the cabins; 14 beds.", ("travel", "meeting")),
)


@dataclass
class Note:
    """One page of the notebook."""

    id: str
    title: str
    body: str
    tags: list[str]
    author: str
    created: str
    updated: str

    def summary(self) -> dict[str, Any]:
        """Everything but the body."""
        return {key: value for key, value in asdict(self).items() if key != "body"}


@dataclass
class NoteStore:
    """Notes by id, oldest first."""

    notes: dict[str, Note] = field(default_factory=dict)
    clock: Clock = field(default_factory=Clock)

    @classmethod
    def seeded(cls) -> Self:
        """The notebook as every run finds it."""
        random, store = dice("notes"), cls()
        for number in range(135):
            tags = sorted({random.choice(TAGS), random.choice(TAGS)})
            title = f"{_TOPICS[number % len(_TOPICS)]} ({number // len(_TOPICS) + 1})"
            body = "\n\n".join(paragraph(random, 3) for _ in range(random.randrange(1, 5)))
            store._keep(title, body, tags, random.choice(PEOPLE).name, number)
        for number, (title, body, labels) in enumerate(_WRITTEN):
            store._keep(title, body, list(labels), PEOPLE[number].name, 135 + number)
        return store

    def _keep(self, title: str, body: str, tags: list[str], author: str, number: int) -> None:
        moment = stamp(NOW - timedelta(hours=19 * (140 - number)))
        note_id = f"note-{number + 1:03}"
        self.notes[note_id] = Note(note_id, title, body, tags, author, moment, moment)

    def note(self, note_id: str) -> Note:
        """The note with an id."""
        if note_id not in self.notes:
            raise ToolError(
                f"There is no note {note_id}. Ids look like note-017; use search_notes to find one."
            )
        return self.notes[note_id]

    def add(self, title: str, body: str, tags: Iterable[str]) -> Note:
        """A new note with the next free id."""
        number = max((int(key.removeprefix("note-")) for key in self.notes), default=0) + 1
        moment, note_id = self.clock.tick(), f"note-{number:03}"
        self.notes[note_id] = Note(note_id, title, body, sorted(set(tags)), "you", moment, moment)
        return self.notes[note_id]


server = DemoServer(
    name="notes",
    title="Demo notes",
    instructions=(
        "The shared notebook of the Larkfield office. Notes have an id such as note-017, a title, a body in "
        "Markdown and tags. Search before you create, so that nothing is written down twice."
    ),
    seed=NoteStore.seeded,
    dialect=like_pydantic,
)


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
def list_notes(store: NoteStore, tag: str | None = None, limit: int = 100, offset: int = 0) -> dict[str, Any]:
    """The schema sets no maximum for the limit."""
    notes = [note.summary() for note in reversed(store.notes.values()) if tag is None or tag in note.tags]
    return {"total": len(notes), "notes": notes[max(offset, 0) :][: max(limit, 0)]}


@server.tool("Get one note with its body.", takes("note_id", note_id=text()), outputs=_NOTE, hints=READ)
def get_note(store: NoteStore, note_id: str) -> dict[str, Any]:
    """The whole note."""
    return asdict(store.note(note_id))


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
def search_notes(store: NoteStore, query: str, limit: int = 10) -> dict[str, Any]:
    """Summaries of the notes that fit."""
    words = query.lower().split()
    scored = [(_score(note, words), note) for note in reversed(store.notes.values())]
    found = sorted((pair for pair in scored if pair[0]), key=lambda pair: -pair[0])
    return {"total": len(found), "notes": [note.summary() for _, note in found[:limit]]}


def _score(note: Note, words: list[str]) -> int:
    title, rest = note.title.lower(), f"{note.body} {' '.join(note.tags)}".lower()
    points = [3 * (word in title) + (word in rest) for word in words]
    return sum(points) if all(points) else 0


@server.tool("List all tags in use and how many notes carry each.", hints=READ)
def list_tags(store: NoteStore) -> dict[str, Any]:
    """Most used first."""
    counts = Counter(tag for note in store.notes.values() for tag in note.tags)
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
def export_notes(store: NoteStore, format: str = "html", tag: str | None = None) -> str:
    """Large on purpose."""
    notes = [note for note in store.notes.values() if tag is None or tag in note.tags]
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
def create_note(store: NoteStore, title: str, body: str, tags: list[str] | None = None) -> dict[str, Any]:
    """The note as it was stored."""
    return asdict(store.add(title, body, tags or []))


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
    store: NoteStore,
    note_id: str,
    title: str | None = None,
    body: str | None = None,
    tags: list[str] | None = None,
) -> dict[str, Any]:
    """The note after the change."""
    note = store.note(note_id)
    note.title = note.title if title is None else title
    note.body = note.body if body is None else body
    note.tags = note.tags if tags is None else sorted(set(tags))
    note.updated = store.clock.tick()
    return asdict(note)


@server.tool("Delete a note for good.", takes("note_id", note_id=text("Id of the note")), hints=DELETE)
def delete_note(store: NoteStore, note_id: str) -> str:
    """One line."""
    title = store.note(note_id).title
    del store.notes[note_id]
    return f"Deleted {note_id}: {title}"
