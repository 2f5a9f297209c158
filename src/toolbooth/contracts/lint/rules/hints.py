"""A tool's annotations → hints that are missing where they matter, or that contradict one another."""

from collections.abc import Iterator
from typing import Final

from toolbooth.contracts.finding import Level
from toolbooth.contracts.lint.rule import Fault, Weighed, tool_rule
from toolbooth.contracts.lint.telling import words_of
from toolbooth.contracts.word_set import word_set

_DESTROYS: Final = word_set("delete drop destroy erase purge wipe truncate")


@tool_rule(
    "destructive-without-hint",
    Level.LOW,
    "A host that asks before destruction can only ask where a tool says that it destroys.",
)
def destructive_without_hint(weighed: Weighed) -> Iterator[Fault]:
    annotations = weighed.tool.annotations or {}
    told = isinstance(annotations.get("destructiveHint"), bool) or annotations.get("readOnlyHint") is True
    if not told and not _DESTROYS.isdisjoint(words_of(weighed.tool.name)[:2]):
        yield Fault(Level.LOW, "/annotations", "it destroys and has no destructiveHint", weighed.tool.name)


@tool_rule(
    "contradicting-hints",
    Level.LOW,
    "A tool that only reads cannot destroy; hosts differ in which hint they believe.",
)
def contradicting_hints(weighed: Weighed) -> Iterator[Fault]:
    annotations = weighed.tool.annotations or {}
    if annotations.get("readOnlyHint") is True and annotations.get("destructiveHint") is True:
        yield Fault(Level.LOW, "/annotations", "readOnlyHint and destructiveHint are both true")
