"""What the loop needs of a model: a talk that is opened with a prompt and a menu, and goes on with results."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from toolbooth.suite.trace import Usage


class ToolUse(NamedTuple):
    """A model wants this tool of the menu called. A `problem` is its answer instead of a call."""

    id: str
    name: str
    arguments: Mapping[str, Any]
    problem: str = ""


class ToolResult(NamedTuple):
    """What came of it."""

    id: str
    name: str
    text: str
    is_error: bool = False


@dataclass(frozen=True)
class Reply:
    """One model call. `usage` is None where nobody told it; `only_picks` leaves the calls unmade: the choice is all."""

    text: str = ""
    uses: tuple[ToolUse, ...] = ()
    usage: Usage | None = None
    cost: float | None = None
    only_picks: bool = False


@dataclass(frozen=True)
class Opening:
    """All that a model sees first. `menu` are tools as MCP writes them: name, description, inputSchema.

    `ids` are for key-free models alone: `server.tool` → the name in the menu of those that stand there themselves.
    """

    prompt: str
    system_prompt: str = ""
    menu: tuple[Mapping[str, Any], ...] = field(default=(), hash=False)
    run: int = 1
    ids: Mapping[str, str] = field(default_factory=dict, hash=False)


class Talk(Protocol):
    """One run's conversation with a model."""

    async def reply(self, results: Sequence[ToolResult]) -> Reply:
        """The next turn; `results` are those of the last one's calls, none at first. Raises ProviderFault."""
        ...


class Model(Protocol):
    """A model that can be talked to; opened once for a suite, and closed with it."""

    def talk(self, opening: Opening) -> Talk: ...

    def price(self, input_tokens: int, output_tokens: int) -> float | None:
        """Dollars for so many tokens; None for a model that costs nothing. Raises UnknownModel."""
        ...

    async def close(self) -> None: ...
