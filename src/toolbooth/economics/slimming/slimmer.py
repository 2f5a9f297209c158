"""The sweep that takes the noise out of a JSON Schema, and the list of what the noise is."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from toolbooth import catalog, limits
from toolbooth.economics.slimming import ref_rules, union_rules, word_rules  # they fill the table of rules
from toolbooth.economics.slimming.graph import Graph, Unslimmable, read
from toolbooth.economics.slimming.rule import RULES_ON, DefinitionEntry, Noise, RuleContext
from toolbooth.schema import DEFINITIONS, Node, TargetGone, reference, write_in_place

__all__ = ["Noise", "Slimmed", "noise", "slim", "slimmed"]
RULE_MODULES: Final = (word_rules, union_rules, ref_rules)


class Slimmed(NamedTuple):
    """A slim schema and the noise that it is without."""

    schema: dict[str, Any]
    noise: tuple[Noise, ...]


def slim(schema: Mapping[str, Any], tool_name: str = "") -> dict[str, Any]:
    """A new schema that accepts the same instances and tells a model the same, in fewer characters.

    A schema stays as it is where the rules cannot prove that its meaning is kept, or where it is over the limits. The
    input is never changed; a schema that stays as it is shares its parts with the one given back.
    """
    return slimmed(schema, tool_name).schema


def noise(schema: Mapping[str, Any], tool_name: str = "") -> tuple[Noise, ...]:
    """What `slim` would take out of a schema, in the order it is found."""
    return slimmed(schema, tool_name).noise


def slimmed(schema: Mapping[str, Any], tool_name: str = "") -> Slimmed:
    """Both at once, for the price of one: the slim schema, and the noise that it is without."""
    original = best = Slimmed(dict(schema), ())
    # Public schemas are done after one or two passes; one that is not is built to waste time and stays as it is.
    for _ in range(limits.MAX_SLIM_PASSES):
        next_one = _one_pass(best, tool_name)
        if next_one is None:
            return best
        best = next_one
    return original


def _one_pass(last: Slimmed, tool_name: str) -> Slimmed | None:
    """One sweep of the rules; None where it makes the schema no shorter, so repeating it ends."""
    try:
        graph = read(last.schema)
        found = _sweep(graph, tool_name)
        schema = write_in_place(graph.root) if found else last.schema
    except (Unslimmable, TargetGone):
        return None
    if not found or len(catalog.canonical(schema)) >= len(catalog.canonical(last.schema)):
        return None
    return Slimmed(schema, last.noise or found)  # the paths of later sweeps are not those of the original


def _sweep(graph: Graph, tool_name: str) -> tuple[Noise, ...]:
    context = RuleContext(graph, tool_name, graph.uses(), dict(_entries(graph)), ref_rules.reached(graph))
    _visit(graph.root, context)
    return tuple(context.found)


def _entries(graph: Graph) -> Iterator[tuple[Node, DefinitionEntry]]:
    for owner in graph.nodes() if graph.has_refs else ():
        for word in DEFINITIONS:
            held = owner.keywords.get(word)
            for name, definition in held.items() if isinstance(held, dict) else ():
                if isinstance(definition, Node):
                    yield definition, DefinitionEntry(owner, word, name)


def _visit(node: Node, context: RuleContext) -> None:
    """Apply the rules to a node, then to all nodes in it, then to the node again if anything changed."""
    _mend(node, context)
    before = len(context.found)
    context.trail.append(node)
    for child in _definitions_first(node):
        _visit(child, context)
    context.trail.pop()
    if len(context.found) > before:
        _mend(node, context)


def _definitions_first(node: Node) -> list[Node]:
    # A definition is cleaned under its own name before it is moved to where it is used.
    first = {word: node.keywords[word] for word in DEFINITIONS if word in node.keywords}
    return list((Node(first | node.keywords) if first else node).children())


def _mend(node: Node, context: RuleContext) -> None:
    fired = True
    while fired:
        fired = False
        for word in tuple(node.keywords):
            for rule in RULES_ON.get(word, ()):
                may_apply = context.graph.movable or not rule.moves
                what = rule.apply(node, context) if may_apply else None
                if what is not None:
                    fired = True
                    context.found.append(Noise(rule.id, reference(node.path), what))
