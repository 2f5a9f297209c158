"""A trace: what an agent did in one run. Cassettes, scoring and reports all use it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from math import fsum
from typing import Any, Final, Literal

Ended = Literal["done", "max_turns", "error", "refused"]


@dataclass(frozen=True)
class MadeCall:
    """One call of a real tool, through any surface; `server` is empty if it is unknown."""

    name: str
    server: str = ""
    arguments: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def id(self) -> str:
        """`server.name`, or `name`."""
        return f"{self.server}.{self.name}" if self.server else self.name

    @property
    def observed(self) -> dict[str, str]:
        """The form that scoring reads."""
        return {"server": self.server, "name": self.name}


@dataclass(frozen=True)
class Exchange:
    """A menu tool that the model called, its result, and the real calls that were made for it."""

    tool: str
    arguments: Mapping[str, Any] = field(hash=False)
    result: str = ""
    is_error: bool = False
    made: tuple[MadeCall, ...] = ()


@dataclass(frozen=True)
class Usage:
    """Tokens of one model call. `counted` means that we counted them, because the provider reported none."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0
    counted: bool = False


@dataclass(frozen=True)
class Turn:
    """One model call: its text and tool calls. `cost` is None if it was free or its price is unknown."""

    text: str = ""
    exchanges: tuple[Exchange, ...] = ()
    usage: Usage = Usage()
    cost: float | None = None


@dataclass(frozen=True)
class Trace:
    """One run from the prompt to its end. `error` is one clean line if the run did not finish by itself.

    `menu` and `catalog` are the content hashes of what the model saw and of the tools behind it. `made_at` is when
    the run began (UTC, to the second), `made_by` the version of Toolbooth; both are empty if unknown.
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
        """The calls as scoring reads them; a run with an error counts as a run without calls."""
        return [] if self.failed else [call.observed for call in self.calls]

    @property
    def failed(self) -> bool:
        """Whether the run ended with an error or a refusal."""
        return self.ended in ("error", "refused")

    @property
    def final_response(self) -> str:
        """The text of the last turn."""
        return self.turns[-1].text if self.turns else ""

    @property
    def input_tokens(self) -> int:
        """Tokens sent to the model, over all turns."""
        return sum(turn.usage.input for turn in self.turns)

    @property
    def total_tokens(self) -> int:
        """Input and output tokens, over all turns."""
        return sum(turn.usage.input + turn.usage.output for turn in self.turns)

    @property
    def cost(self) -> float | None:
        """Dollars; None for a free run."""
        return summed(turn.cost for turn in self.turns)


def summed(costs: "Sequence[float | None] | Any") -> float | None:
    """The sum of the known costs; None if none is known."""
    known = [cost for cost in costs if cost is not None]
    return fsum(known) if known else None


REDACTED: Final = "[redacted]"
