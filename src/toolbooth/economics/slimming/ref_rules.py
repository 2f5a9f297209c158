"""Rules for references and definitions: unused ones go, and what is used once stands where it is used."""

from collections.abc import Iterator
from typing import Any

from toolbooth import limits, schema
from toolbooth.economics.slimming import graph
from toolbooth.economics.slimming.graph import Graph, length
from toolbooth.economics.slimming.rule import DefinitionEntry, RuleContext, rule


@rule("unused-definition", *schema.DEFINITIONS, moves=True)
def unused_definition(node: schema.Node, context: RuleContext) -> str | None:
    for word in schema.DEFINITIONS:
        held = node.keywords.get(word)
        if isinstance(held, dict):
            unused = [name for name, definition in held.items() if not _used(definition, context)]
            for name in unused:
                del held[name]
            if not held:
                del node.keywords[word]
            if unused or not held:
                return f"{len(unused)} unused definition(s)"
    return None


def _used(definition: Any, context: RuleContext) -> bool:
    return isinstance(definition, schema.Node) and any(
        inner in context.reached for inner in schema.walk_nodes(definition)
    )


def reached(graph: Graph) -> frozenset[schema.Node]:
    """Every node that validation can reach, and the whole of each definition that it enters."""
    around = dict(_enclosing_definitions(graph)) if graph.has_refs else {}
    found: set[schema.Node] = set()
    waiting = [graph.root] if graph.has_refs else []
    while waiting:
        node = waiting.pop()
        if node in found:
            continue
        found.add(node)
        ref = node.keywords.get("$ref")
        waiting.extend([ref.target] if isinstance(ref, schema.Ref) else [])
        waiting.extend([around[node]] if node in around else [])
        used = {word: value for word, value in node.keywords.items() if word not in schema.DEFINITIONS}
        waiting.extend(schema.Node(used).children())
    return frozenset(found)


def _enclosing_definitions(graph: Graph) -> Iterator[tuple[schema.Node, schema.Node]]:
    """For each node inside a definition, the nearest one around it."""
    waiting: list[tuple[schema.Node, schema.Node | None, bool]] = [(graph.root, None, False)]
    while waiting:
        node, outer, is_definition = waiting.pop()
        if outer is not None:
            yield node, outer
        inner = node if is_definition else outer
        for word, value in node.keywords.items():
            waiting.extend((child, inner, word in schema.DEFINITIONS) for child in schema.nodes_in(value))


@rule("long-definitions", "definitions", moves=True)
def long_definitions(node: schema.Node, context: RuleContext) -> str | None:
    modern = context.graph.dialect.since_2019
    if not modern or not isinstance(node.keywords.get("definitions"), dict) or "$defs" in node.keywords:
        return None
    node.keywords = {
        ("$defs" if word == "definitions" else word): value for word, value in node.keywords.items()
    }
    for name, definition in node.keywords["$defs"].items():
        if isinstance(definition, schema.Node) and definition in context.entries:
            context.entries[definition] = DefinitionEntry(node, "$defs", name)
    return "definitions has a shorter name, $defs"


@rule("inline-definition", "$ref", moves=True)
def inline_definition(node: schema.Node, context: RuleContext) -> str | None:
    ref = node.keywords.get("$ref")
    if not isinstance(ref, schema.Ref) or ref.target in context.trail or ref.target is node:
        return None
    if not graph.can_stand_beside_ref(graph.without(node, "$ref"), ref.target.keywords) or _too_deep(
        context, ref.target
    ):
        return None
    if context.uses[ref.target] == 1 and _take_out(ref.target, context):
        inner, ref.target.keywords = ref.target.keywords, {}
    elif length(ref.target) - 2 < length(ref) + len('"$ref":'):
        inner = _copy(ref.target, context).keywords
    else:
        return None
    context.uses[ref.target] -= 1
    graph.put_in_place(node, "$ref", inner)
    return f"a definition used once, or shorter than the reference to it ({ref.text})"


def _too_deep(context: RuleContext, target: schema.Node) -> bool:
    return len(context.trail) + _height(target) >= limits.MAX_SCHEMA_LEVELS


def _height(node: schema.Node) -> int:
    return 1 + max((_height(inner) for inner in node.children()), default=0)


def _take_out(target: schema.Node, context: RuleContext) -> bool:
    """Take a definition out of its `$defs`; False if it is not a definition or has already moved."""
    entry = context.entries.get(target)
    definitions = entry.owner.keywords.get(entry.word) if entry else None
    if entry is None or not isinstance(definitions, dict) or definitions.get(entry.name) is not target:
        return False
    del definitions[entry.name]
    if not definitions:
        del entry.owner.keywords[entry.word]
    return True


def _copy(value: Any, context: RuleContext) -> Any:
    if isinstance(value, schema.Node):
        return schema.Node(
            {word: _copy(inner, context) for word, inner in value.keywords.items()}, value.path, value.key
        )
    if isinstance(value, schema.Ref):
        context.uses[value.target] += 1
        return schema.Ref(value.text, value.target)
    if isinstance(value, dict):
        return {name: _copy(inner, context) for name, inner in value.items()}
    if isinstance(value, list):
        return [_copy(inner, context) for inner in value]
    return value
