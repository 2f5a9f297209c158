"""A seed → a file tree in memory: documents, code, settings, tables and logs of one project."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Self

from toolbooth.demo.files.contents import seeded_contents
from toolbooth.demo.toolkit import ToolError
from toolbooth.demo.world import NOW, Clock, dice, stamp


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
    """Files by path; a directory exists as long as something lies in it."""

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
        """The file at a path, or an error that says what is there instead."""
        path = normal(path)
        if path in self.files:
            return self.files[path]
        if self.is_directory(path):
            raise ToolError(f"{path} is a directory; use list_directory")
        raise ToolError(f"No such file: {path}. Use search_files to find it.")

    def is_directory(self, path: str) -> bool:
        """Whether anything lies below the path."""
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
