"""The interface between the agent loop and a model.

A conversation opens with a prompt and a menu of tools, and continues with the results of tool calls.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from toolbooth.suite.trace import Usage


class ToolUse(NamedTuple):
    """A call that the model asks for. If there is a `problem`, it is the answer, and no call is made."""

    id: str
    name: str
    arguments: Mapping[str, Any]
    problem: str = ""


class ToolUseResult(NamedTuple):
    """The result of a `ToolUse`."""

    id: str
    name: str
    text: str
    is_error: bool = False


@dataclass(frozen=True)
class Reply:
    """One model call. `usage` is None if it is unknown. With `only_picks` the calls are not made, only scored."""

    text: str = ""
    uses: tuple[ToolUse, ...] = ()
    usage: Usage | None = None
    cost: float | None = None
    only_picks: bool = False


@dataclass(frozen=True)
class Opening:
    """All that a model sees first. `menu` has tools in MCP form: name, description, inputSchema.

    `ids` is only for key-free models: it maps `server.tool` to its name in the menu, if the menu shows that tool.
    """

    prompt: str
    system_prompt: str = ""
    menu: tuple[Mapping[str, Any], ...] = field(default=(), hash=False)
    run: int = 1
    ids: Mapping[str, str] = field(default_factory=dict, hash=False)


class Conversation(Protocol):
    """One run's conversation with a model."""

    async def reply(self, results: Sequence[ToolUseResult]) -> Reply:
        """The next turn; `results` answer the calls of the previous turn. Raises ProviderFault."""
        ...


class Model(Protocol):
    """A model, opened once per suite and closed with it."""

    def conversation(self, opening: Opening) -> Conversation: ...

    def price(self, input_tokens: int, output_tokens: int) -> float | None:
        """Dollars for this many tokens; None for a free model. Raises UnknownModel."""
        ...

    async def close(self) -> None: ...
