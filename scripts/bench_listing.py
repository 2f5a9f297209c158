"""What tools gain from how they are listed on `direct`: search hints, and long descriptions in order.

It reads `retrieval` and `catalogs` in the folder of `--data`. The scoring is what Claude Code 2.1.197 does: words of a
query, without stop words, compared letter by letter with the parts of the name, the hint and the description.
"""

import argparse
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from toolbooth import limits
from toolbooth.bench import GoldenQuestion, Pair
from toolbooth.bench.retrieval import find_sets
from toolbooth.catalog import Tool, decode, read_catalog
from toolbooth.gateway.listed_description import decisive_first
from toolbooth.gateway.public_names import public_name
from toolbooth.search import search_hint, stop_words

ASKED, FIRST = 300, 5
WORD = re.compile(r"\w+")
CONSTRAINT = re.compile(
    r"\b(?:must|only|never|required?|default|at most|at least|maximum|minimum|do not|don't|cannot|format)\b",
    re.I,
)
USE_AND_RETURN = re.compile(r"\b(?:returns?|when to use|use this|use when)\b", re.I)
SENTENCE = re.compile(r"(?<=[.!?])\s+|\n")


class ScoredWords(NamedTuple):
    """The words of a tool, as the client compares them."""

    parts: tuple[str, ...]
    hint: frozenset[str]
    description: frozenset[str]

    def score(self, words: Sequence[str]) -> int:
        return sum(map(self._of_word, words))

    def _of_word(self, word: str) -> int:
        named = 12 if word in self.parts else 6 if any(word in part for part in self.parts) else 0
        return named + 4 * (word in self.hint) + 2 * (word in self.description)


def words_of(tool: Tool, hint: str) -> ScoredWords:
    parts = tuple(part for part in public_name(tool).lower().split("_") if part)
    said = decisive_first(tool.description)[: limits.LISTED_DESCRIPTION].lower()
    return ScoredWords(parts, frozenset(hint.split()), frozenset(WORD.findall(said)))


def found(pair: Pair, hint: Callable[[Tool], str]) -> float:
    """The share of needs that one of the first five tools meets."""
    tools = {tool.id: words_of(tool, hint(tool)) for tool in pair.corpus.catalog}
    questions = [each for each in pair.golden.questions if each.answerable]
    step = max(1, len(questions) // ASKED)
    return fmean(_met(each, tools) for each in questions[::step][:ASKED])


def _met(question: GoldenQuestion, tools: dict[str, ScoredWords]) -> float:
    words = [word for word in WORD.findall(question.query.lower()) if word not in stop_words()]
    scored = {tool_id: score for tool_id, tool in tools.items() if (score := tool.score(words))}
    first = set(sorted(scored, key=lambda tool_id: -scored[tool_id])[:FIRST])
    needs: dict[str, set[str]] = {}
    for label in question.labels:
        if label.relevance > 0:
            needs.setdefault(label.group or label.tool, set()).add(label.tool)
    return fmean(bool(need & first) for need in needs.values())


def shown(tools: Sequence[Tool], cut: int) -> None:
    """The share of sentences and parameter names within the cut, before and after the order."""
    limits.LISTED_DESCRIPTION = cut  # type: ignore[misc]
    for what, parts in (
        ("sentences with a constraint", lambda tool: _sentences(tool, CONSTRAINT)),
        ("sentences on use and return", lambda tool: _sentences(tool, USE_AND_RETURN)),
        ("names of parameters", _parameters),
    ):
        wanted = [(tool, part) for tool in tools for part in parts(tool)]
        before = fmean(part in tool.description[: cut - 48] for tool, part in wanted)
        after = fmean(part in decisive_first(tool.description)[: cut - 48] for tool, part in wanted)
        print(f"  {what:28} {before:.2f} → {after:.2f}   of {len(wanted)}")


def _sentences(tool: Tool, with_words: re.Pattern[str]) -> list[str]:
    return [part.strip() for part in SENTENCE.split(tool.description) if with_words.search(part)]


def _parameters(tool: Tool) -> list[str]:
    named = (tool.input_schema or {}).get("properties", {})
    return [name for name in named if re.search(rf"\b{re.escape(name)}\b", tool.description)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, metavar="FOLDER")
    folder = parser.parse_args().data
    if folder is None:
        print("listings are not compared: name the folder of the public sets with --data")
        return
    paths = sorted((folder / "catalogs").glob("*.json"))
    tools = [tool for path in paths for tool in read_catalog(decode(path.read_bytes()), path)]
    for least, most in ((2_048, sys.maxsize), (1_024, 2_048)):
        some = [tool for tool in tools if least < len(tool.description) <= most]
        print(f"{len(some)} of {len(tools):,} descriptions over {least:,} characters, cut there")
        shown(some, least)
    limits.LISTED_DESCRIPTION = 2_048  # type: ignore[misc]
    print("a wanted tool among the first five, without a hint and with one")
    for each in find_sets(folder / "retrieval").sets:
        pair = each.load()
        print(
            f"  {each.name:32} {found(pair, lambda _: ''):.3f} → {found(pair, search_hint):.3f}", flush=True
        )


if __name__ == "__main__":
    main()
