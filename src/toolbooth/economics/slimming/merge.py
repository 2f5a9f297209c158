"""The conditions under which two sets of keywords that both hold for an instance can be one set."""

from typing import Any

from toolbooth import schema
from toolbooth.economics.slimming.graph import signature
from toolbooth.economics.slimming.keywords import GROUPS, is_annotation


def only_annotations(words: dict[str, Any]) -> bool:
    """Whether a validator reads nothing in these keywords."""
    return all(is_annotation(word) for word in words)


def without(node: schema.Node, word: str) -> dict[str, Any]:
    """The keywords of a node but one."""
    return {key: value for key, value in node.keywords.items() if key != word}


def can_merge(outer: dict[str, Any], inner: dict[str, Any]) -> bool:
    """Whether one schema with the keywords of both means the same as the two together.

    A keyword on both sides has to be the same, and no keyword of one side may read one of the other.
    """
    if not all(_same_plain(outer[word], inner[word]) for word in outer.keys() & inner.keys()):
        return False
    shared_groups = any(group & outer.keys() and group & inner.keys() for group in GROUPS)
    # Older readers skip whatever stands beside `$ref`, so no assertion may be moved there, nor from there.
    beside_ref = ("$ref" in inner and not only_annotations(outer)) or "$ref" in outer
    return not shared_groups and not beside_ref


def can_stand_beside_ref(beside: dict[str, Any], target: dict[str, Any]) -> bool:
    """Whether what stands beside `$ref` and what it leads to can be one schema, in every dialect."""
    return all(
        _same_plain(value, target[word])
        if word in target
        else is_annotation(word) or word in schema.DEFINITIONS
        for word, value in beside.items()
    )


def _same_plain(one: Any, other: Any) -> bool:
    """Equal, and no schemas: of two equal schemas one would be lost, and references may lead into it."""
    return signature(one) == signature(other) and next(schema.nodes_in(one), None) is None


def put_in_place(node: schema.Node, word: str, inner: dict[str, Any]) -> None:
    """Replace one keyword by others, at its place in the order."""
    merged: dict[str, Any] = {}
    for key, value in node.keywords.items():
        if key == word:
            merged.update(
                (name, new) for name, new in inner.items() if name not in node.keywords or name == word
            )
        else:
            merged[key] = value
    node.keywords = merged
