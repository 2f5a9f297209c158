"""What an agent did in one run: the one shape behind cassettes, scoring and reports."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from math import fsum
from typing import Any, Literal

Ended = Literal["done", "max_turns", "error", "refused"]


@dataclass(frozen=True)
class MadeCall:
    """One call of a real tool, whatever surface it went through; `server` is empty where none is known."""

    name: str
    server: str = ""
    arguments: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def id(self) -> str:
        """`server.name`, or `name`."""
        return f"{self.server}.{self.name}" if self.server else self.name

    @property
    def observed(self) -> dict[str, str]:
        """As scoring reads it."""
        return {"server": self.server, "name": self.name}


@dataclass(frozen=True)
class Exchange:
    """A tool of the menu that the model used, what it was told, and the real calls that this came to."""

    tool: str
    arguments: Mapping[str, Any] = field(hash=False)
    result: str = ""
    is_error: bool = False
    made: tuple[MadeCall, ...] = ()


@dataclass(frozen=True)
class Usage:
    """Tokens of one model call. `counted` says that they are ours, since no provider told any."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0
    counted: bool = False


@dataclass(frozen=True)
class Turn:
    """One model call: what it said and used. `cost` is None where it was free or no price is known."""

    text: str = ""
    exchanges: tuple[Exchange, ...] = ()
    usage: Usage = Usage()
    cost: float | None = None


@dataclass(frozen=True)
class Trace:
    """One run from the prompt to its end. `error` is one clean line where the run did not come to an end of its own.

    `menu` and `catalog` are the content hashes of what the model saw and of the tools behind it. `made_at` is when
    the run began (UTC, to the second), `made_by` the version of Toolbooth that ran it; both empty where nobody told.
    """

    prompt: str = ""
    system_prompt: str = ""
    model: str = ""
    surface: str = "direct"
    menu: str = ""
    catalog: str = ""
    turns: tuple[Turn, ...] = ()
    ended: Ended = "done"
    error: str = ""
    seconds: float = 0.0
    made_at: str = ""
    made_by: str = ""

    @property
    def calls(self) -> tuple[MadeCall, ...]:
        """Every real call, in order."""
        exchanges = chain.from_iterable(turn.exchanges for turn in self.turns)
        return tuple(chain.from_iterable(each.made for each in exchanges))

    @property
    def observed(self) -> list[dict[str, str]]:
        """The calls as scoring reads them; a run that errored counts as an empty one."""
        return [] if self.failed else [call.observed for call in self.calls]

    @property
    def failed(self) -> bool:
        """Whether it ended by a fault or a refusal, and not by what the agent did."""
        return self.ended in ("error", "refused")

    @property
    def final_response(self) -> str:
        """The text of the last turn."""
        return self.turns[-1].text if self.turns else ""

    @property
    def input_tokens(self) -> int:
        """Sent to the model, over all turns."""
        return sum(turn.usage.input for turn in self.turns)

    @property
    def total_tokens(self) -> int:
        """Both ways."""
        return sum(turn.usage.input + turn.usage.output for turn in self.turns)

    @property
    def cost(self) -> float | None:
        """Dollars; None for a free run."""
        return summed(turn.cost for turn in self.turns)


def summed(costs: "Sequence[float | None] | Any") -> float | None:
    """The sum of what is known; None where nothing is."""
    known = [cost for cost in costs if cost is not None]
    return fsum(known) if known else None
