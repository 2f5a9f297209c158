"""A git repository with half a year of commits, made with fixed names and dates."""

import os
import random
import subprocess
from pathlib import Path

from . import modules
from .words import TEAMS, after, dice, handle, person, stamp

_VERBS = ("Round", "Check", "Move", "Rename", "Cache", "Test", "Drop", "Explain", "Retry", "Sort")
_NOUNS = (
    "the tax of gift cards", "the address form", "parcels without weight", "the voucher table", "refunds in parts",
    "the mail queue", "labels for islands", "old price lists", "the stock counter", "session keys",
)  # fmt: skip
_WHY = (
    "Support had {n} questions about it.", "The old way took {n} ms for a basket of twelve.", "Finance asked for it.",
    "It failed for orders above {n} euro.", "Found while looking for something else.", "See the runbook, section {n}.",
)  # fmt: skip


def write_repository(folder: Path, commits: int) -> None:
    """The oldest commit brings the long module; every later one changes a few lines somewhere."""
    throw = dice("repository")
    folder.mkdir(parents=True)
    _git(folder, "init", "-q", "-b", "main")
    texts = {f"shop/{team}.py": _module(throw, team) for team in TEAMS} | {
        "shop/tax_and_freight.py": modules.rules()
    }
    for number in range(commits):
        for name in throw.sample(sorted(texts), throw.randrange(1, 4)) if number else texts:
            texts[name] = _changed(throw, texts[name]) if number else texts[name]
            path = folder / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(texts[name], encoding="utf-8")
        _git(folder, "add", ".")
        _commit(folder, throw, number)


def _module(throw: random.Random, team: str) -> str:
    lines = [f'"""The {team} service."""', ""]
    for number in range(60):
        lines += [
            f"LIMIT_{number} = {throw.randrange(10, 9000)}",
            f"NAME_{number} = '{team}-{throw.randrange(1 << 20):05x}'",
        ]
    return "\n".join(lines) + "\n"


def _changed(throw: random.Random, text: str) -> str:
    lines = text.split("\n")
    for _ in range(throw.randrange(1, 6)):
        place = throw.randrange(3, len(lines) - 2)
        if throw.random() < 0.3:
            lines.insert(
                place, f"# checked {stamp(after(throw.randrange(250_000)))[:10]} by {handle(person(throw))}"
            )
        elif "=" in lines[place] and lines[place].startswith("LIMIT"):
            lines[place] = f"{lines[place].split(' = ')[0]} = {throw.randrange(10, 9000)}"
        elif lines[place].startswith("NAME"):
            lines[place] = f"{lines[place]}  # was {throw.randrange(1 << 16):04x}"
    return "\n".join(lines)


def _commit(folder: Path, throw: random.Random, number: int) -> None:
    who, when = person(throw), stamp(after(number * 1490 + throw.randrange(1200)))
    subject = f"{throw.choice(_VERBS)} {throw.choice(_NOUNS)}"
    why = " ".join(text.format(n=throw.randrange(11, 970)) for text in throw.sample(_WHY, 2))
    names = {"NAME": who, "EMAIL": f"{handle(who)}@shop.example", "DATE": when}
    env = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in names.items()}
    _git(folder, "commit", "-q", "--allow-empty", "-m", f"{subject}\n\n{why}", **env)


def _git(folder: Path, *words: str, **env: str) -> None:
    """Nothing of the user's own git settings may change the hashes."""
    alone = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull, "PATH": os.environ["PATH"]}
    subprocess.run(["git", *words], cwd=folder, env={**alone, **env}, check=True)
