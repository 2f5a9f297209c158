"""An input schema → what checks arguments against it: compiled once, with its work bounded call by call."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import jsonschema_rs as engine

from toolbooth.gateway.arguments.keywords import Draft
from toolbooth.gateway.arguments.node import Node
from toolbooth.gateway.arguments.read import NotTame
from toolbooth.gateway.arguments.size import measure
from toolbooth.gateway.arguments.tame import tame
from toolbooth.gateway.arguments.workload import Workload
from toolbooth.gateway.arguments.write import compiled
from toolbooth.limits import MAX_ARGUMENTS, MAX_CHECK_FRAMES, MAX_CHECK_WORK

Judged = Literal["full", "partly", "not"]
NO_LOAD = Workload(visits=1, patterns=0)


@dataclass(frozen=True)
class Checker:
    """One schema, ready. `judged` says how much of it is checked; `validator` is None where nothing is."""

    judged: Judged
    validator: engine.Validator | None = None
    root: Node | None = None
    draft: Draft = Draft.D2020
    load: Workload = NO_LOAD
    schema: Mapping[str, Any] | None = None  # kept only where there is another way to read it

    @cached_property
    def without_patterns(self) -> "Checker":
        """The same without patterns, for texts that are too long to try them on."""
        return build(self.schema or {}, patterns=False)

    def for_call(self, arguments: dict[str, Any]) -> "Checker | None":
        """What checks these arguments in bounded work; None where they are the backend's to judge."""
        size = measure(arguments, MAX_ARGUMENTS)
        if size is None or self.validator is None or size.depth * self.load.visits > MAX_CHECK_FRAMES:
            return None
        if self.load.cost(size) <= MAX_CHECK_WORK:
            return self
        return self.without_patterns.for_call(arguments) if self.load.patterns else None


def build(schema: Mapping[str, Any], patterns: bool = True) -> Checker:
    """Judge and compile a schema; one that cannot be checked gives a checker that lets every call through."""
    try:
        ready = tame(schema, patterns)
    except NotTame:
        return Checker("not")
    root, draft = ready.graph.root, ready.graph.draft
    validator = compiled(root, draft)
    if validator is None or not (root.words or ready.whole):
        return Checker("not")
    judged: Judged = "full" if ready.whole else "partly"
    return Checker(judged, validator, root, draft, ready.load, schema if ready.load.patterns else None)
