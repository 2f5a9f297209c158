"""One built-in tool: its definition, and the arguments of a call as checked values.

Models write `"8"` for 8 and `"true"` for true: a value that can mean only one thing is accepted. Anything
else is answered with one line that says how to call.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from toolbooth import errors, safetext
from toolbooth.gateway.client_meta import always_loaded
from toolbooth.gateway.tool_registry import ToolRegistry

TEXT: Final[Mapping[str, Any]] = {"type": "string"}
NUMBER: Final[Mapping[str, Any]] = {"type": "integer"}
FLAG: Final[Mapping[str, Any]] = {"type": "boolean"}
_SHOWN: Final = 5
OBJECT: Final[Mapping[str, Any]] = {"type": "object"}


def choice(*values: str) -> dict[str, Any]:
    """The schema of a choice among words."""
    return {"enum": list(values)}


Answer = Callable[[ToolRegistry, Mapping[str, Any]], str]


@dataclass(frozen=True)
class BuiltinTool:
    """A tool of the menu. `answer` is None if it needs more than the tool registry: then the gateway answers.

    Wrong arguments raise `WrongArguments`.
    """

    name: str
    description: str
    parameters: Mapping[str, Mapping[str, Any]] = field(hash=False)
    required: tuple[str, ...] = ()
    read_only: bool = True
    destroys: bool | None = None  # None says nothing, and a client takes it for true
    answer: Answer | None = None
    also: tuple[
        str, ...
    ] = ()  # arguments that are accepted, but are not worth their tokens in the definition

    def unknown(self, given: Iterable[str]) -> list[str]:
        """Arguments that would have no effect."""
        return [key for key in given if key not in self.parameters and key not in self.also]

    def ignored(self, unknown: Sequence[str]) -> str:
        """A note on ignored arguments. Some clients add arguments of their own to every call, so it is not a
        refusal.
        """
        names = ", ".join(f"`{safetext.for_terminal(key, 60)}`" for key in unknown[:_SHOWN])
        more = f" and {len(unknown) - _SHOWN} more" if len(unknown) > _SHOWN else ""
        return f"note: {self.name} has no {names}{more}: ignored. It takes {', '.join(self.parameters)}."

    @cached_property
    def definition(self) -> dict[str, Any]:
        """The entry of `tools/list`; hints and `_meta` are for the client, and no model reads them."""
        schema: dict[str, Any] = {"type": "object", "properties": dict(self.parameters)}
        if self.required:
            schema["required"] = list(self.required)
        definition: dict[str, Any] = {
            "name": self.name,
            "description": self.description,
            "inputSchema": schema,
        }
        if self.read_only:
            definition["annotations"] = {"readOnlyHint": True}
        elif self.destroys is not None:
            definition["annotations"] = {"readOnlyHint": False, "destructiveHint": self.destroys}
        return always_loaded(definition)


_FLAGS: Final = {"true": True, "false": False}
_SHOWN_KEY: Final = 60
_HUGE: Final = 1e15  # no sensible value is larger; excludes infinity and NaN
_LONG_NUMBER: Final = 24  # characters


class BuiltinArguments:
    """The arguments of one call of `tool`."""

    def __init__(self, tool: str, given: object, known: Collection[str]) -> None:
        if given is not None and not isinstance(given, Mapping):
            raise errors.WrongArguments(f"{tool} takes an object with {', '.join(known)}")
        self._tool = tool
        self._given: Mapping[str, Any] = given or {}
        self._known = known

    def text(self, name: str, example: str = "") -> str:
        """A required text argument."""
        value = self.optional_text(name)
        if value:
            return value
        hint = f", as in {self._tool}({name}={example})" if example else ""
        unknown = [safetext.for_terminal(key, _SHOWN_KEY) for key in self._given if key not in self._known]
        known = f"; it takes {', '.join(self._known)}, not {', '.join(unknown)}" if unknown else ""
        raise errors.WrongArguments(f"{self._tool} needs `{name}`{hint}{known}")

    def optional_text(self, name: str) -> str | None:
        """A text, or None if it is missing."""
        value = self._given.get(name)
        if value is None or (isinstance(value, str) and not value.strip()):
            return None
        if not isinstance(value, str):
            raise self.wrong(name, "text")
        return value

    def whole(self, name: str, default: int, least: int, most: int) -> int:
        """A whole number; one beyond the bounds is replaced by the bound."""
        value = self._given.get(name)
        if value is None:
            return default
        if isinstance(value, str):
            value = _number(value)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool):
            raise self.wrong(name, "a whole number")
        return min(max(value, least), most)

    def positive(self, name: str) -> float | None:
        """A number above 0; None if it is missing."""
        value = self._given.get(name)
        if isinstance(value, str):
            value = _decimal(value)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < _HUGE:
            raise self.wrong(name, "a number above 0")
        return float(value)

    def flag(self, name: str, default: bool) -> bool:
        """A boolean argument."""
        value = self._given.get(name)
        if isinstance(value, str):
            value = _FLAGS.get(value.strip().lower(), value)
        if value is None:
            return default
        if not isinstance(value, bool):
            raise self.wrong(name, "true or false")
        return value

    def one_of(self, name: str, words: Collection[str], default: str) -> str:
        """An argument that is one of these words."""
        value = self._given.get(name)
        if value is None:
            return default
        if not isinstance(value, str) or value not in words:
            raise self.wrong(name, " or ".join(f'"{word}"' for word in words))
        return value

    def wrong(self, name: str, wanted: str) -> errors.WrongArguments:
        """The error for a value that is not of the wanted kind."""
        return errors.WrongArguments(f"`{name}` of {self._tool} must be {wanted}")


def _decimal(text: str) -> float | str:
    try:
        return float(text) if len(text) < _LONG_NUMBER else text
    except ValueError:
        return text


def _number(text: str) -> int | str:
    stripped = text.strip()
    return int(stripped) if stripped.removeprefix("-").isdecimal() and len(stripped) < 12 else text
