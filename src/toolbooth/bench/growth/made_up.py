"""Real tools × a number × a seed → so many tools that no server has, as long and as varied as the real ones.

Names and sentences are built from word lists, with invented words among them: a catalog's vocabulary grows with it.
All else (sentences, parameters, how many tools have a schema at all) is drawn from the real ones.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final, TypeVar

from toolbooth.bench.growth.made_up_words import CODAS, NOUNS, ONSETS, QUALIFIERS, VERBS, VOWELS
from toolbooth.catalog import ServerTools, Tool

_SERVER_TOOLS: Final = 100  # of each: whoever has 100,000 has them of a few large servers
_INVENTED: Final = 0.2  # of the things are invented: new words then come as 17,570 public tools bring them
_SYLLABLES: Final = 3
_LONGEST: Final = 2_000  # characters of a description
_Item = TypeVar("_Item")


def made_up_servers(
    real: Sequence[Tool], count: int, seed: int, taken: Collection[str]
) -> Iterator[ServerTools]:
    """The same for the same tools and seed; no server is called like one of `taken`."""
    maker = _Maker(real, Random(f"made up {seed}"))  # noqa: S311 - repeatable, and no secret
    names = set(taken)
    while count > 0:
        product = maker.invented()
        name = f"made-up-{product}"
        if name in names:
            continue
        names.add(name)
        yield maker.server(name, product, min(_SERVER_TOOLS, count))
        count -= _SERVER_TOOLS


class _Maker:
    def __init__(self, real: Sequence[Tool], rng: Random) -> None:
        self._real, self._rng = real, rng
        self._sentences = [
            part for tool in real for part in tool.description.split(". ")[1:] if len(part) > 10
        ]
        self._parameters = [pair for tool in real for pair in _properties(tool.input_schema).items()]

    def invented(self) -> str:
        """A word that stands in no dictionary."""
        return "".join(self._syllable() for _ in range(_SYLLABLES))

    def server(self, name: str, product: str, count: int) -> ServerTools:
        """A server of one product."""
        tools: dict[str, Tool] = {}
        while len(tools) < count:
            wire = self._wire(product)
            if wire["name"] in tools:
                wire["name"] += f"_{len(tools)}"
            tools[wire["name"]] = Tool.from_wire(name, wire)
        about = f"{product.capitalize()} keeps {self._pick(NOUNS)}s and {self._pick(NOUNS)}s of a team."
        return ServerTools(name, tuple(tools.values()), description=about)

    def _wire(self, product: str) -> dict[str, Any]:
        """Modelled on one real tool: as long a description, and a schema where that has one."""
        model = self._pick(self._real)
        verb, quality, noun = self._pick(VERBS), self._pick(QUALIFIERS), self._thing()
        said = f"{verb.capitalize()} the {quality} {noun} of a {product.capitalize()} {self._pick(NOUNS)}"
        while self._sentences and len(said) < min(len(model.description), _LONGEST):
            said += f". {self._pick(self._sentences)}"
        wire = {"name": self._name(verb, quality, noun), "description": said}
        return wire if model.input_schema is None else {**wire, "inputSchema": self._schema(model)}

    def _name(self, verb: str, quality: str, noun: str) -> str:
        words = [verb, noun] if self._rng.random() < 0.5 else [verb, quality, noun]
        if self._rng.random() < 0.25:
            return words[0] + "".join(word.capitalize() for word in words[1:])
        return ("-" if self._rng.random() < 0.1 else "_").join(words)

    def _schema(self, model: Tool) -> dict[str, Any]:
        """As many parameters as the model has, of any tools."""
        wanted = len(_properties(model.input_schema)) if self._parameters else 0
        drawn = dict(self._pick(self._parameters) for _ in range(wanted))
        required = [name for name in drawn if self._rng.random() < 0.4]
        return {"type": "object", "properties": drawn, **({"required": required} if required else {})}

    def _thing(self) -> str:
        return self.invented() if self._rng.random() < _INVENTED else self._pick(NOUNS)

    def _syllable(self) -> str:
        return self._pick(ONSETS) + self._pick(VOWELS) + self._pick(CODAS)

    def _pick(self, items: Sequence[_Item]) -> _Item:
        return items[int(self._rng.random() * len(items))]  # `choice` may draw otherwise in another Python


def _properties(schema: Mapping[str, Any] | None) -> Mapping[str, Any]:
    found = (schema or {}).get("properties")
    return found if isinstance(found, Mapping) else {}
