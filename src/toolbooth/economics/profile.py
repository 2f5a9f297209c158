"""The data of a static profile: what one answer of a tool may cost, field by field."""

from dataclasses import dataclass
from typing import Self

from toolbooth.economics.risk import Risk


class Recommendation(str):
    """What to do, as text; knows the rule it comes from and, in a summary, the tool it is for."""

    __slots__ = ("rule", "tool")
    rule: str
    tool: str

    def __new__(cls, message: str, rule: str, tool: str = "") -> Self:
        made = super().__new__(cls, f"[{tool}] {message}" if tool else message)
        made.rule, made.tool = rule, tool
        return made

    @property
    def message(self) -> str:
        """The text itself."""
        return str(self)

    def of_tool(self, tool: str) -> "Recommendation":
        """The same advice with its tool in front, as a summary lists it."""
        return Recommendation(str(self), self.rule, tool)


@dataclass(frozen=True)
class FieldCost:
    """One field of an answer, with its estimated tokens."""

    name: str
    tokens: int
    collection: bool


@dataclass(frozen=True)
class StaticProfile:
    """The least and the most that an answer of a tool is estimated to cost, and what bounds it."""

    tool_name: str
    min_tokens: int
    max_tokens: int
    bounded: bool
    risk: Risk
    fields: tuple[FieldCost, ...]
    agent_limit: int | None = None
    egress_max_bytes: int | None = None
    recommendations: tuple[Recommendation, ...] = ()
