"""TOML → value; a fault keeps its line and column."""

import re
import tomllib
from typing import Final

from toolbooth.catalog.config.syntax.registry import Parsed, SyntaxFault, place, syntax

_PLACE: Final = re.compile(
    r"(?<!\s)\s*+\(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)$"
)


@syntax("toml", ".toml")
def parse_toml(text: str) -> Parsed:
    """Parse TOML with the standard library, whose messages carry the place but never a value."""
    try:
        return Parsed(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise _fault(str(error), text) from None
    except ValueError:
        raise SyntaxFault("broken TOML: a number has too many digits") from None


def _fault(message: str, text: str) -> SyntaxFault:
    found = _PLACE.search(message)
    reason = f"broken TOML: {_PLACE.sub('', message)}"
    if found and found["line"]:
        return SyntaxFault(reason, int(found["line"]), int(found["column"]))
    return SyntaxFault(reason, *place(text, len(text)))
