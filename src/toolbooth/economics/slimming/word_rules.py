"""Rules for keywords that say nothing, each seen in one schema by itself."""

import re
from typing import Any, Final

from toolbooth.economics.slimming.graph import Node, Ref
from toolbooth.economics.slimming.keywords import READ_OTHERWISE, Draft, is_annotation
from toolbooth.economics.slimming.rule import RuleContext, rule
from toolbooth.economics.slimming.write import signature

_SHOWN: Final = 40
_GENERATED_TITLE: Final = re.compile(
    r"\w*(Arguments|Args|Params|Parameters|Input|InputSchema|Request|Schema)", re.ASCII
)
_MATCHES_ALL: Final = frozenset(("", "^", ".*", "^.*"))
_ZERO_BOUNDS: Final = ("minLength", "minItems", "minProperties")
_FALSE_BY_DEFAULT: Final = ("uniqueItems", "deprecated", "readOnly", "writeOnly")


def plain(text: str) -> str:
    """Letters and digits only, in lower case: `user_id`, `userId` and `User Id` are the same words."""
    return "".join(filter(str.isalnum, text)).casefold()


def same_words(text: str, key: str) -> bool:
    """Whether a text says no more than a key does."""
    return bool(key) and (text == key or (plain(text) != "" and plain(text) == plain(key)))


def _shown(text: str) -> str:
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


@rule("title-repeats-key", "title")
def title_repeats_key(node: Node, _: RuleContext) -> str | None:
    title = node.words.get("title")
    if not isinstance(title, str) or not (not title.strip() or same_words(title, node.key)):
        return None
    del node.words["title"]
    return f'title "{_shown(title)}" repeats the key' if title.strip() else "empty title"


@rule("generated-title", "title")
def generated_title(node: Node, context: RuleContext) -> str | None:
    title = node.words.get("title")
    if not context.at_root or not isinstance(title, str):
        return None
    if not (_GENERATED_TITLE.fullmatch(title) or same_words(title, context.tool_name)):
        return None
    del node.words["title"]
    return f'title "{_shown(title)}" is the name of the tool or of its generated class'


@rule("description-repeats-key", "description")
def description_repeats_key(node: Node, _: RuleContext) -> str | None:
    description = node.words.get("description")
    if not isinstance(description, str) or not description.strip() or not same_words(description, node.key):
        return None
    del node.words["description"]
    return f'description "{_shown(description)}" repeats the key'


@rule("empty-description", "description")
def empty_description(node: Node, _: RuleContext) -> str | None:
    description = node.words.get("description")
    if not isinstance(description, str) or description.strip():
        return None
    del node.words["description"]
    return "description is empty"


@rule("default-null", "default")
def default_null(node: Node, _: RuleContext) -> str | None:
    if "default" not in node.words or node.words["default"] is not None:
        return None
    del node.words["default"]
    return "default is null"


@rule("comment", "$comment")
def comment(node: Node, _: RuleContext) -> str | None:
    return None if node.words.pop("$comment", None) is None else "$comment is for the authors of the schema"


@rule("duplicate-enum", "enum")
def duplicate_enum(node: Node, _: RuleContext) -> str | None:
    return _without_repeats(node, "enum", "value")


@rule("duplicate-type", "type")
def duplicate_type(node: Node, _: RuleContext) -> str | None:
    kinds = node.words.get("type")
    if isinstance(kinds, list) and len(kinds) == 1 and isinstance(kinds[0], str):
        node.words["type"] = kinds[0]
        return "a list of one type"
    return _without_repeats(node, "type", "type")


def _without_repeats(node: Node, word: str, what: str) -> str | None:
    values = node.words.get(word)
    if not isinstance(values, list):
        return None
    kept: dict[Any, Any] = {}
    for value in values:
        kept.setdefault(signature(value), value)
    if len(kept) == len(values):
        return None
    node.words[word] = list(kept.values())
    return f"{word} repeats {len(values) - len(kept)} {what}(s)"


@rule("empty-list", "required", "examples")
def empty_list(node: Node, _: RuleContext) -> str | None:
    for word in ("required", "examples"):
        if node.words.get(word) == []:
            del node.words[word]
            return f"{word} is an empty list"
    return None


@rule("no-bound", *_ZERO_BOUNDS, "pattern")
def no_bound(node: Node, _: RuleContext) -> str | None:
    for word in _ZERO_BOUNDS:
        if type(node.words.get(word)) is int and node.words[word] == 0:
            del node.words[word]
            return f"{word} of 0 bounds nothing"
    pattern = node.words.get("pattern")
    if not isinstance(pattern, str) or pattern not in _MATCHES_ALL:
        return None
    del node.words["pattern"]
    return f'pattern "{pattern}" fits every text'


@rule("false-flag", *_FALSE_BY_DEFAULT)
def false_flag(node: Node, _: RuleContext) -> str | None:
    for word in _FALSE_BY_DEFAULT:
        if node.words.get(word) is False:
            del node.words[word]
            return f"{word} is false without being said"
    return None


@rule("open-object", "additionalProperties", moves=True)
def open_object(node: Node, context: RuleContext) -> str | None:
    if not _accepts_all(node.words.get("additionalProperties"), context):
        return None
    del node.words["additionalProperties"]
    return "additionalProperties allows what is allowed anyway"


@rule("any-property-name", "propertyNames", moves=True)
def any_property_name(node: Node, context: RuleContext) -> str | None:
    names = node.words.get("propertyNames")
    all_text = isinstance(names, Node) and names.words == {"type": "string"} and context.free(names)
    if not (all_text or _accepts_all(names, context)):
        return None
    del node.words["propertyNames"]
    return "propertyNames asks that names be text, which they are"


def _accepts_all(schema: Any, context: RuleContext) -> bool:
    return schema is True or (isinstance(schema, Node) and not schema.words and context.free(schema))


@rule("root-id", "$id")
def root_id(node: Node, context: RuleContext) -> str | None:
    # Every reference that was read is local, so nothing is resolved against the name of the document.
    if not context.at_root or "$id" not in node.words:
        return None
    del node.words["$id"]
    return "$id names a document that nothing refers to"


@rule("schema-keyword", "$schema")
def schema_keyword(node: Node, context: RuleContext) -> str | None:
    graph = context.graph
    if (
        not context.at_root
        or "$schema" not in node.words
        or any(_read_otherwise(n, graph.draft) for n in graph.nodes())
    ):
        return None
    del node.words["$schema"]
    graph.draft = Draft.D2020
    return "$schema changes nothing in how this schema is read"


def _read_otherwise(node: Node, draft: Draft) -> bool:
    """Whether 2020-12, as which a schema without `$schema` is read, would give the node another meaning."""
    if draft is Draft.D2020:
        return False
    if isinstance(node.words.get("items"), list) or not READ_OTHERWISE[draft].isdisjoint(node.words):
        return True
    # An older draft that does not know a flag takes any value of it, such as `"deprecated": "since 2.0"`.
    if not all(isinstance(node.words.get(flag, False), bool) for flag in _FALSE_BY_DEFAULT):
        return True
    if not (draft.ref_hides_siblings and isinstance(node.words.get("$ref"), Ref)):
        return False
    hidden = node.words.keys() - {"$ref", "$defs", "definitions"}
    return not all(is_annotation(word) for word in hidden)
