"""Rules for keywords that carry no information, each judged within one schema object."""

import re
from typing import Any, Final

from toolbooth.economics.slimming import keywords
from toolbooth.economics.slimming.graph import signature
from toolbooth.economics.slimming.rule import RuleContext, rule
from toolbooth.schema import DEFINITIONS, PATTERNS_OF_ANY_TEXT, Dialect, Node, Ref

_SHOWN: Final = 40
_GENERATED_TITLE: Final = re.compile(
    r"\w*(Arguments|Args|Params|Parameters|Input|InputSchema|Request|Schema)", re.ASCII
)
_ZERO_BOUNDS: Final = ("minLength", "minItems", "minProperties")
_FALSE_BY_DEFAULT: Final = ("uniqueItems", "deprecated", "readOnly", "writeOnly")


def plain(text: str) -> str:
    """Letters and digits only, in lower case, so that `user_id`, `userId` and `User Id` are equal."""
    return "".join(filter(str.isalnum, text)).casefold()


def same_words(text: str, key: str) -> bool:
    """Whether a text says no more than a key does."""
    return bool(key) and (text == key or (plain(text) != "" and plain(text) == plain(key)))


def _shown(text: str) -> str:
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


@rule("title-repeats-key", "title")
def title_repeats_key(node: Node, _: RuleContext) -> str | None:
    title = node.keywords.get("title")
    if not isinstance(title, str) or not (not title.strip() or same_words(title, node.key)):
        return None
    del node.keywords["title"]
    return f'title "{_shown(title)}" repeats the key' if title.strip() else "empty title"


@rule("generated-title", "title")
def generated_title(node: Node, context: RuleContext) -> str | None:
    title = node.keywords.get("title")
    if not context.at_root or not isinstance(title, str):
        return None
    if not (_GENERATED_TITLE.fullmatch(title) or same_words(title, context.tool_name)):
        return None
    del node.keywords["title"]
    return f'title "{_shown(title)}" is the name of the tool or of its generated class'


@rule("description-repeats-key", "description")
def description_repeats_key(node: Node, _: RuleContext) -> str | None:
    description = node.keywords.get("description")
    if not isinstance(description, str) or not description.strip() or not same_words(description, node.key):
        return None
    del node.keywords["description"]
    return f'description "{_shown(description)}" repeats the key'


@rule("empty-description", "description")
def empty_description(node: Node, _: RuleContext) -> str | None:
    description = node.keywords.get("description")
    if not isinstance(description, str) or description.strip():
        return None
    del node.keywords["description"]
    return "description is empty"


@rule("default-null", "default")
def default_null(node: Node, _: RuleContext) -> str | None:
    if "default" not in node.keywords or node.keywords["default"] is not None:
        return None
    del node.keywords["default"]
    return "default is null"


@rule("comment", "$comment")
def comment(node: Node, _: RuleContext) -> str | None:
    return (
        None if node.keywords.pop("$comment", None) is None else "$comment is for the authors of the schema"
    )


@rule("duplicate-enum", "enum")
def duplicate_enum(node: Node, _: RuleContext) -> str | None:
    return _without_repeats(node, "enum", "value")


@rule("duplicate-type", "type")
def duplicate_type(node: Node, _: RuleContext) -> str | None:
    kinds = node.keywords.get("type")
    if isinstance(kinds, list) and len(kinds) == 1 and isinstance(kinds[0], str):
        node.keywords["type"] = kinds[0]
        return "a list of one type"
    return _without_repeats(node, "type", "type")


def _without_repeats(node: Node, word: str, what: str) -> str | None:
    values = node.keywords.get(word)
    if not isinstance(values, list):
        return None
    kept: dict[Any, Any] = {}
    for value in values:
        kept.setdefault(signature(value), value)
    if len(kept) == len(values):
        return None
    node.keywords[word] = list(kept.values())
    return f"{word} repeats {len(values) - len(kept)} {what}(s)"


@rule("empty-list", "required", "examples")
def empty_list(node: Node, _: RuleContext) -> str | None:
    for word in ("required", "examples"):
        if node.keywords.get(word) == []:
            del node.keywords[word]
            return f"{word} is an empty list"
    return None


@rule("no-bound", *_ZERO_BOUNDS, "pattern")
def no_bound(node: Node, _: RuleContext) -> str | None:
    for word in _ZERO_BOUNDS:
        if type(node.keywords.get(word)) is int and node.keywords[word] == 0:
            del node.keywords[word]
            return f"{word} of 0 bounds nothing"
    pattern = node.keywords.get("pattern")
    if not isinstance(pattern, str) or pattern not in PATTERNS_OF_ANY_TEXT:
        return None
    del node.keywords["pattern"]
    return f'pattern "{pattern}" fits every text'


@rule("false-flag", *_FALSE_BY_DEFAULT)
def false_flag(node: Node, _: RuleContext) -> str | None:
    for word in _FALSE_BY_DEFAULT:
        if node.keywords.get(word) is False:
            del node.keywords[word]
            return f"{word} is false without being said"
    return None


@rule("open-object", "additionalProperties", moves=True)
def open_object(node: Node, context: RuleContext) -> str | None:
    if not _accepts_all(node.keywords.get("additionalProperties"), context):
        return None
    del node.keywords["additionalProperties"]
    return "additionalProperties allows what is allowed anyway"


@rule("any-property-name", "propertyNames", moves=True)
def any_property_name(node: Node, context: RuleContext) -> str | None:
    names = node.keywords.get("propertyNames")
    all_text = isinstance(names, Node) and names.keywords == {"type": "string"} and context.free(names)
    if not (all_text or _accepts_all(names, context)):
        return None
    del node.keywords["propertyNames"]
    return "propertyNames asks that names be text, which they are"


def _accepts_all(schema: Any, context: RuleContext) -> bool:
    return schema is True or (isinstance(schema, Node) and not schema.keywords and context.free(schema))


@rule("root-id", "$id")
def root_id(node: Node, context: RuleContext) -> str | None:
    # Every reference that was read is local, so nothing is resolved against the name of the document.
    if not context.at_root or "$id" not in node.keywords:
        return None
    del node.keywords["$id"]
    return "$id names a document that nothing refers to"


@rule("schema-keyword", "$schema")
def schema_keyword(node: Node, context: RuleContext) -> str | None:
    graph = context.graph
    if (
        not context.at_root
        or "$schema" not in node.keywords
        or any(_read_otherwise(n, graph.dialect) for n in graph.nodes())
    ):
        return None
    del node.keywords["$schema"]
    graph.dialect = Dialect.D2020
    return "$schema changes nothing in how this schema is read"


def _read_otherwise(node: Node, dialect: Dialect) -> bool:
    """Whether 2020-12, as which a schema without `$schema` is read, would give the node another meaning."""
    if dialect is Dialect.D2020:
        return False
    if isinstance(node.keywords.get("items"), list) or not keywords.READ_OTHERWISE[dialect].isdisjoint(
        node.keywords
    ):
        return True
    # An older dialect that does not know a flag takes any value of it, such as `"deprecated": "since 2.0"`.
    if not all(isinstance(node.keywords.get(flag, False), bool) for flag in _FALSE_BY_DEFAULT):
        return True
    if not (dialect.ref_hides_siblings and isinstance(node.keywords.get("$ref"), Ref)):
        return False
    hidden = node.keywords.keys() - {"$ref", *DEFINITIONS}
    return not all(keywords.is_annotation(word) for word in hidden)
