"""Where words go: results to stdout, progress and troubles to stderr, colours only on a terminal."""

import json
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol, TextIO, cast

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from toolbooth.safetext import fault_for_terminal, for_terminal

UNSEEN = (
    10_000  # columns where there is no terminal: a pipe or a CI log wraps nothing, and leaves no column out
)
_TRAILING = re.compile(r"(?<![ \t])[ \t]++(?=\n|$)")


class PlainConsole(Console):
    """Markup and highlighting are off: foreign text is only ever text."""

    def on_broken_pipe(self) -> None:
        """Rich would end with exit 1, which means over budget here."""
        raise BrokenPipeError


class _Unpadded:
    """A pipe, without the blanks with which tables fill up their lines. Rich writes whole lines."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        self._stream.write(_TRAILING.sub("", text))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def out() -> Console:
    """The console for results."""
    return _console(sys.stdout)


def err() -> Console:
    """The console for progress and troubles."""
    return _console(sys.stderr)


def _console(stream: TextIO) -> Console:
    if stream.isatty():
        return PlainConsole(file=stream, markup=False, highlight=False, emoji=False, soft_wrap=False)
    unpadded = cast("TextIO", _Unpadded(stream))
    return PlainConsole(
        file=unpadded, markup=False, highlight=False, emoji=False, width=UNSEEN, soft_wrap=False
    )


def indented(text: Text) -> Padding:
    """Two columns in, on every line that it takes."""
    return Padding(text, (0, 0, 0, 2), expand=False)


def print_json(document: Any) -> None:
    """JSON in ASCII: lossless, and no foreign character acts on the terminal."""
    sys.stdout.write(json.dumps(document, indent=2, ensure_ascii=True, default=str) + "\n")


def wrote(path: Path | str) -> None:
    """Say which file was written; on stderr, so that results stay alone on stdout."""
    err().print(Text(f"wrote {for_terminal(str(path), 400)}", "dim"), soft_wrap=True)


def complain(where: str, reason: str) -> None:
    """One line about one trouble."""
    line = Text("✗ ", style="red")
    line.append(for_terminal(where, 120), style="bold").append(f"  {fault_for_terminal(reason, 400)}")
    err().print(indented(line))


class Progress(Protocol):
    """Told of each server as it is done."""

    def done(self, name: str) -> None: ...


class _Waiting:
    def __init__(self, names: Sequence[str]) -> None:
        self._open = list(names)
        self._all = len(names)
        self.console = err()
        self.status = self.console.status(self._words(), spinner="dots")

    def done(self, name: str) -> None:
        if name in self._open:
            self._open.remove(name)
        self.status.update(self._words())

    def _words(self) -> Text:
        servers = "server" if self._all == 1 else "servers"
        reached = f"reaching {self._all} {servers} · {self._all - len(self._open)} done"
        waiting = ", ".join(for_terminal(name, 30) for name in self._open[:4])
        more = f" and {len(self._open) - 4} more" if len(self._open) > 4 else ""
        return Text(f"{reached} · waiting for {waiting}{more}" if self._open else reached)


class _Silent:
    def done(self, name: str) -> None:
        """Nobody looks."""


@contextmanager
def progress(names: Sequence[str]) -> Iterator[Progress]:
    """Show who is still awaited, on a terminal; say nothing in a pipe."""
    if not names or not sys.stderr.isatty():
        yield _Silent()
        return
    waiting = _Waiting(names)
    with waiting.status:
        yield waiting
