"""A seed → 140 notes in memory, a few of them with facts that can be asked for."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from datetime import timedelta
from typing import Any, Self

from toolbooth.demo.prose import paragraph
from toolbooth.demo.toolkit import ToolError
from toolbooth.demo.world import NOW, PEOPLE, Clock, dice, stamp

TAGS = ("meeting", "idea", "how-to", "customer", "travel", "fares", "harbour", "retro", "personal", "release")
_TOPICS = (
    "Call with the harbour master", "Retro of the booking team", "Idea for the seat map", "Visit to the yard",
    "Fare review", "Interview notes", "Release checklist", "Training day", "Customer feedback", "Lost and "
    "found",
)  # fmt: skip
# Facts that tasks can ask for; everything else is generated around them.
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
class Notebook:
    """Notes by id, oldest first."""

    notes: dict[str, Note] = field(default_factory=dict)
    clock: Clock = field(default_factory=Clock)

    @classmethod
    def seeded(cls) -> Self:
        """The notebook as every run finds it."""
        random, book = dice("notes"), cls()
        for number in range(135):
            tags = sorted({random.choice(TAGS), random.choice(TAGS)})
            title = f"{_TOPICS[number % len(_TOPICS)]} ({number // len(_TOPICS) + 1})"
            body = "\n\n".join(paragraph(random, 3) for _ in range(random.randrange(1, 5)))
            book._keep(title, body, tags, random.choice(PEOPLE).name, number)
        for number, (title, body, labels) in enumerate(_WRITTEN):
            book._keep(title, body, list(labels), PEOPLE[number].name, 135 + number)
        return book

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
