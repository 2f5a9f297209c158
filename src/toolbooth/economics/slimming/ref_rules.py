"""Rules for references and definitions: unused ones go, and what is used once stands where it is used."""

from collections.abc import Iterator
from typing import Any

from toolbooth.economics.slimming.graph import Graph, Node, Ref, children, walk
from toolbooth.economics.slimming.keywords import DEFINITIONS, Draft
from toolbooth.economics.slimming.merge import can_stand_beside_ref, put_in_place, without
from toolbooth.economics.slimming.rule import Home, RuleContext, rule
from toolbooth.economics.slimming.write import length
from toolbooth.limits import MAX_SCHEMA_LEVELS


@rule("unused-definition", *DEFINITIONS, moves=True)
def unused_definition(node: Node, context: RuleContext) -> str | None:
    for word in DEFINITIONS:
        held = node.words.get(word)
        if isinstance(held, dict):
            unused = [name for name, definition in held.items() if not _used(definition, context)]
            for name in unused:
                del held[name]
            if not held:
                del node.words[word]
            if unused or not held:
                return f"{len(unused)} unused definition(s)"
    return None


def _used(definition: Any, context: RuleContext) -> bool:
    return isinstance(definition, Node) and any(inner in context.reached for inner in walk(definition))


def reached(graph: Graph) -> frozenset[Node]:
    """Every node that is needed: what validation comes to, and the whole of each definition it comes into."""
    around = dict(_enclosing_definitions(graph)) if graph.has_refs else {}
    found: set[Node] = set()
    waiting = [graph.root] if graph.has_refs else []
    while waiting:
        node = waiting.pop()
        if node in found:
            continue
        found.add(node)
        ref = node.words.get("$ref")
        waiting.extend([ref.target] if isinstance(ref, Ref) else [])
        waiting.extend([around[node]] if node in around else [])
        used = {word: value for word, value in node.words.items() if word not in DEFINITIONS}
        waiting.extend(children(Node(used)))
    return frozenset(found)


def _enclosing_definitions(graph: Graph) -> Iterator[tuple[Node, Node]]:
    """For each node inside a definition, the nearest one around it."""
    waiting: list[tuple[Node, Node | None, bool]] = [(graph.root, None, False)]
    while waiting:
        node, outer, is_definition = waiting.pop()
        if outer is not None:
            yield node, outer
        inner = node if is_definition else outer
        for word, value in node.words.items():
            waiting.extend((child, inner, word in DEFINITIONS) for child in children(Node({word: value})))


@rule("long-definitions", "definitions", moves=True)
def long_definitions(node: Node, context: RuleContext) -> str | None:
    modern = context.graph.draft in (Draft.D2019, Draft.D2020)
    if not modern or not isinstance(node.words.get("definitions"), dict) or "$defs" in node.words:
        return None
    node.words = {("$defs" if word == "definitions" else word): value for word, value in node.words.items()}
    for name, definition in node.words["$defs"].items():
        if isinstance(definition, Node) and definition in context.homes:
            context.homes[definition] = Home(node, "$defs", name)
    return "definitions has a shorter name, $defs"


@rule("inline-definition", "$ref", moves=True)
def inline_definition(node: Node, context: RuleContext) -> str | None:
    ref = node.words.get("$ref")
    if not isinstance(ref, Ref) or ref.target in context.trail or ref.target is node:
        return None
    if not can_stand_beside_ref(without(node, "$ref"), ref.target.words) or _too_deep(context, ref.target):
        return None
    if context.uses[ref.target] == 1 and _take_home(ref.target, context):
        inner, ref.target.words = ref.target.words, {}
    elif length(ref.target) - 2 < length(ref) + len('"$ref":'):
        inner = _copy(ref.target, context).words
    else:
        return None
    context.uses[ref.target] -= 1
    put_in_place(node, "$ref", inner)
    return f"a definition used once, or shorter than the reference to it ({ref.text})"


def _too_deep(context: RuleContext, target: Node) -> bool:
    return len(context.trail) + _height(target) >= MAX_SCHEMA_LEVELS


def _height(node: Node) -> int:
    return 1 + max((_height(inner) for inner in children(node)), default=0)


def _take_home(target: Node, context: RuleContext) -> bool:
    """Take a definition out of its `$defs`; false where it is none, or stands elsewhere by now."""
    home = context.homes.get(target)
    definitions = home.owner.words.get(home.word) if home else None
    if home is None or not isinstance(definitions, dict) or definitions.get(home.name) is not target:
        return False
    del definitions[home.name]
    if not definitions:
        del home.owner.words[home.word]
    return True


def _copy(value: Any, context: RuleContext) -> Any:
    if isinstance(value, Node):
        return Node(
            {word: _copy(inner, context) for word, inner in value.words.items()}, value.path, value.key
        )
    if isinstance(value, Ref):
        context.uses[value.target] += 1
        return Ref(value.text, value.target)
    if isinstance(value, dict):
        return {name: _copy(inner, context) for name, inner in value.items()}
    if isinstance(value, list):
        return [_copy(inner, context) for inner in value]
    return value
