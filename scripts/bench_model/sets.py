"""The question sets: the built-in one and those of a data folder, and why others are left out."""

from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from toolbooth.bench import Pair, pair
from toolbooth.bench.corpus import builtin_corpus, builtin_golden
from toolbooth.bench.retrieval import find_sets
from toolbooth.errors import ConfigError, UserMistake
from toolbooth.safetext import for_terminal

ROOT = Path(__file__).resolve().parents[2]
BUILT_IN = "built-in"


class BenchSet(NamedTuple):
    """Questions with the tools that they are put to."""

    name: str
    pair: Pair


class Sets(NamedTuple):
    """In the order in which they are asked, grouped by corpus."""

    sets: list[BenchSet]
    left_out: list[str]


def load_sets(data: Path | None, few: int | None = None, only: Collection[str] = ()) -> Sets:
    """The first `few` questions of each set, or of those that are named."""
    found = Sets([], [])
    known = list(_pairs(data, found.left_out))
    for name, given in known:
        asked = replace(given.golden, questions=given.golden.questions[:few])
        if only and name not in only:
            continue
        if any(question.answerable for question in asked.questions):
            found.sets.append(BenchSet(name, given._replace(golden=asked)))
        else:
            found.left_out.append(f"{name}: none of its first {few} questions can be served")
    unknown = set(only) - {each.name for each in known}
    found.left_out.extend(f"{name}: there is no such set" for name in sorted(unknown))
    return found


def _pairs(data: Path | None, left_out: list[str]) -> Iterator[BenchSet]:
    yield BenchSet(BUILT_IN, pair(builtin_corpus(), builtin_golden()))
    if data is None:
        left_out.append("only the built-in questions are asked: --data FOLDER names others")
        return
    try:
        below = find_sets(data / "retrieval")
    except ConfigError as error:
        left_out.append(f"{data}: {error.message}")
        return
    left_out.extend(f"{for_terminal(each.file, 200)}: {each.why}" for each in below.left_out)
    for each in below.sets:
        name = for_terminal(each.name, 60)
        try:
            yield BenchSet(name, each.load())
        except (ConfigError, UserMistake) as error:
            left_out.append(f"{name}: {error}")
