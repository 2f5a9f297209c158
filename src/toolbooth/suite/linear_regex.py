"""A pattern as text → whether it is found in a text, in time linear in its length."""

from collections.abc import Callable


class NoPattern(ValueError):
    """It cannot be used; the message says why."""


def found_in(pattern: str) -> Callable[[str], bool]:
    """The engine of our JSON Schema validator: it cannot backtrack, so no pattern of a suite can hang a run."""
    import jsonschema_rs

    try:
        judge = jsonschema_rs.Draft202012Validator(
            {"type": "string", "pattern": pattern}, pattern_options=jsonschema_rs.RegexOptions()
        )
    except (jsonschema_rs.ValidationError, ValueError):
        raise NoPattern(
            "this is no pattern that can be used; look-around and back-references are not supported"
        ) from None
    return judge.is_valid
