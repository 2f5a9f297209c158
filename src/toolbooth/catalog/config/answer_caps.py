"""The answer caps of `toolbooth.yaml`: `server.tool` patterns → the cap of one tool."""

from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, NamedTuple, Self

Changes = Mapping[str, Any] | bool


class Cap(NamedTuple):
    """What one tool may answer; None is no cap. `reduce` changes how its answers are cut."""

    max_bytes: int | None = None
    limit: int | None = None
    reduce: Changes | None = None

    def overridden(self, by: "Cap") -> "Cap":
        """Each field from the other where it sets one; the keys of `reduce` one by one."""
        return Cap(
            self.max_bytes if by.max_bytes is None else by.max_bytes,
            self.limit if by.limit is None else by.limit,
            _joined(self.reduce, by.reduce),
        )


def _joined(old: Changes | None, new: Changes | None) -> Changes | None:
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        return {**old, **new}
    return old if new is None else new


class CapRule(NamedTuple):
    """A pattern over tool ids (`*` allowed) and the cap it sets."""

    pattern: str
    cap: Cap


@dataclass(frozen=True)
class AnswerCaps:
    """All rules, the weakest first: a later one overrides, field by field."""

    rules: tuple[CapRule, ...] = ()

    @classmethod
    def of(cls, tools: Mapping[str, Mapping[str, Any] | None]) -> Self:
        """Read the checked `tools:` map."""
        return cls().plus(*(CapRule(pattern, Cap(**(cap or {}))) for pattern, cap in tools.items()))

    def plus(self, *rules: CapRule) -> Self:
        """These and further rules; among equally exact patterns the further ones win."""
        return type(self)(tuple(sorted((*self.rules, *rules), key=_exactness)))

    def cap_for(self, tool_id: str) -> Cap:
        """The cap of one tool, each field from the most exact pattern that sets it."""
        cap = Cap()
        for pattern, set_here in self.rules:
            if fnmatchcase(tool_id, pattern):
                cap = cap.overridden(set_here)
        return cap


def _exactness(rule: CapRule) -> tuple[bool, int]:
    wild = sum(rule.pattern.count(character) for character in "*?[")
    return (wild == 0, len(rule.pattern) - wild)
