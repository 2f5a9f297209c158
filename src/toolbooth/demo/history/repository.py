"""Commits and refs in memory → logs, trees and line-by-line origins."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from toolbooth.demo.toolkit import ToolError
from toolbooth.demo.world import Person

_STEPS_BACK = re.compile(r"^([^~]+)~(\d{1,4})$")


class Line(NamedTuple):
    """A line of a file and the commit that wrote it."""

    text: str
    commit: str


Blob = tuple[Line, ...]


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
        """Every file as it stood at a ref."""
        files: dict[str, Blob] = {}
        for commit in self.log(ref):
            for path, blob in commit.changes.items():
                files.setdefault(path, blob)
        return dict(sorted(files.items()))

    def blob(self, path: str, ref: str) -> Blob:
        """One file as it stood at a ref."""
        files = self.tree(ref)
        if path.lstrip("/") not in files:
            raise ToolError(f"There is no {path} at {ref}. Files: {', '.join(files)}")
        return files[path.lstrip("/")]
