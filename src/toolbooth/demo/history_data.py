"""A generated repository in memory: 400 commits with branches, releases, trees and the origin of every line."""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from hashlib import sha256
from typing import Any, NamedTuple

from toolbooth.demo.toolkit import ToolError
from toolbooth.demo.world import NOW, PEOPLE, Person, dice, sentence, stamp

_STEPS_BACK = re.compile(r"^([^~]+)~(\d{1,4})$")


class BlameLine(NamedTuple):
    """A line of a file and the commit that wrote it."""

    text: str
    commit: str


Blob = tuple[BlameLine, ...]


@dataclass(frozen=True)
class Commit:
    """One step of the history; `changes` holds the new text of each file it touched."""

    sha: str
    parent: str | None
    author: Person
    date: str
    message: str
    changes: dict[str, Blob] = field(repr=False)

    def summary(self) -> dict[str, Any]:
        """A row of a log."""
        return {
            "sha": self.sha,
            "author": self.author.name,
            "email": self.author.email,
            "date": self.date,
            "message": self.message.split("\n")[0],
            "files": sorted(self.changes),
        }


@dataclass
class Repository:
    """Commits by id, and the names that point at some of them."""

    commits: dict[str, Commit] = field(default_factory=dict)
    branches: dict[str, str] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)

    def resolve(self, ref: str) -> Commit:
        """The commit that a ref names."""
        back = _STEPS_BACK.match(ref)
        if back:
            return self._older(self.resolve(back[1]), int(back[2]))
        name = "main" if ref == "HEAD" else ref
        sha = self.branches.get(name) or self.tags.get(name) or self._by_prefix(name)
        return self.commits[sha]

    def _by_prefix(self, prefix: str) -> str:
        found = [sha for sha in self.commits if len(prefix) >= 4 and sha.startswith(prefix.lower())]
        if len(found) != 1:
            known = ", ".join([*self.branches, *self.tags])
            reason = "is ambiguous" if found else "names no branch, tag or commit"
            raise ToolError(f"{prefix!r} {reason}. Branches and tags: {known}")
        return found[0]

    def _older(self, commit: Commit, steps: int) -> Commit:
        for _ in range(steps):
            if commit.parent is None:
                raise ToolError("The history does not go back that far")
            commit = self.commits[commit.parent]
        return commit

    def log(self, ref: str) -> Iterator[Commit]:
        """A commit and all before it, newest first."""
        commit: Commit | None = self.resolve(ref)
        while commit is not None:
            yield commit
            commit = self.commits[commit.parent] if commit.parent else None

    def tree(self, ref: str) -> dict[str, Blob]:
        """Every file as it was at a ref."""
        files: dict[str, Blob] = {}
        for commit in self.log(ref):
            for path, blob in commit.changes.items():
                files.setdefault(path, blob)
        return dict(sorted(files.items()))

    def blob(self, path: str, ref: str) -> Blob:
        """One file as it was at a ref."""
        files = self.tree(ref)
        if path.lstrip("/") not in files:
            raise ToolError(f"There is no {path} at {ref}. Files: {', '.join(files)}")
        return files[path.lstrip("/")]


Draft = list[tuple[str, str | None]]  # lines, and the commit that wrote them where it is an earlier one

_ON_MAIN = 376
_AREAS = "booking fares harbour crew refunds seats tides notify reports login search vouchers"
_WHAT = (
    "round to the nearest cent", "cache the answer", "log the harbour code", "drop the old parameter",
    "handle an empty list", "split the long function", "test the night sailing", "name the constant",
)  # fmt: skip
_KINDS = ("Fix", "Add", "Refactor", "Speed up", "Document", "Revert")
_BRANCHES = {
    "feature/seat-map": (300, 8),
    "fix/double-refund": (360, 5),
    "spike/offline": (210, 7),
    "docs": (330, 4),
}
_RELEASES = {"v4.5.0": 90, "v4.6.0": 180, "v4.7.0": 270, "v4.7.2": 320, "v4.8.0": 370}


class _Written(NamedTuple):
    message: str
    author: int
    area: str


# Fixed facts that tasks can ask for, by the number of the commit on main.
_WRITTEN = {
    137: _Written(
        "Raise the hold time to 20 minutes (LF-61)\n\nAsked for by the Mossvik desk.", 12, "booking"
    ),
    341: _Written("Remove the fax gateway\n\nThe last fax came in 2019.", 9, "notify"),
    366: _Written(
        "Pay back once for each booking (LF-142)\n\nA second cancellation found the same rows.", 12, "refunds"
    ),
}


def grown() -> Repository:
    """The repository as every run finds it."""
    random, repo = dice("history"), Repository()
    first: dict[str, Draft] = {path: [(text, None) for text in _first(random, path)] for path in _paths()}
    line = [_commit(repo, None, 0, _Written("First commit", 4, ""), first)]
    for number in range(1, _ON_MAIN):
        line.append(_grow(repo, random, line[-1], number))
    repo.branches["main"] = line[-1]
    for name, (start, length) in _BRANCHES.items():
        tip = line[start]
        for number in range(start + 1, start + 1 + length):
            tip = _grow(repo, random, tip, number, name)
        repo.branches[name] = tip
    repo.tags.update({name: line[number] for name, number in _RELEASES.items()})
    return repo


def _paths() -> list[str]:
    code = [f"src/ferrydesk/{area}.py" for area in _AREAS.split()]
    tests = [f"tests/test_{area}.py" for area in _AREAS.split()]
    return ["README.md", "Makefile", "config/production.json", *code, *tests]


def _first(dice: random.Random, path: str) -> list[str]:
    return [f"# {path}", *(_code_line(dice) for _ in range(dice.randrange(40, 90)))]


def _code_line(dice: random.Random) -> str:
    area = dice.choice(_AREAS.split())
    name, value = f"{area}_{dice.randrange(1, 99)}", dice.randrange(10, 9999)
    return f"    {name} = check({area!r}, {value})  # {sentence(dice)}"


def _grow(repo: Repository, dice: random.Random, parent: str, number: int, branch: str = "") -> str:
    drawn = _drawn(dice)
    step = drawn if branch else _WRITTEN.get(number, drawn)
    paths = [f"src/ferrydesk/{step.area}.py", f"tests/test_{step.area}.py", dice.choice(_paths())]
    touched = sorted(set(paths[: dice.randrange(1, 4)]))
    changes = {path: _edited(dice, _latest(repo, parent, path)) for path in touched}
    return _commit(repo, parent, number, step, changes, branch)


def _drawn(dice: random.Random) -> _Written:
    area = dice.choice(_AREAS.split())
    ticket = f" (LF-{dice.randrange(1, 250)})" if dice.random() < 0.4 else ""
    message = f"{dice.choice(_KINDS)} {area}: {dice.choice(_WHAT)}{ticket}\n\n{sentence(dice)}"
    return _Written(message, dice.randrange(len(PEOPLE)), area)


def _latest(repo: Repository, sha: str | None, path: str) -> Blob:
    while sha is not None:
        commit = repo.commits[sha]
        if path in commit.changes:
            return commit.changes[path]
        sha = commit.parent
    return ()


def _edited(dice: random.Random, blob: Blob) -> Draft:
    draft: Draft = list(blob)
    for _ in range(dice.randrange(1, 5)):
        place = dice.randrange(1, len(draft))
        removed, added = dice.randrange(0, 4), dice.randrange(1, 5)
        draft[place : place + removed] = [(_code_line(dice), None) for _ in range(added)]
    return draft


def _commit(
    repo: Repository,
    parent: str | None,
    number: int,
    step: _Written,
    drafts: dict[str, Draft],
    branch: str = "",
) -> str:
    sha = sha256(f"{parent} {branch} {number} {step.message}".encode()).hexdigest()[:40]
    date = stamp(NOW - timedelta(hours=23 * (_ON_MAIN - number) - number % 9))
    changes = {
        path: tuple(BlameLine(text, origin or sha) for text, origin in draft)
        for path, draft in drafts.items()
    }
    repo.commits[sha] = Commit(sha, parent, PEOPLE[step.author], date, step.message, changes)
    return sha
