"""Words of a conversation → tokens: what a model call sends, where no provider tells it."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from toolbooth.suite.agents.talk import Opening, Reply, ToolResult
from toolbooth.tokens import count, weigh


class Conversation:
    """Grows with each turn; every model call carries all that was said before it."""

    def __init__(self, opening: Opening) -> None:
        self.surface = menu_tokens(opening.menu)
        self.tokens = self.surface + count(opening.system_prompt) + count(opening.prompt)

    def said(self, reply: Reply, results: Sequence[ToolResult]) -> None:
        """Take in a turn."""
        self.tokens += output_tokens(reply) + sum(count(each.text) for each in results)


def menu_tokens(menu: Sequence[Mapping[str, Any]]) -> int:
    """What a menu weighs, by the one rule of counting."""
    return weigh(list(menu)).total_tokens


def output_tokens(reply: Reply) -> int:
    """What the model wrote."""
    written = (
        f"{use.name}{json.dumps(use.arguments, ensure_ascii=False, default=str)}" for use in reply.uses
    )
    return count(reply.text) + sum(map(count, written))
