"""A generated file tree in memory: documents, code, settings, tables and logs of one project."""

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Self

from toolbooth.demo.toolkit import ToolError
from toolbooth.demo.world import HARBOURS, NOW, PEOPLE, Clock, dice, log_lines, paragraph, sentence, stamp

Entry = tuple[str, str]

_MODULES = "booking fares harbour crew refunds seats tides notify reports login search vouchers"
_RUNBOOKS = "storm-closure double-booking payment-outage late-ferry lost-luggage night-shift app-release"
_GUIDES = "onboarding code-review incident-roles fare-rules accessibility retention glossary"
_SETTINGS: dict[str, dict[str, object]] = {
    "production": {
        "workers": 12,
        "cache_seconds": 300,
        "hold_minutes": 20,
        "currency": "EUR",
        "debug": False,
    },
    "staging": {"workers": 3, "cache_seconds": 30, "hold_minutes": 20, "currency": "EUR", "debug": False},
    "development": {"workers": 1, "cache_seconds": 0, "hold_minutes": 5, "currency": "EUR", "debug": True},
}
# Fixed facts that tasks can ask for; everything else is generated around them.
_WRITTEN = {
    "/README.md": "# ferrydesk\n\nBooking and harbour software of Larkfield Ferries.\n\n"
    "Start it with `make run`; the desk listens on port 8417.\n",
    "/docs/contacts.md": "# Who to call\n\nDuty phone: +00 555 0142\n"
    "Harbour master of Tern Island: Oda Grahn\n",
    "/docs/fare-table-2026.md": "# Fares 2026\n\n| kind | euro |\n|---|---|\n| adult | 18.50 |\n"
    "| child | 9.25 |\n| bicycle | 6.00 |\n| car under 5 m | 41.00 |\n| caravan | 67.50 |\n",
    "/config/feature-flags.json": '{\n  "seat_map_v2": true,\n  "night_fares": false,\n'
    '  "tide_warnings": true\n}\n',
    "/TODO.txt": "rename hold_minutes to reservation_minutes\nask Mira Ekman about the caravan fare\n",
}


def seeded_contents() -> Iterator[Entry]:
    """Every file of the project."""
    random = dice("file contents")
    yield from _WRITTEN.items()
    yield from _documents(random)
    yield from _code(random)
    yield from (
        (f"/config/{name}.json", json.dumps(value, indent=2) + "\n") for name, value in _SETTINGS.items()
    )
    yield from _tables(random)
    yield "/web/index.html", _page(random)
    for day in range(1, 11):
        start = NOW - timedelta(days=11 - day)
        yield f"/logs/desk-{start:%Y-%m-%d}.log", "\n".join(log_lines(random, start, 180)) + "\n"


def _documents(dice: random.Random) -> Iterator[Entry]:
    for folder, names in (("runbooks", _RUNBOOKS), ("guides", _GUIDES)):
        for name in names.split():
            title = name.replace("-", " ").capitalize()
            body = "\n\n".join(f"## Step {step}\n\n{paragraph(dice)}" for step in range(1, 5))
            owner = f"Owner: {dice.choice(PEOPLE).name}"
            yield f"/docs/{folder}/{name}.md", f"# {title}\n\n{owner}\n\n{body}\n"
    for month in range(1, 13):
        lines = "\n".join(f"- {sentence(dice)}" for _ in range(6))
        yield f"/docs/minutes/2025-{month:02}.md", f"# Minutes of 2025-{month:02}\n\n{lines}\n"


def _code(dice: random.Random) -> Iterator[Entry]:
    for module in _MODULES.split():
        yield f"/src/ferrydesk/{module}.py", _module(dice, module)
        checks = "\n\n".join(
            f"def test_{module}_{n}():\n    assert {module}_{n}({n}) >= {n}" for n in range(1, 5)
        )
        yield f"/tests/test_{module}.py", f"from ferrydesk.{module} import *\n\n\n{checks}\n"


def _module(dice: random.Random, module: str) -> str:
    functions = [
        f"def {module}_{n}(value: int) -> int:\n"
        f'    """{sentence(dice)}"""\n'
        f"    limit = {dice.randrange(10, 900)}\n"
        f"    return min(value * {n}, limit) + value\n"
        for n in range(1, 9)
    ]
    return f'"""{module.capitalize()} of the ferry desk."""\n\n\n' + "\n\n".join(functions)


def _tables(dice: random.Random) -> Iterator[Entry]:
    rows = ["day,harbour,passengers,vehicles,cancelled"]
    for day in range(90):
        date = NOW - timedelta(days=90 - day)
        for harbour in HARBOURS:
            cancelled = dice.randrange(0, 3)
            people, vehicles = dice.randrange(80, 900), dice.randrange(5, 160)
            rows.append(f"{date:%Y-%m-%d},{harbour.code},{people},{vehicles},{cancelled}")
    yield "/data/passengers.csv", "\n".join(rows) + "\n"
    seats = [
        {
            "seat": f"{deck}{number}",
            "deck": deck,
            "window": number % 4 in (0, 1),
            "price": dice.randrange(9, 30),
        }
        for deck in "ABCD"
        for number in range(1, 151)
    ]
    yield "/data/seats.min.json", json.dumps({"version": 3, "seats": seats}, separators=(",", ":"))


def _page(dice: random.Random) -> str:
    cards = "\n".join(
        f'<section class="card card--sailing" id="sailing-{number}" '
        f'data-harbour="{dice.choice(HARBOURS).code}">'
        f'<h2 class="card__title">Sailing {number}</h2><p class="card__text">{sentence(dice)}</p>'
        f'<a class="button button--primary" href="/book?sailing={number}">Book</a></section>'
        for number in range(1, 161)
    )
    styles = "\n".join(f".card--{n} {{ margin: {n}px; padding: {n * 2}px }}" for n in range(1, 60))
    head = f"<head><title>Larkfield Ferries</title><style>\n{styles}\n</style></head>"
    return f'<!doctype html>\n<html lang="en">\n{head}\n<body>\n{cards}\n</body>\n</html>\n'


@dataclass
class File:
    """A text and when it was last written."""

    text: str
    modified: str

    @property
    def size(self) -> int:
        """Bytes in UTF-8."""
        return len(self.text.encode())


def normal(path: str) -> str:
    """One leading slash, none at the end, no empty or dotted parts."""
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if ".." in parts:
        raise ToolError(f"Access denied: {path} leads outside the project")
    return "/" + "/".join(parts)


@dataclass
class Tree:
    """Files by path; a directory exists as long as it contains a file."""

    files: dict[str, File] = field(default_factory=dict)
    clock: Clock = field(default_factory=Clock)

    @classmethod
    def seeded(cls) -> Self:
        """The project as every run finds it."""
        random, tree = dice("file dates"), cls()
        for path, text in seeded_contents():
            written = NOW - timedelta(minutes=random.randrange(60, 200_000))
            tree.files[path] = File(text, stamp(written))
        return tree

    def file(self, path: str) -> File:
        """The file at a path; raises a ToolError that names what is there instead."""
        path = normal(path)
        if path in self.files:
            return self.files[path]
        if self.is_directory(path):
            raise ToolError(f"{path} is a directory; use list_directory")
        raise ToolError(f"No such file: {path}. Use search_files to find it.")

    def is_directory(self, path: str) -> bool:
        """Whether any file is below the path."""
        return path == "/" or any(name.startswith(path + "/") for name in self.files)

    def below(self, path: str) -> Iterator[tuple[str, File]]:
        """Every file under a directory, in the order of the paths."""
        root = normal(path)
        if not self.is_directory(root):
            raise ToolError(f"No such directory: {root}")
        prefix = root if root == "/" else root + "/"
        return ((name, self.files[name]) for name in sorted(self.files) if name.startswith(prefix))

    def put(self, path: str, text: str) -> str:
        """Write a file and return its normal path."""
        path = normal(path)
        if self.is_directory(path):
            raise ToolError(f"{path} is a directory")
        if any(parent in self.files for parent in _parents(path)):
            raise ToolError(f"A part of {path} is a file, not a directory")
        self.files[path] = File(text, self.clock.tick())
        return path


def _parents(path: str) -> list[str]:
    parts = path.strip("/").split("/")
    return ["/" + "/".join(parts[:end]) for end in range(1, len(parts))]
