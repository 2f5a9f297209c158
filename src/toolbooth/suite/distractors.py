"""A catalog × a number × a seed → so many look-alikes of its tools, none of which does what a real one does."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import count as numbers
from random import Random
from typing import Any, Final, TypeVar

from toolbooth.catalog import Catalog, ServerTools, Tool, canonical
from toolbooth.errors import InvalidBound
from toolbooth.limits import MAX_DISTRACTORS, MAX_PUBLIC_NAME
from toolbooth.suite.distractor_words import KINDS, VERBS, Kind

_SERVER: Final = "workspace"
_STAND_IN: Final = Tool("", "get_record", "Get one record.")  # for a catalog without tools
_FAMILY: Final = {verb: family for family in VERBS for verb in family}
_WORD: Final = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")
_TRIES: Final = 12  # names of one length that are all taken: then one word more
_LONGEST_SCHEMA: Final = 4_000  # characters; of a longer one only the new parameter is kept
_SENTENCE: Final = 160
_SHORT: Final = 8  # letters of a word in a name that is too long
_Item = TypeVar("_Item")


def look_alikes(catalog: Catalog, count: int, seed: int, taken: Collection[str] = ()) -> ServerTools:
    """The same for the same catalog and seed, on every Python; fewer are the beginning of more.

    No name is that of a real tool, or one of `taken`.
    """
    if not 0 <= count <= MAX_DISTRACTORS:
        raise InvalidBound(f"{count} distractors cannot be; from 0 to {MAX_DISTRACTORS} can")
    server = _free_server({each.server for each in catalog.servers})
    tools = sorted(catalog.tools, key=lambda tool: (tool.id, canonical(tool.wire))) or [_STAND_IN]
    draw = _Draw(f"{catalog.fingerprint}:{seed}")
    used = {_key(name) for name in (*taken, *(tool.name for tool in tools))}
    made = []
    for _ in range(count):
        wire = _new_one(tools, draw, used)
        used.add(_key(wire["name"]))
        made.append(Tool.from_wire(server, wire))
    return ServerTools(server, tuple(made), title="Workspace")


class _Draw:
    """Chance that is the same everywhere: of `Random` only the bits of `random()` are promised to stay."""

    def __init__(self, seed: str) -> None:
        self._random = Random(seed)  # noqa: S311 - no secret

    def below(self, end: int) -> int:
        return int(self._random.random() * end)

    def one(self, items: Sequence[_Item]) -> _Item:
        return items[self.below(len(items))]


def _free_server(taken: Collection[str]) -> str:
    names = (_SERVER if number == 1 else f"{_SERVER}-{number}" for number in numbers(1))
    return next(name for name in names if name not in taken)


def _key(name: str) -> str:
    return name.casefold()


def _new_one(tools: Sequence[Tool], draw: _Draw, used: Collection[str]) -> dict[str, Any]:
    """Rarer words the longer it takes: one kind of thing, two, and at last a number."""
    for attempt in numbers():
        tool = draw.one(tools)
        kinds = _kinds(draw)[: 1 if attempt < _TRIES else 2]
        number = draw.below(100 * attempt) if attempt >= 2 * _TRIES else None
        verb, rest = _parted(tool.name)
        other = draw.one(_FAMILY.get(verb, VERBS[0]))
        name = _name(tool.name, other, kinds, rest, number)
        if _key(name) not in used:
            return _wire(name, tool, _reworded(tool, verb, other), kinds, draw)
    raise AssertionError("numbers do not end")


def _kinds(draw: _Draw) -> tuple[Kind, Kind]:
    """Two different ones."""
    first, step = draw.below(len(KINDS)), draw.below(len(KINDS) - 1)
    return KINDS[first], KINDS[(first + 1 + step) % len(KINDS)]


def _parted(name: str) -> tuple[str, list[str]]:
    """The verb, if the name begins with one that is known, and the other words."""
    words = [word.lower() for word in _WORD.findall(name)] or ["record"]
    known = words[0] in _FAMILY
    return (words[0], words[1:] or ["record"]) if known else ("", words)


def _name(model: str, verb: str, kinds: Sequence[Kind], rest: Sequence[str], number: int | None) -> str:
    """Written as the real one is: snake_case, kebab-case or camelCase; never longer than providers allow."""
    words = [verb, *(kind.word for kind in kinds if not kind.after), *rest]
    words += (kind.word for kind in kinds if kind.after)
    end = [] if number is None else [str(number)]
    while len("_".join([*words, *end])) > MAX_PUBLIC_NAME:
        words = [word[:_SHORT] for word in words] if max(map(len, words)) > _SHORT else words[:-1]
    return _joined(model, [*words, *end])


def _joined(model: str, words: Sequence[str]) -> str:
    if "_" not in model and "-" in model:
        return "-".join(words)
    if "_" not in model and re.search(r"[a-z][A-Z]", model):
        return words[0] + "".join(word.capitalize() for word in words[1:])
    return "_".join(words)


def _wire(name: str, tool: Tool, job: str, kinds: Sequence[Kind], draw: _Draw) -> dict[str, Any]:
    where = " and ".join(kind.where if kind is kinds[0] else kind.where.lower() for kind in kinds)
    return {
        "name": name,
        "description": f"{where}: {job}. {kinds[0].limit}",
        "inputSchema": _schema(tool.input_schema, kinds[0], draw),
    }


def _reworded(tool: Tool, verb: str, other: str) -> str:
    """The first sentence of the real description, begun with the other verb."""
    first = re.split(r"[.\n]", tool.description.strip(), maxsplit=1)[0][:_SENTENCE].strip()
    words = first.split() or [verb or other, *_parted(tool.name)[1]]
    if words[0].lower().rstrip("s") == verb:
        return " ".join([other, *words[1:]])
    return " ".join([words[0].lower(), *words[1:]])


def _schema(real: Mapping[str, Any] | None, kind: Kind, draw: _Draw) -> dict[str, Any]:
    """What the real one takes, less one thing that it does not need, and one thing that it does not know."""
    own = {kind.parameter: {**kind.schema, "description": f"{kind.where}."}}
    properties = (real or {}).get("properties")
    if not isinstance(properties, Mapping) or len(canonical(real)) > _LONGEST_SCHEMA:
        return {"type": "object", "properties": own, "required": [kind.parameter]}
    required = [each for each in _texts((real or {}).get("required")) if each in properties]
    optional = sorted(properties.keys() - set(required))
    left_out = draw.one(optional) if optional else ""
    kept = {key: value for key, value in properties.items() if key != left_out}
    return {
        **(real or {}),
        "type": "object",
        "properties": {**kept, **own},
        "required": [*(each for each in required if each != kind.parameter), kind.parameter],
    }


def _texts(value: object) -> Iterator[str]:
    return (each for each in value if isinstance(each, str)) if isinstance(value, list) else iter(())
