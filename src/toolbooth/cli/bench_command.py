"""The command line of a run → the same as a reader may repeat it, without any secret that was typed."""

import re
import shlex
from collections.abc import Iterator, Sequence
from typing import Final

_KEY: Final = "--key"
_NAMES_A_VARIABLE: Final = "--key-env"
_A_LETTER_OR_SO: Final = 3  # a shorter secret stands in ordinary words by chance
_URL_SECRETS: Final = re.compile(
    r"(?<=://)[^\s]*(?=@)|(?<=[?#])[^\s]*$"
)  # as typed: it may be percent-encoded


def told_command(words: Sequence[str]) -> str:
    """`toolbooth bench …`: the value of `--key`, and what sounds secret in URLs and commands of servers, is hidden.

    Empty where another program than ours runs the benchmark.
    """
    if list(words[:1]) != ["bench"]:
        return ""
    return shlex.join(["toolbooth", *_without_typed(list(_without_key(words)))])


def _without_key(words: Sequence[str]) -> Iterator[str]:
    from toolbooth.catalog import HIDDEN

    for before, word in zip(("", *words), words, strict=False):
        if before == _KEY:
            yield HIDDEN
        else:
            yield f"{_KEY}={HIDDEN}" if word.startswith(f"{_KEY}=") else word


def _without_typed(words: list[str]) -> Iterator[str]:
    from toolbooth.catalog import HIDDEN, ServerSpec, given_values

    typed = [word for before, word in zip(("", *words), words, strict=False) if before != _NAMES_A_VARIABLE]
    open_ones = tuple(word for word in typed if word.partition("=")[0] != _NAMES_A_VARIABLE)
    given = {value for _, value in given_values(ServerSpec("", "stdio", args=open_ones)) if value}
    for word in words:
        hidden = word
        for secret in sorted(given, key=len, reverse=True):
            hidden = HIDDEN if hidden == secret else hidden
            if len(secret) > _A_LETTER_OR_SO or hidden.endswith((f"={secret}", f": {secret}")):
                hidden = hidden.replace(secret, HIDDEN)
        yield _URL_SECRETS.sub(HIDDEN, hidden)
