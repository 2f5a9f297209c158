"""A seed → a JSON Schema of any draft that is slimmed, full of noise, and instances near it.

Plain random numbers rather than drawn strategies: a hundred times as many schemas in the same time. A seed gives
the same schema in every process: nothing is in the order of a set, and nothing is shared with an earlier schema.
"""

import copy
import random
from collections.abc import Callable, Iterator
from typing import Any

from toolbooth.schema import resolve_local

Json = Any

DRAFTS = (
    None,
    "http://json-schema.org/draft-06/schema#",
    "http://json-schema.org/draft-07/schema#",
    "https://json-schema.org/draft/2019-09/schema",
    "https://json-schema.org/draft/2020-12/schema",
)
KEYS = (
    "a",
    "b",
    "user_id",
    "title",
    "description",
    "default",
    "enum",
    "$schema",
    "$ref",
    "a/b",
    "x~y z",
    "ü%",
)
NAMES = ("A", "B/b", "C c")
TYPES = ("null", "boolean", "integer", "number", "string", "array", "object")
TEXTS = ("", "a", "b", "User Id", "x@y.org", "a\nb")
NUMBERS = (0, 1, 1.0, 2, -1, 2.5)
BOUNDS: dict[str, tuple[Json, ...]] = {
    **dict.fromkeys(("minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum"), (1, 2)),
    **dict.fromkeys(("exclusiveMaximum", "multipleOf", "minItems", "maxItems", "minProperties"), (1, 2)),
    **dict.fromkeys(("maxProperties", "minContains", "maxContains"), (1, 2)),
    "uniqueItems": (True,),
    "pattern": ("^a", "^.*$"),
    "format": ("email", "int32"),
    "contentEncoding": ("base64",),
}
NOISE: tuple[tuple[str, tuple[Json, ...]], ...] = (
    ("title", ("Says something", "KEY", "KEY", "")),
    ("description", ("", " ", "KEY", "Says something")),
    ("default", (None, None, {"$ref": "#/nowhere"}, {"title": "a"}, 1)),
    ("$comment", ("for authors",)),
    ("examples", ([], [{"$ref": "#"}])),
    ("required", ([],)),
    ("additionalProperties", (True, {})),
    ("minLength", (0,)),
    ("minItems", (0,)),
    ("minProperties", (0,)),
    ("uniqueItems", (False,)),
    ("deprecated", (False, True)),
    ("readOnly", (False,)),
    ("pattern", ("", ".*", "^", "^.*")),
    ("propertyNames", (True, {}, {"type": "string"})),
    ("x-unknown", ({"title": "a"}, {"$ref": "#/$defs/A"})),
    ("dependencies", ({"a": {"$ref": "#"}}, {"a": ["b"]})),
)


class SchemaMaker:
    """Makes one schema. References only lead where validation ends: later definitions, or back from below."""

    def __init__(self, seed: int, depth: int) -> None:
        self.random = random.Random(seed)
        self.draft = self.random.choice(DRAFTS)
        self.home = self.random.choice(("$defs", "definitions"))
        self.depth = depth
        self.later: tuple[str, ...] = NAMES
        self.below = 0
        self.leaves = (self.types, self.types, self.values, self.bounds, self.reference)
        self.branches = (
            self.nullable,
            self.nullable,
            self.union,
            self.constants,
            self.object,
            self.object,
            self.array,
            self.condition,
            self.negation,
        )

    def chance(self, part: float) -> bool:
        return self.random.random() < part

    def make(self) -> dict[str, Json]:
        schema = self.object("") if self.chance(0.7) else self.schema("", booleans=False)
        if self.chance(0.8):
            schema[self.home] = self.definitions()
        else:
            schema = {key: value for key, value in schema.items() if not _mentions(value, self.home)}
        if isinstance(schema.get("properties"), dict) and self.chance(0.4):
            schema["properties"]["again"] = self.pointing_into(schema)
        if self.draft:
            schema["$schema"] = self.draft
        if self.chance(0.1):
            schema["$id"] = "https://example.org/schema"
        if self.chance(0.3):
            schema["title"] = self.random.choice(("toolArguments", "Tool", "Says something"))
        return self.shuffled(schema)

    def pointing_into(self, schema: dict[str, Json]) -> Json:
        inside = list(places(schema, "#"))
        several = [{"$ref": self.random.choice(inside)} | self.noise("again") for _ in range(2)]
        return {"anyOf": several} if self.chance(0.3) else several[0]

    def definitions(self) -> dict[str, Json]:
        made = {}
        for index, name in enumerate(NAMES):
            self.later = NAMES[index + 1 :]
            self.depth = 2
            made[name] = self.schema(name)
        self.later = NAMES
        return made

    def shuffled(self, schema: dict[str, Json]) -> dict[str, Json]:
        words = list(schema)
        self.random.shuffle(words)
        return {word: schema[word] for word in words}

    def schema(self, key: str, booleans: bool = True) -> Json:
        if booleans and self.chance(0.04):
            return self.chance(0.5)
        makers = self.leaves if self.depth <= 0 else (*self.leaves, *self.branches)
        made: dict[str, Json] = {}
        for _ in range(self.random.choice((1, 1, 1, 2, 2, 3))):
            made |= self.random.choice(makers)(key)
        return self.shuffled(made | self.noise(key))

    def noise(self, key: str) -> dict[str, Json]:
        made = {}
        for word, values in self.random.sample(NOISE, self.random.choice((0, 0, 0, 1, 1, 2, 4))):
            value = self.random.choice(values)
            made[word] = key.replace("_", " ").title() if value == "KEY" else copy.deepcopy(value)
        rare = {"x-unknown", "dependencies"} if self.chance(0.9) else set()
        return {word: value for word, value in made.items() if word not in rare}

    def inside(self, key: str = "", below: bool = False) -> Json:
        self.depth, self.below = self.depth - 1, self.below + below
        made = self.schema(key)
        self.depth, self.below = self.depth + 1, self.below - below
        return made

    def types(self, _: str) -> dict[str, Json]:
        if self.chance(0.7):
            return {"type": self.random.choice(TYPES)}
        return {"type": self.random.sample(TYPES, self.random.choice((1, 2, 3)))}

    def values(self, _: str) -> dict[str, Json]:
        typed = {"type": "string"} if self.chance(0.4) else {}
        some = [instance(self.random, 1) for _ in range(self.random.choice((1, 2, 4)))]
        texts = [self.random.choice(TEXTS) for _ in range(self.random.choice((1, 2, 4)))]
        if self.chance(0.5):
            return typed | {"enum": texts if self.chance(0.6) else some}
        return typed | {"const": texts[0] if self.chance(0.6) else some[0]}

    def bounds(self, key: str) -> dict[str, Json]:
        word = self.random.choice(tuple(BOUNDS))
        return {word: self.random.choice(BOUNDS[word])} | (self.types(key) if self.chance(0.6) else {})

    def reference(self, _: str) -> dict[str, Json]:
        names = NAMES if self.below else self.later
        texts = [f"#/{self.home}/{_escaped(name)}" for name in names] + (["#"] if self.below else [])
        return {"$ref": self.random.choice(texts)} if texts else {}

    def nullable(self, key: str) -> dict[str, Json]:
        branches = [self.inside(key), {"type": "null"}]
        if self.chance(0.3):
            branches.append(self.random.choice(({"type": "null"}, {"type": "integer"}, {"type": ["number"]})))
        self.random.shuffle(branches)
        return {self.random.choice(("anyOf", "anyOf", "oneOf")): branches}

    def union(self, key: str) -> dict[str, Json]:
        word = self.random.choice(("anyOf", "oneOf", "allOf"))
        branches = [self.inside(key) for _ in range(self.random.choice((1, 1, 2, 3)))]
        if self.chance(0.3):
            branches.append(branches[0])
        return {word: [{word: branches}] if self.chance(0.2) else branches}

    def constants(self, key: str) -> dict[str, Json]:
        word = self.random.choice(("anyOf", "oneOf"))
        branches = [self.values(key) for _ in range(self.random.choice((2, 3)))]
        return {word: branches + ([{"type": "null"}] if self.chance(0.3) else [])}

    def object(self, _: str) -> dict[str, Json]:
        names = self.random.sample(KEYS, self.random.choice((1, 2, 3)))
        made: dict[str, Json] = {"properties": {name: self.inside(name, below=True) for name in names}}
        extras: dict[str, Callable[[], Json]] = {
            "type": lambda: "object",
            "required": lambda: self.random.sample(KEYS, self.random.choice((0, 1, 2))),
            "additionalProperties": lambda: self.inside(below=True),
            "patternProperties": lambda: {"^a": self.inside(below=True)},
            "propertyNames": lambda: self.random.choice((self.types(""), self.values(""), {"maxLength": 5})),
            "dependentRequired": lambda: {"a": ["title"]},
            "dependentSchemas": lambda: {"a": self.inside()},
            "dependencies": lambda: {"a": ["title"], "title": self.inside()},
        }
        common = ("type", "required", "additionalProperties")
        words = self.random.sample(common, 2) + self.random.sample(tuple(extras), self.chance(0.3))
        return made | {word: extras[word]() for word in dict.fromkeys(words)}

    def array(self, _: str) -> dict[str, Json]:
        several = [self.inside(below=True) for _ in range(self.random.choice((1, 2)))]
        typed = {"type": "array"} if self.chance(0.5) else {}
        word = self.random.choice(("items", "items", "contains", "prefixItems", "list"))
        if word == "list":
            old = self.draft is not None and "2020" not in self.draft
            return {"items": several, "additionalItems": self.inside(below=True)} if old else {}
        return typed | {word: several if word == "prefixItems" else several[0]}

    def condition(self, _: str) -> dict[str, Json]:
        return {word: self.inside() for word in ("if", "then", "else") if self.chance(0.7)}

    def negation(self, _: str) -> dict[str, Json]:
        return {"not": self.inside()}


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1").replace("%", "%25").replace(" ", "%20")


def places(schema: Json, path: str) -> Iterator[str]:
    """The pointers of all schemas inside a schema."""
    if not isinstance(schema, dict):
        return
    yield path
    for word, value in schema.items():
        here = f"{path}/{_escaped(word)}"
        if word in ("anyOf", "allOf", "oneOf", "prefixItems"):
            for index, inner in enumerate(value):
                yield from places(inner, f"{here}/{index}")
        elif word in ("properties", "$defs", "definitions", "dependentSchemas", "patternProperties"):
            for name, inner in value.items():
                yield from places(inner, f"{here}/{_escaped(name)}")
        elif word in ("items", "not", "if", "then", "contains", "additionalProperties", "propertyNames"):
            yield from places(value, here)


def _mentions(value: Json, home: str) -> bool:
    return f"#/{home}/" in repr(value)


def instance(source: random.Random, depth: int) -> Json:
    """Any JSON value, from the same small pools as the schemas."""
    kind = source.choice(("null", "flag", "number", "text", "text", "array", "object"))
    if kind in ("array", "object") and depth > 0:
        inner = [instance(source, depth - 1) for _ in range(source.choice((0, 1, 2, 3)))]
        return inner if kind == "array" else dict(zip(source.sample(KEYS, len(inner)), inner, strict=True))
    return source.choice({"null": (None,), "flag": (True, False), "number": NUMBERS}.get(kind, TEXTS))


def near(source: random.Random, schema: Json, root: Json, depth: int = 6) -> Json:
    """An instance that tries to fit a schema; often it does, sometimes it just misses."""
    if not isinstance(schema, dict) or depth <= 0 or source.random() < 0.08:
        return instance(source, 2)
    if isinstance(schema.get("$ref"), str):
        return near(source, resolve_local(root, schema["$ref"]), root, depth - 1)
    if "const" in schema:
        return schema["const"]
    if isinstance(schema.get("enum"), list):
        return source.choice(schema["enum"])
    for word in ("anyOf", "oneOf", "allOf"):
        if schema.get(word) and source.random() < 0.7:
            return near(source, source.choice(schema[word]), root, depth - 1)
    return _shaped(source, schema, root, depth)


def _shaped(source: random.Random, schema: dict[str, Json], root: Json, depth: int) -> Json:
    kinds = schema.get("type")
    kind = kinds if isinstance(kinds, str) else source.choice(kinds or TYPES)
    properties = schema.get("properties")
    if isinstance(properties, dict) and (kind == "object" or kinds is None):
        made = {name: instance(source, 1) for name in schema.get("required") or ()}
        if source.random() < 0.3:
            made[source.choice(KEYS)] = instance(source, 1)
        for name, inner in properties.items():
            if source.random() < 0.75:
                made[name] = near(source, inner, root, depth - 1)
        return made
    if kind == "array":
        items = schema.get("items", schema.get("prefixItems"))
        parts = items if isinstance(items, list) else [items] * source.choice((0, 1, 2, 3))
        return [near(source, part, root, depth - 1) for part in parts]
    pools = {"null": (None,), "boolean": (True, False), "string": TEXTS, "integer": (0, 1, 2, 2.0)}
    return source.choice(pools.get(kind, NUMBERS)) if kind != "object" else {"a": instance(source, 1)}
