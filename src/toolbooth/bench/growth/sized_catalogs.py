"""Catalogs of any size: a sample of the real tools, and made-up tools beyond them.

One order of all tools is drawn per seed, so a tool of a small sample is in every larger one. The names and sentences
of made-up tools are built from word lists, with invented words among them, because a catalog's vocabulary grows with
it. Parameters, and the share of tools that have a schema, are drawn from the real tools.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any, Final, NamedTuple, TypeVar

from toolbooth.bench.growth.made_up_words import CODAS, NOUNS, ONSETS, QUALIFIERS, VERBS, VOWELS
from toolbooth.catalog import Catalog, ServerTools, Tool

_SERVER_TOOLS: Final = 100  # per server: a catalog of 100,000 tools has large servers
_INVENTED: Final = 0.2  # share of invented nouns: new words then appear as often as in 17,570 public tools
_SYLLABLES: Final = 3
_LONGEST: Final = 2_000  # characters of a description
_Item = TypeVar("_Item")


def made_up_servers(
    real: Sequence[Tool], count: int, seed: int, taken: Collection[str]
) -> Iterator[ServerTools]:
    """Servers that depend only on the tools and the seed; no name is in `taken`."""
    maker = _ToolGenerator(real, Random(f"made up {seed}"))  # noqa: S311 - repeatable, and no secret
    names = set(taken)
    while count > 0:
        product = maker.invented()
        name = f"made-up-{product}"
        if name in names:
            continue
        names.add(name)
        yield maker.server(name, product, min(_SERVER_TOOLS, count))
        count -= _SERVER_TOOLS


class _ToolGenerator:
    def __init__(self, real: Sequence[Tool], rng: Random) -> None:
        self._real, self._rng = real, rng
        self._sentences = [
            part for tool in real for part in tool.description.split(". ")[1:] if len(part) > 10
        ]
        self._parameters = [pair for tool in real for pair in _properties(tool.input_schema).items()]

    def invented(self) -> str:
        """A word that is in no dictionary."""
        return "".join(self._syllable() for _ in range(_SYLLABLES))

    def server(self, name: str, product: str, count: int) -> ServerTools:
        """A server of one product."""
        tools: dict[str, Tool] = {}
        while len(tools) < count:
            raw = self._raw_tool(product)
            if raw["name"] in tools:
                raw["name"] += f"_{len(tools)}"
            tools[raw["name"]] = Tool.from_raw(name, raw)
        about = f"{product.capitalize()} keeps {self._pick(NOUNS)}s and {self._pick(NOUNS)}s of a team."
        return ServerTools(name, tuple(tools.values()), description=about)

    def _raw_tool(self, product: str) -> dict[str, Any]:
        """A tool modelled on a real one: a description of the same length, and a schema if the real one has one."""
        model = self._pick(self._real)
        verb, quality, noun = self._pick(VERBS), self._pick(QUALIFIERS), self._thing()
        said = f"{verb.capitalize()} the {quality} {noun} of a {product.capitalize()} {self._pick(NOUNS)}"
        while self._sentences and len(said) < min(len(model.description), _LONGEST):
            said += f". {self._pick(self._sentences)}"
        raw = {"name": self._name(verb, quality, noun), "description": said}
        return raw if model.input_schema is None else {**raw, "inputSchema": self._schema(model)}

    def _name(self, verb: str, quality: str, noun: str) -> str:
        words = [verb, noun] if self._rng.random() < 0.5 else [verb, quality, noun]
        if self._rng.random() < 0.25:
            return words[0] + "".join(word.capitalize() for word in words[1:])
        return ("-" if self._rng.random() < 0.1 else "_").join(words)

    def _schema(self, model: Tool) -> dict[str, Any]:
        """As many parameters as the model has, taken from any tools."""
        wanted = len(_properties(model.input_schema)) if self._parameters else 0
        drawn = dict(self._pick(self._parameters) for _ in range(wanted))
        required = [name for name in drawn if self._rng.random() < 0.4]
        return {"type": "object", "properties": drawn, **({"required": required} if required else {})}

    def _thing(self) -> str:
        return self.invented() if self._rng.random() < _INVENTED else self._pick(NOUNS)

    def _syllable(self) -> str:
        return self._pick(ONSETS) + self._pick(VOWELS) + self._pick(CODAS)

    def _pick(self, items: Sequence[_Item]) -> _Item:
        return items[int(self._rng.random() * len(items))]  # `choice` may differ between Python versions


def _properties(schema: Mapping[str, Any] | None) -> Mapping[str, Any]:
    found = (schema or {}).get("properties")
    return found if isinstance(found, Mapping) else {}


class SizedCatalog(NamedTuple):
    """A catalog of the wanted size; `made_up` counts its tools that no server has."""

    catalog: Catalog
    made_up: int


class Sampler:
    """One order of all tools, drawn once: a tool of a small sample is in every larger one."""

    def __init__(self, catalog: Catalog, seed: int) -> None:
        # Entries that were set aside are not tools, and a file with them would be refused as damaged.
        self._catalog = Catalog(tuple(replace(each, set_aside=()) for each in catalog.servers))
        self._seed = seed
        order = list(range(len(catalog.tools)))
        Random(seed).shuffle(order)  # noqa: S311 - repeatable, and no secret
        self._place = {catalog.tools[at].id: place for place, at in enumerate(order)}
        self._drawn = [catalog.tools[at] for at in order]

    def first(self, count: int) -> Sequence[Tool]:
        """The tools that come first."""
        return self._drawn[:count]

    def catalog(self, size: int) -> SizedCatalog:
        """A catalog of this size: real tools first, then made-up ones."""
        if size < len(self._catalog):
            return SizedCatalog(self._part(size), 0)
        missing = size - len(self._catalog)
        taken = {each.server for each in self._catalog.servers}
        more = made_up_servers(self._drawn, missing, self._seed, taken)
        return SizedCatalog(Catalog((*self._catalog.servers, *more)), missing)

    def _part(self, size: int) -> Catalog:
        parts = (
            replace(each, tools=tuple(tool for tool in each.tools if self._place[tool.id] < size))
            for each in self._catalog.servers
        )
        return Catalog(tuple(each for each in parts if each.tools))
