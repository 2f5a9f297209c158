"""A script × the recorded turns of a run → whether they are still the same."""

from collections.abc import Callable, Sequence
from typing import Any

from toolbooth.suite.spec.script import ScriptedTurn, ScriptedUse
from toolbooth.suite.trace import Exchange, Turn

Clean = Callable[[Any], Any]


def keeps_script(script: Sequence[ScriptedTurn], turns: Sequence[Turn], clean: Clean) -> bool:
    """`clean` takes out what recordings do not hold; what comes after the end of the script does not matter."""
    return len(turns) >= len(script) and all(
        _keeps_turn(wanted, turn, clean) for wanted, turn in zip(script, turns, strict=False)
    )


def _keeps_turn(wanted: ScriptedTurn, turn: Turn, clean: Clean) -> bool:
    return (
        clean(wanted.say) == turn.text
        and len(wanted.uses) == len(turn.exchanges)
        and all(_keeps_use(*pair, clean) for pair in zip(wanted.uses, turn.exchanges, strict=True))
    )


def _keeps_use(use: ScriptedUse, exchange: Exchange, clean: Clean) -> bool:
    arguments = clean(dict(use.arguments))
    if use.from_menu:
        return (exchange.tool, exchange.arguments) == (use.name, arguments)
    made = exchange.made[0] if len(exchange.made) == 1 else None
    return made is not None and use.name in (made.name, made.id) and made.arguments == arguments
