"""The texts for the teacher, and the pairs of a request and its tool, from sources and requests."""

import hashlib
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from toolbooth.bench.golden import catalog_id
from toolbooth.catalog import Tool
from toolbooth.search.fields import field_texts
from training.generate import TEXTS, Generator, action, name_words, partner, sentences
from training.sources import Exam, Source
from training.split import ExamQuestions

WRITTEN_KINDS: Final = ("otherwise", "request", "phrase", "task")
_HELD_OUT: Final = 10  # one server in ten: its written requests choose between settings and are never learned
_ABOUT_SENTENCES: Final = 8
_DESCRIPTION_SENTENCES: Final = 3
_SETTINGS: Final = (
    "{}",
    "find {}",
    "find me a {}",
    "I want {}",
    "I need a {}",
    "about {}",
    "my {}",
    "the best {}",
    "how to {}",
    "{} near me",
    "what is {}",
    "buy a {}",
    "search for {}",
    "{} information",
    "is there any {}",
)
_LONG: Final = 400  # characters of a description that the teacher reads as one text


class Pair(NamedTuple):
    """A request, the number of its tool, and the kind of phrasing."""

    text: str
    tool: int
    kind: str


@dataclass(frozen=True)
class Material:
    """Everything that is learned from, and the held-out requests."""

    sources: list[Source]
    texts: list[str]
    generated: list[Pair]
    written: list[Pair]
    held_out: list[Pair]

    @property
    def learned(self) -> list[str]:
        """Every text that any stage reads."""
        return [*self.texts, *(pair.text for pair in self.generated), *(pair.text for pair in self.written)]

    def groups(self) -> Iterator[list[str]]:
        """Natural texts, one per server and one per written request."""
        by_server: dict[str, list[str]] = {}
        for source in self.sources:
            said = by_server.setdefault(source.tool.server, sentences(source.about))
            said += [source.tool.name, *sentences(source.tool.description)]
        yield from by_server.values()
        yield from ([pair.text] for pair in self.written)


def gather(sources: list[Source], exams: Sequence[Exam], seed: int = 0, folder: Path = TEXTS) -> Material:
    """Make all texts except those that are in an exam; the same seed makes the same ones."""
    asked = ExamQuestions(exams)
    numbers = {source.key: at for at, source in enumerate(sources)}
    written: list[Pair] = []
    held_out: list[Pair] = []
    for key, *requests in [*read_rows(folder / "written.tsv"), *_made(folder / "made.tsv")]:
        if key in numbers:
            reported = zip(requests, WRITTEN_KINDS, strict=True)
            pairs = [Pair(text, numbers[key], kind) for text, kind in reported if not asked.hold(text)]
            (held_out if is_held_out(sources[numbers[key]]) else written).extend(pairs)
    tools = [source.tool for source in sources]
    rng, generator = random.Random(seed), Generator(folder, seed)
    generated = [
        Pair(request.text, at, request.kind)
        for at, tool in enumerate(tools)
        for request in generator.requests(tool, partner(tools, at, rng))
        if not asked.hold(request.text)
    ]
    known = {pair.text for pair in (*written, *generated)}
    held_out = [pair for pair in held_out if pair.text not in known]
    texts = [text for text in _texts(sources) if not asked.hold(text)]
    return Material(sources, texts, generated, written, held_out)


def read_rows(path: Path) -> list[list[str]]:
    """The cells of every line that is not a comment."""
    lines = path.read_text("utf-8").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("# ")]


def _made(path: Path) -> list[list[str]]:
    """Made-up tools: the keys of their sources, and their requests."""
    return [[catalog_id(f"{server}:{name}"), *requests] for server, name, _, *requests in read_rows(path)]


def is_held_out(source: Source) -> bool:
    """Decided by server: tools of one server are too similar to be on both sides."""
    digest = hashlib.blake2b(source.tool.server.encode(), digest_size=4).digest()
    return int.from_bytes(digest) % _HELD_OUT == 0


def tool_text(tool: Tool) -> str:
    """A tool, as the teacher reads it."""
    return f"{' '.join(name_words(tool))}: {field_texts(tool)[2][:_LONG]}"


def _texts(sources: list[Source]) -> list[str]:
    """The texts of tools and servers: names, sentences, parameters; each once."""
    found: dict[str, None] = {}
    for source in sources:
        tool = source.tool
        name, _, said, parameters, reported = field_texts(tool)
        found[" ".join(name_words(tool))] = None
        found[tool_text(tool)] = None
        found.update(dict.fromkeys([action(tool), name, parameters[:_LONG]]))
        found.update(dict.fromkeys(sentences(said)[:_DESCRIPTION_SENTENCES]))
        found.update(dict.fromkeys(sentences(reported)[:_DESCRIPTION_SENTENCES]))
        found.update(dict.fromkeys(sentences(source.about)[:_ABOUT_SENTENCES]))
    return [text for text in found if len(text) > 2]


def word_texts(words: Iterable[str], exams: Sequence[Exam], seed: int = 0) -> list[str]:
    """Each word in a few short contexts, so that rows of words outside the tools' texts are learned, too."""
    rng, asked = random.Random(seed), ExamQuestions(exams)
    made = [setting.replace("{}", word) for word in words for setting in rng.sample(_SETTINGS, 3)]
    return [text for text in made if not asked.hold(text)]
