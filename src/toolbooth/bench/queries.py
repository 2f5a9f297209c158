"""Queries as people type them, some misspelled, made from a catalog to measure time; they have no right answers."""

import re
from collections.abc import Sequence
from random import Random
from typing import Final

from toolbooth import catalog

_WORD: Final = re.compile(r"[A-Za-z]{2,20}")
_HUMP: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
_LEAST, _MOST = 3, 8  # words of a query
_SLIP: Final = 5  # every fifth query has a typing error
_LONG: Final = 4  # letters of a word that is still readable with a typing error


def queries_of(tools: Sequence[catalog.Tool], count: int, seed: int = 0) -> tuple[str, ...]:
    """Runs of words from descriptions and names; the same tools and seed give the same queries."""
    if not tools:
        return ()
    rng = Random(seed)  # noqa: S311 - repeatable, and no secret
    asked = (_query(rng, tools[rng.randrange(len(tools))]) for _ in range(count))
    return tuple(_slipped(rng, query) if at % _SLIP == 0 else query for at, query in enumerate(asked, 1))


def _query(rng: Random, tool: catalog.Tool) -> str:
    words = _WORD.findall(tool.description[:400])
    if len(words) < _LEAST:
        words = _WORD.findall(_HUMP.sub(" ", tool.name.replace("_", " ")))
    length = rng.randint(_LEAST, _MOST)
    start = rng.randrange(max(1, len(words) - length + 1))
    return " ".join(words[start : start + length]).lower() or tool.name


def _slipped(rng: Random, query: str) -> str:
    """The word with two of its letters swapped."""
    words = query.split()
    long = [at for at, word in enumerate(words) if len(word) >= _LONG]
    if not long:
        return query
    at = rng.choice(long)
    word, turned = words[at], rng.randrange(1, len(words[at]) - 2)
    words[at] = word[:turned] + word[turned + 1] + word[turned] + word[turned + 2 :]
    return " ".join(words)
