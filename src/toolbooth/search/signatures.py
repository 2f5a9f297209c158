"""A tool's signature: one line that it can be called from, with name, parameters, types and first sentence.

`github.create_issue(owner*, repo*, title*, body, labels:[str])`: `*` is required, a type stands where it is
not plain text, `…` stands for what was left out. Nothing a server sends makes this fail or run long.
"""

import json
import re
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from toolbooth import catalog, limits, safetext
from toolbooth.schema import (
    listed,
    mapping,
    properties_of,
    required_by,
    resolve_local,
    resolved,
    types_of,
)

MAX_OPTIONAL = 12  # 97 of 100 real tools have no more
CROWD = 50  # required parameters beyond which no object among them is opened
MAX_LINES = 100  # optional parameters that are described; beyond, the definition itself is the better read
NESTED_REQUIRED, NESTED_OPTIONAL = 12, 4  # members shown of an object inside a parameter
NESTED_PARTS = 64  # schemas joined by `allOf` and the like for such an object
MAX_CHOICES, FEW_CHOICES = 5, 3  # an enum is shown up to the first; a longer one only to the second
MAX_LITERAL, MAX_TYPE = 60, 600  # characters of one value, and of one type: five long values still fit
MAX_DEPTH = 6  # lists of choices of lists: beyond, a type says nothing in one line
SENTENCE = 120  # characters: 96 of 100 first sentences of real tools are no longer

_PLAIN = {"string": "str", "integer": "int", "number": "num", "boolean": "bool", "null": "null"}
_SHORT = {"{": "{…}", "[": "[…]"}
_TYPE_WORDS = {*_PLAIN.values(), "any", "true", "false"}  # an enum value that reads like one is quoted
_WORD = re.compile(r"[^\W\d][\w.:/+@-]*")
_LEAD = re.compile(r"(?:\s|#|<\w{1,40}>)*")  # a heading mark or a tag before the first word
_SENTENCE_END = re.compile(  # a full stop, a blank line, or a line that starts a list or a part like `Args:`
    r"(?<=[.!?])\s+(?=[^\sa-z])|(?<=[。！？])|\n\s*\n|\n\s*(?=[-*•#<]|\w[\w ]{0,30}:\s)"
)
_NO_END = ("e.g.", "i.e.", "etc.", "vs.", "cf.")


@dataclass(frozen=True)
class Parameter:
    """One parameter as it is shown: clean text of one line, the name quoted where it is no identifier.

    `type` is empty for plain text, `default` where there is none.
    """

    name: str
    type: str = ""
    required: bool = False
    description: str = ""
    default: str = ""

    def __str__(self) -> str:
        return f"{self.name}{'*' if self.required else ''}{':' if self.type else ''}{self.type}"


def signature(tool: catalog.Tool, max_optional: int = MAX_OPTIONAL) -> str:
    """`server.tool(…)`: every required parameter, then optional ones in the schema's order up to the limit."""
    reader = _Reader(tool.input_schema)
    required, optional = reader.members(tool.input_schema)
    crowded = len(required) > CROWD
    shown = (reader.shown(each, inside=crowded) for each in (*required, *optional[: max(0, max_optional)]))
    return f"{safetext.for_terminal(tool.id)}({_joined(shown, len(optional) - max(0, max_optional))})"


def parameters(schema: object) -> tuple[Parameter, ...]:
    """Every parameter of an input schema: the required first, then the others, each in the schema's order."""
    reader = _Reader(schema)
    required, optional = reader.members(schema)
    return tuple(reader.described(each) for each in (*required, *optional))


class Member(NamedTuple):
    """One property of an object as its schema has it."""

    name: str
    schema: Any
    required: bool


def members(schema: object) -> tuple[Member, ...]:
    """The properties of an input schema, references and joined schemas followed: the required first."""
    required, optional = _Reader(schema).members(schema)
    return (*required, *optional)


def parameter_lines(tool: catalog.Tool, max_optional: int = MAX_LINES) -> tuple[str, ...]:
    """A line for each parameter: as in the signature, with default and description."""
    reader = _Reader(tool.input_schema)
    required, optional = reader.members(tool.input_schema)
    shown = (reader.described(each) for each in (*required, *optional[: max(0, max_optional)]))
    hidden = len(optional) - max(0, max_optional)
    return (*(_described_line(each) for each in shown), *([f"…+{hidden}"] if hidden > 0 else []))


def one_line(description: str, limit: int = SENTENCE) -> str:
    """The first sentence, clean, cut with `…` after a word where it is longer than `limit`."""
    text = description.lstrip()[: limit * 8]
    lead = _LEAD.match(text)
    text = text[lead.end() :] if lead else text
    ends = (end.start() for end in _SENTENCE_END.finditer(text))
    end = next((at for at in ends if not text[:at].endswith(_NO_END)), len(text))
    line = safetext.for_terminal(text[:end], limit * 2)
    if len(line) <= limit:
        return line
    words = line[:limit].rpartition(" ")[0]
    return (words if len(words) > limit // 2 else line[: limit - 1]) + "…"


def _described_line(parameter: Parameter) -> str:
    default = f" = {parameter.default}" if parameter.default else ""
    said = f" — {parameter.description}" if parameter.description else ""
    return f"{parameter}{default}{said}"


def _joined(shown: Iterable[Parameter], hidden: int) -> str:
    return ", ".join([*map(str, shown), *([f"…+{hidden}"] if hidden > 0 else [])])


class _Members(NamedTuple):
    required: list[Member]
    optional: list[Member]


class _Reader:
    """Reads the parts of one schema and follows its local references; each part is read once a depth."""

    def __init__(self, root: object) -> None:
        self.root = root
        self.types: dict[tuple[int, bool, int], str] = {}
        self.unread = limits.MAX_SIGNATURE_PARTS

    def shown(self, member: Member, inside: bool = False, depth: int = MAX_DEPTH) -> Parameter:
        kind = self.type_of(member.schema, inside, depth)
        return Parameter(_name(member.name), "" if kind == "str" else kind, member.required)

    def described(self, member: Member) -> Parameter:
        here, there = mapping(member.schema), mapping(self.resolve(member.schema))
        said = here.get("description") or there.get("description")
        default = here.get("default", there.get("default"))
        return replace(
            self.shown(member),
            description=one_line(said) if isinstance(said, str) else "",
            default="" if default is None else _literal(default),
        )

    def resolve(self, schema: Any) -> Any:
        """What a schema's local `$ref` leads to; nothing is fetched."""
        return resolved(self.root, schema)

    def members(self, schema: Any, most: int | None = None) -> _Members:
        """The properties of an object; those of its alternatives are optional unless all require them."""
        properties: dict[str, Any] = {}
        required: dict[str, None] = {}
        waiting, seen = deque([(schema, True)]), set[int]()
        while waiting and (most is None or len(seen) < most):
            part, sure = waiting.popleft()
            if not isinstance(part, Mapping) or id(part) in seen:
                continue
            seen.add(id(part))
            for name, value in properties_of(part).items():
                properties.setdefault(str(name), value)
            either = [*listed(part.get("anyOf"))[:most], *listed(part.get("oneOf"))[:most]]
            waiting.extendleft((each, sure) for each in reversed(listed(part.get("allOf"))[:most]))
            waiting.extend((each, False) for each in either)
            if isinstance(part.get("$ref"), str):
                waiting.appendleft((resolve_local(self.root, part["$ref"]), sure))
            if sure:
                required |= dict.fromkeys((*required_by(part), *self._always(either)))
        self.unread -= len(seen) + len(properties) if most else 0
        return _sorted(properties, required)

    def _always(self, alternatives: Sequence[Any]) -> list[str]:
        each = [dict.fromkeys(required_by(self.resolve(one))) for one in alternatives]
        return [name for name in each[0] if all(name in one for one in each)] if each else []

    def type_of(self, schema: Any, inside: bool, depth: int) -> str:
        """The type in a word or a bracket; `inside` an object, another one is not opened."""
        schema = self.resolve(schema)
        if not isinstance(schema, Mapping):
            return "any"
        if depth == 0:
            return "…"
        key = (id(schema), inside, depth)
        if key not in self.types:
            text = self._read(schema, inside, depth - 1)
            self.types[key] = text if len(text) <= MAX_TYPE else _SHORT.get(text[0], "…")
        return self.types[key]

    def _read(self, schema: Mapping[str, Any], inside: bool, depth: int) -> str:
        if "const" in schema:
            return _literal(schema["const"])
        if values := listed(schema.get("enum")):
            return _choices(values)
        kinds = types_of(schema) or _kinds_seen(schema)
        if kinds:
            return _union(self._kind(kind, schema, inside, depth) for kind in kinds)
        if either := [*listed(schema.get("anyOf")), *listed(schema.get("oneOf"))]:
            several = sum(not self._is_null(one) for one in either) > 1
            return _union(self.type_of(one, inside or several, depth) for one in either)
        parts = (self.type_of(one, inside, depth) for one in listed(schema.get("allOf")))
        kind = next((part for part in parts if part != "any"), "any")
        return self._object(schema, inside, depth) if kind.startswith("{") else kind

    def _kind(self, kind: str, schema: Mapping[str, Any], inside: bool, depth: int) -> str:
        if kind == "object":
            return self._object(schema, inside, depth)
        return self._array(schema, inside, depth) if kind == "array" else _PLAIN.get(kind, "any")

    def _array(self, schema: Mapping[str, Any], inside: bool, depth: int) -> str:
        items = schema.get("items")
        places = listed(schema.get("prefixItems")) or listed(items)
        if not places:
            kind = self.type_of(items, inside, depth)
            return "[]" if kind == "any" else f"[{kind}]"
        shown = [self.type_of(each, inside, depth) for each in places[:MAX_CHOICES]]
        return f"[{', '.join(shown)}{', …' if len(places) > MAX_CHOICES else ''}]"

    def _object(self, schema: Mapping[str, Any], inside: bool, depth: int) -> str:
        if self.unread <= 0:
            return "{…}"
        required, optional = self.members(schema, NESTED_PARTS)
        if not required and not optional:
            return "{}"
        if inside:
            return "{…}"
        members = (*required[:NESTED_REQUIRED], *optional[:NESTED_OPTIONAL])
        shown = (self.shown(each, True, depth) for each in members)
        return f"{{{_joined(shown, len(required) + len(optional) - len(members))}}}"

    def _is_null(self, schema: Any) -> bool:
        return mapping(self.resolve(schema)).get("type") == "null"


def _sorted(properties: Mapping[str, Any], required: Mapping[str, None]) -> _Members:
    everyone = {**properties, **{name: None for name in required if name not in properties}}
    members = [Member(name, schema, name in required) for name, schema in everyone.items()]
    return _Members(
        [each for each in members if each.required], [each for each in members if not each.required]
    )


def _kinds_seen(schema: Mapping[str, Any]) -> list[str]:
    """The type that other keywords give away where none is named."""
    if "properties" in schema or isinstance(schema.get("additionalProperties"), Mapping):
        return ["object"]
    if "items" in schema or "prefixItems" in schema:
        return ["array"]
    return ["string"] if "pattern" in schema or "format" in schema else []


def _union(kinds: Iterable[str]) -> str:
    different = list(dict.fromkeys(kind for kind in kinds if kind != "null")) or ["null"]
    if "any" in different:
        return "any"
    return "|".join(different[:MAX_CHOICES]) + ("|…" if len(different) > MAX_CHOICES else "")


def _choices(values: Sequence[Any]) -> str:
    different = {json.dumps(value, sort_keys=True, default=str): value for value in values}.values()
    kept = [value for value in different if value is not None] or list(different)
    if all(isinstance(value, bool) for value in kept):
        return "bool" if len(kept) > 1 else _literal(kept[0])
    shown = kept if len(kept) <= MAX_CHOICES else [*kept[:FEW_CHOICES], ...]
    return "|".join("…" if value is ... else _literal(value) for value in shown)


def _literal(value: Any) -> str:
    if isinstance(value, str):
        text = value[: MAX_LITERAL * 8]
        plain = _WORD.fullmatch(text) and text not in _TYPE_WORDS
        return safetext.for_terminal(text if plain else json.dumps(text, ensure_ascii=False), MAX_LITERAL)
    if value is None or isinstance(value, bool | float):
        return json.dumps(value)
    if isinstance(value, int):
        return str(value) if abs(value) < 10**18 else "…"
    empty, full = ("{}", "{…}") if isinstance(value, Mapping) else ("[]", "[…]")
    return full if value else empty


def _name(name: str) -> str:
    return safetext.for_terminal(name if name.isidentifier() else json.dumps(name, ensure_ascii=False))
