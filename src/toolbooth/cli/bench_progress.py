"""What a benchmark does now → one line on a terminal; silence in a pipe."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def telling(first: str) -> Iterator[Callable[[str], None]]:
    """Who is told what goes on."""
    if not sys.stderr.isatty():
        yield _to_nobody
        return
    from rich.text import Text

    from toolbooth.cli.terminal import err
    from toolbooth.safetext import for_terminal

    with err().status(Text(first), spinner="dots") as status:
        yield lambda words: status.update(Text(for_terminal(words, 200)))


def _to_nobody(_words: str) -> None:
    return None
