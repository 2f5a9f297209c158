"""The company behind all demo servers: Larkfield Ferries, its people, its harbours, and its generated prose."""

import random
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

NOW = datetime(2026, 3, 16, 9, 0, tzinfo=UTC)  # a Monday; every demo answer is the same on every day


class Person(NamedTuple):
    """Someone who works at Larkfield Ferries."""

    name: str
    email: str
    team: str
    role: str
    phone: str

    @property
    def handle(self) -> str:
        """The short name used in tickets and commits."""
        return self.email.split("@")[0].replace(".", "-")


class Harbour(NamedTuple):
    """A place where ferries land, with a weather station."""

    code: str
    name: str
    latitude: float
    longitude: float


_FIRST = "Ada Bram Cleo Dorian Edda Falk Greta Hanno Ines Jonas Kaja Levin Mira Nils Oda Pavel"
_LAST = "Quist Rasmus Solberg Tamm Ulvang Voss Wieland Ystad Aalto Brandt Corvin Dahl Ekman Fjord Grahn Holm"
_TEAMS = ("Booking", "Harbour Ops", "Fares", "Crew Planning", "Platform", "Customer Care")
_ROLES = ("engineer", "team lead", "analyst", "planner", "designer")

HARBOURS = (
    Harbour("SKE", "Skerry Point", 58.912, 10.031),
    Harbour("MOS", "Mossvik", 58.771, 10.214),
    Harbour("TRN", "Tern Island", 58.655, 9.874),
    Harbour("GRA", "Grayhaven", 58.540, 10.402),
    Harbour("LOW", "Lowsand", 58.433, 9.961),
    Harbour("KEL", "Kelpholm", 58.318, 10.155),
    Harbour("OST", "Osterness", 58.207, 10.337),
    Harbour("BEL", "Bellrock", 58.099, 9.918),
)


def dice(purpose: str) -> random.Random:
    """Random numbers that are the same in every process and for every Python version."""
    return random.Random(f"toolbooth demo {purpose}")


def _person(index: int, first: str, last: str) -> Person:
    team = _TEAMS[index % len(_TEAMS)]
    role = _ROLES[(index * 3 + 1) % len(_ROLES)]
    email = f"{first.lower()}.{last.lower()}@larkfield.example"
    return Person(f"{first} {last}", email, team, role, f"+00 555 {1000 + index * 37}")


PEOPLE = tuple(
    _person(index, first, last)
    for index, (first, last) in enumerate(zip(_FIRST.split(), _LAST.split(), strict=True))
)


def stamp(moment: datetime) -> str:
    """A moment as the servers print it."""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


@dataclass
class Clock:
    """Time that moves one minute at each write, so that the order of writes can be read back."""

    now: datetime = NOW

    def tick(self) -> str:
        """The next moment."""
        self.now += timedelta(minutes=1)
        return stamp(self.now)


_SUBJECTS = (
    "the booking desk", "the night crew", "the fare table", "the harbour office", "the import job",
    "the mobile app", "the payment provider", "the duty planner", "the vehicle deck", "the status board",
)  # fmt: skip
_VERBS = (
    "checks", "repeats", "delays", "reports", "rounds", "confirms", "skips", "reorders", "queues", "holds",
)  # fmt: skip
_OBJECTS = (
    "every open reservation", "the morning sailing", "the group discount", "the boarding list", "the refund",
    "the tide window", "two seats on the upper deck", "the winter timetable", "the crew roster", "the bill",
)  # fmt: skip
_ENDINGS = (
    "before the ramp is lowered", "after the second bell", "when the wind turns", "without telling anyone",
    "at the end of each shift", "as agreed in January", "until the harbour calls back", "twice a week",
)  # fmt: skip
_SERVICES = ("booking-api", "fare-engine", "harbour-feed", "notifier", "crew-sync", "web")
_LEVELS = ("INFO", "INFO", "INFO", "INFO", "DEBUG", "DEBUG", "WARN", "ERROR")


def sentence(dice: random.Random) -> str:
    """One sentence."""
    words = f"{dice.choice(_SUBJECTS)} {dice.choice(_VERBS)} {dice.choice(_OBJECTS)} {dice.choice(_ENDINGS)}."
    return words[0].upper() + words[1:]


def paragraph(dice: random.Random, sentences: int = 4) -> str:
    """A few sentences in a row."""
    return " ".join(sentence(dice) for _ in range(sentences))


def log_lines(dice: random.Random, start: datetime, count: int) -> list[str]:
    """Lines as a service writes them, a few seconds apart."""
    lines, moment = [], start
    for number in range(count):
        moment += timedelta(seconds=dice.randrange(1, 40))
        harbour = dice.choice(HARBOURS).code
        took = dice.randrange(2, 900)
        what = f"{dice.choice(_SERVICES)} harbour={harbour} took={took}ms"
        lines.append(
            f"{moment:%Y-%m-%dT%H:%M:%SZ} {dice.choice(_LEVELS):5} {what} {sentence(dice)} #{number}"
        )
    return lines
