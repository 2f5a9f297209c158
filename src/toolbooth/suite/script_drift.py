"""A script × the recorded turns of a run → whether they are still the same."""

from collections.abc import Iterator, Sequence
from typing import Any

from toolbooth.catalog import canonical
from toolbooth.suite.cassette import same_but_redacted
from toolbooth.suite.spec.script import ScriptedTurn, ScriptedUse
from toolbooth.suite.trace import Exchange, Turn


def keeps_script(script: Sequence[ScriptedTurn], turns: Sequence[Turn], most: int) -> bool:
    """A run ends with the first turn that calls nothing: the script's own, or an empty one behind it."""
    wanted = list(_until_the_end(script))[:most]
    return len(turns) == len(wanted) and all(_keeps_turn(*pair) for pair in zip(wanted, turns, strict=True))


def _until_the_end(script: Sequence[ScriptedTurn]) -> Iterator[ScriptedTurn]:
    for turn in (*script, ScriptedTurn()):
        yield turn
        if not turn.uses:
            return


def _keeps_turn(wanted: ScriptedTurn, turn: Turn) -> bool:
    return (
        same_but_redacted(turn.text, wanted.say)
        and len(wanted.uses) == len(turn.exchanges)
        and all(_keeps_use(*pair) for pair in zip(wanted.uses, turn.exchanges, strict=True))
    )


def _keeps_use(use: ScriptedUse, exchange: Exchange) -> bool:
    if use.from_menu:
        return exchange.tool == use.name and _same(exchange.arguments, use.arguments)
    made = exchange.made[0] if len(exchange.made) == 1 else None
    return made is not None and use.name in (made.name, made.id) and _same(made.arguments, use.arguments)


def _same(recorded: Any, wanted: Any) -> bool:
    return same_but_redacted(canonical(recorded), canonical(wanted))
