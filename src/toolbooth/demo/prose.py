"""Random numbers → sentences, paragraphs and log lines about ferries, in our own few words."""

import random
from datetime import datetime, timedelta

from toolbooth.demo.world import HARBOURS

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
