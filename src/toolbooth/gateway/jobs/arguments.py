"""Arguments of a menu tool as a model sent them → checked values, or one line that says how to call.

Models write `"8"` for 8 and `"true"` for true: what can only mean one thing is taken for it.
"""

from collections.abc import Collection, Mapping
from typing import Any, Final

from toolbooth.errors import WrongArguments
from toolbooth.safetext import for_terminal

_FLAGS: Final = {"true": True, "false": False}
_SHOWN: Final = 60
_HUGE: Final = 1e15  # nothing that is asked for is larger; and no infinity, no NaN
_LONG_NUMBER: Final = 24  # characters


class Arguments:
    """The arguments of one call of `job`."""

    def __init__(self, job: str, given: object, known: Collection[str]) -> None:
        if given is not None and not isinstance(given, Mapping):
            raise WrongArguments(f"{job} takes an object with {', '.join(known)}")
        self._job = job
        self._given: Mapping[str, Any] = given or {}
        self._known = known

    def text(self, name: str, example: str = "") -> str:
        """A text that must be there."""
        value = self.optional_text(name)
        if value:
            return value
        hint = f", as in {self._job}({name}={example})" if example else ""
        strange = [for_terminal(key, _SHOWN) for key in self._given if key not in self._known]
        known = f"; it knows {', '.join(self._known)}, not {', '.join(strange)}" if strange else ""
        raise WrongArguments(f"{self._job} needs `{name}`{hint}{known}")

    def optional_text(self, name: str) -> str | None:
        """A text, or None where there is none."""
        value = self._given.get(name)
        if value is None or (isinstance(value, str) and not value.strip()):
            return None
        if not isinstance(value, str):
            raise self.wrong(name, "text")
        return value

    def whole(self, name: str, default: int, least: int, most: int) -> int:
        """A whole number; one beyond the bounds is taken for the bound."""
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
        """A number above 0; None where there is none."""
        value = self._given.get(name)
        if isinstance(value, str):
            value = _decimal(value)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < _HUGE:
            raise self.wrong(name, "a number above 0")
        return float(value)

    def flag(self, name: str, default: bool) -> bool:
        """True or false."""
        value = self._given.get(name)
        if isinstance(value, str):
            value = _FLAGS.get(value.strip().lower(), value)
        if value is None:
            return default
        if not isinstance(value, bool):
            raise self.wrong(name, "true or false")
        return value

    def one_of(self, name: str, words: Collection[str], default: str) -> str:
        """One of these words."""
        value = self._given.get(name)
        if value is None:
            return default
        if not isinstance(value, str) or value not in words:
            raise self.wrong(name, " or ".join(f'"{word}"' for word in words))
        return value

    def wrong(self, name: str, wanted: str) -> WrongArguments:
        """The line for a value that is not what it should be."""
        return WrongArguments(f"`{name}` of {self._job} must be {wanted}")


def _decimal(text: str) -> float | str:
    try:
        return float(text) if len(text) < _LONG_NUMBER else text
    except ValueError:
        return text


def _number(text: str) -> int | str:
    stripped = text.strip()
    return int(stripped) if stripped.removeprefix("-").isdecimal() and len(stripped) < 12 else text
