"""Generated requests for a tool, as people and agents phrase them, from templates and a lexicon; seeded by the tool."""

import random
import re
import tomllib
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Final, NamedTuple

from toolbooth.catalog import Tool
from toolbooth.search.analysis import split, stem, stop_words
from toolbooth.search.fields import field_texts

TEXTS: Final = Path(__file__).parent / "texts"
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+|\n|(?:\s-\s)|(?:\bArgs:)|;\s")
_PREAMBLE: Final = re.compile(
    r"^(?:this (?:tool|endpoint|function|command) )?(?:(?:is )?used to |allows? (?:you |users |the user )?to "
    r"|lets (?:you )?|enables (?:you )?(?:to )?|will |can |helps (?:you )?|provides? (?:the )?ability to "
    r"|a tool (?:to|for) |tool (?:to|for) |use this (?:tool )?to |use to |helper to )",
    re.I,
)
_THIRD_PERSON: Final = re.compile(r"^(\w+?)(ies|sses|shes|ches|xes|zes|(?<![su])s)\b")
_ODD: Final = {"caches": "cache", "goes": "go", "does": "do"}
_NOT_VERBS: Final = frozenset(("this", "is", "has", "was", "its", "us", "as", "does", "access", "process"))
_DULL: Final = frozenset(
    "mcp server api tool tools ai client service sdk app protocol model context agent js py ts node go http".split()  # noqa: SIM905
)
_WORD: Final = re.compile(r"[A-Za-z][A-Za-z'-]*")
_LONGEST: Final = 26  # words of a step


class Request(NamedTuple):
    """A request and its kind of phrasing."""

    text: str
    kind: str


class Generator:
    """Holds the texts; the same tool and seed give the same requests."""

    def __init__(self, folder: Path = TEXTS, seed: int = 0) -> None:
        self._folder, self._seed = folder, seed

    def requests(self, tool: Tool, other: Tool, plain: int = 4, terse: int = 2) -> list[Request]:
        """Several single steps, a few search phrases, and one task of two steps with another tool."""
        rng = random.Random(f"{self._seed} {tool.server} {tool.name} {tool.description[:60]}")
        found = [Request(self._dressed(self.step(tool, rng), rng), "plain") for _ in range(plain)]
        found += [Request(self._phrase(tool, rng), "terse") for _ in range(terse)]
        steps = [self.step(tool, rng), self.step(other, rng)]
        rng.shuffle(steps)
        found.append(Request(self._dressed(rng.choice(self._joiners).join(steps), rng), "steps"))
        kept = dict.fromkeys(each for each in found if len(each.text.split()) > 1)
        return [
            Request(slip(each.text, rng) if rng.random() < 0.03 else each.text, each.kind) for each in kept
        ]

    def step(self, tool: Tool, rng: random.Random) -> str:
        """One step as a bare imperative, in other words than the tool's, sometimes with a product or a value."""
        said = action(tool)
        base = said if said and rng.random() < 0.75 else " ".join(name_words(tool))
        text = self._reworded(" ".join(base.split()[:_LONGEST]), rng)
        if rng.random() < 0.35 and (value := self._value(tool, rng)):
            text = f"{text} {value}"
        if rng.random() < 0.4 and (product := product_of(tool)):
            text = f"{text} {rng.choice(('in', 'on', 'with', 'using', 'from', 'via'))} {product}"
        return text.strip()

    def _dressed(self, step: str, rng: random.Random) -> str:
        text = rng.choice(self._openers).replace("{}", step)
        if rng.random() < 0.12:
            text = f"{text} {rng.choice(self._closers)}"
        return text[0].upper() + text[1:] if text and rng.random() < 0.6 else text

    def _phrase(self, tool: Tool, rng: random.Random) -> str:
        """A few distinctive words, as an agent types them into a search box."""
        words = name_words(tool)
        extra = [word for word in _WORD.findall(action(tool)) if word.lower() not in stop_words()]
        rng.shuffle(extra)
        some = list(dict.fromkeys([*words, *extra[: rng.randint(0, 3)]]))[: rng.randint(2, 5)]
        text = self._reworded(" ".join(some), rng)
        product = product_of(tool)
        return f"{product} {text}" if product and rng.random() < 0.4 else text

    def _reworded(self, text: str, rng: random.Random) -> str:
        """About half of the words that have synonyms are replaced."""

        def other(match: re.Match[str]) -> str:
            options = self._lexicon.get(stem(match[0].lower()))
            return rng.choice(options) if options and rng.random() < 0.55 else match[0]

        return _WORD.sub(other, text)

    def _value(self, tool: Tool, rng: random.Random) -> str:
        names = split(field_texts(tool)[3])
        known = [part for word in names for part in (word.parts or (word.whole,)) if part in self._values]
        return rng.choice(self._values[rng.choice(known)]) if known else ""

    @cached_property
    def _lexicon(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for line in self._lines("lexicon.tsv"):
            word, _, others = line.partition("\t")
            found.setdefault(stem(word.strip()), []).extend(
                each.strip() for each in others.split("|") if each.strip()
            )
        return found

    @cached_property
    def _openers(self) -> list[str]:
        return self._lines("openers.txt")

    @cached_property
    def _closers(self) -> list[str]:
        return self._lines("closers.txt")

    @cached_property
    def _joiners(self) -> list[str]:
        return self._lines("joiners.txt")

    @cached_property
    def _values(self) -> dict[str, list[str]]:
        return tomllib.loads((self._folder / "values.toml").read_text("utf-8"))

    def _lines(self, name: str) -> list[str]:
        lines = (self._folder / name).read_text("utf-8").splitlines()
        return [line for line in lines if line.strip() and not line.startswith("# ")]


def sentences(text: str) -> list[str]:
    """The meaningful sentences of a description."""
    found = (" ".join(part.split()).strip(" -*#`.") for part in _SENTENCE.split(text))
    return [part for part in found if len(part.split()) > 1]


def action(tool: Tool) -> str:
    """The first sentence of a description as an imperative: "Retrieves all orders" becomes "retrieve all orders"."""
    said = sentences(tool.description)
    if not said:
        return ""
    text = _PREAMBLE.sub("", said[0]).strip()
    return _imperative(text[0].lower() + text[1:]) if text else ""


def _imperative(text: str) -> str:
    match = _THIRD_PERSON.match(text)
    if match is None or match[0] in _NOT_VERBS:
        return text
    stump, ending = match[1], match[2]
    verb = _ODD.get(match[0]) or stump + {"ies": "y", "s": "", "zes": "ze"}.get(ending, ending[:-2])
    return verb + text[match.end() :]


def name_words(tool: Tool) -> list[str]:
    """The words of a tool's name without those of its product."""
    product = {stem(word) for word in product_of(tool).split()}
    words = [part for word in split(tool.name) for part in (word.parts or (word.whole,))]
    return [word for word in words if stem(word) not in product and word not in _DULL] or words


def product_of(tool: Tool) -> str:
    """What people call the server: `office word` for `Office-Word-MCP-Server`."""
    words = [part for word in split(tool.server) for part in (word.parts or (word.whole,))]
    return " ".join(word for word in words if word not in _DULL and len(word) > 1)[:40]


def slip(text: str, rng: random.Random) -> str:
    """One typing error: two letters swapped, or one lost or doubled."""
    places = [at for at in range(1, len(text) - 1) if text[at].isalpha() and text[at + 1].isalpha()]
    if not places:
        return text
    at = rng.choice(places)
    return rng.choice(
        (
            text[:at] + text[at + 1] + text[at] + text[at + 2 :],
            text[:at] + text[at + 1 :],
            text[:at] + text[at] + text[at:],
        )
    )


def partner(tools: Sequence[Tool], at: int, rng: random.Random) -> Tool:
    """The other tool of a task of two steps: usually a neighbour on the same server."""
    near = [each for each in (at - 2, at - 1, at + 1, at + 2) if 0 <= each < len(tools)]
    near = [each for each in near if tools[each].server == tools[at].server]
    return tools[rng.choice(near)] if near and rng.random() < 0.6 else rng.choice(tools)
