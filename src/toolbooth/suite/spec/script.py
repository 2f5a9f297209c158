"""The `script:` of a test: the turns of the key-free model `scripted`."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from toolbooth.catalog.config import Document
from toolbooth.catalog.config.key_table import (
    FILLED,
    Each,
    Items,
    Key,
    KeyPath,
    KeyRule,
    Keys,
    Schema,
    dotted,
)

_EITHER: Final = frozenset({"call", "use"})
_ANYTHING: Final = {"type": ["string", "number", "boolean", "object", "array", "null"]}


class _Free:
    """Any value: the tool itself checks its arguments."""

    def check(self, document: Document, value: object, at: KeyPath) -> None:
        """Accepts everything."""

    def schema(self) -> Schema:
        return dict(_ANYTHING)


@dataclass(frozen=True)
class ScriptedUse:
    """A call of a real tool (`call`), or of a tool of the menu (`use`)."""

    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict, hash=False)
    from_menu: bool = False


@dataclass(frozen=True)
class ScriptedTurn:
    """The text and the calls of one turn."""

    say: str = ""
    uses: tuple[ScriptedUse, ...] = ()


_ONE: Final = {
    "call": Key(FILLED, "A real tool, as `server.tool` or by its name, which is called on any surface."),
    "use": Key(FILLED, "A tool of the surface's menu, such as search_tools."),
    "args": Key(Each(_Free()), "Its arguments."),
}


class _Step:
    """A tool's name alone, or a map."""

    def __init__(self, keys: Keys) -> None:
        self._keys = keys

    def check(self, document: Document, value: object, at: KeyPath) -> None:
        if isinstance(value, str):
            FILLED.check(document, value, at)
            return
        self._keys.check(document, value, at)
        given = value if isinstance(value, Mapping) else {}
        if given.keys() >= _EITHER:
            raise document.mistake(
                f"{dotted(at)} has both `call` and `use`; move one of them to `calls:`", at
            )
        if not (_EITHER | {"say", "calls"}) & given.keys():
            raise document.mistake(f"{dotted(at)} needs `call: server.tool`, `use:`, `calls:` or `say:`", at)

    def schema(self) -> Schema:
        words = [{"required": [key]} for key in self._keys.table if key != "args"]
        both = {"required": sorted(_EITHER)}
        step = {**self._keys.schema(), "type": "object", "anyOf": words, "not": both}
        return {"anyOf": [FILLED.schema(), step]}


SCRIPT: Final[KeyRule] = Items(
    _Step(
        Keys(
            {
                **_ONE,
                "say": Key(FILLED, "What the model says in this turn."),
                "calls": Key(Items(_Step(Keys(_ONE))), "Several calls at once."),
            }
        )
    )
)


def read_script(value: Any) -> tuple[ScriptedTurn, ...]:
    """The value has been checked."""
    return tuple(_turn(step) for step in value or ())


def _turn(step: Any) -> ScriptedTurn:
    if isinstance(step, str):
        return ScriptedTurn("", (ScriptedUse(step),))
    uses = [_use(each) for each in step.get("calls") or ()]
    if "call" in step or "use" in step:
        uses.insert(0, _use(step))
    return ScriptedTurn(step.get("say", ""), tuple(uses))


def _use(step: Any) -> ScriptedUse:
    if isinstance(step, str):
        return ScriptedUse(step)
    return ScriptedUse(step.get("call") or step["use"], step.get("args") or {}, "use" in step)
