"""`regex`: a pattern somewhere in a text, found in linear time."""

from typing import Any

from toolbooth.suite.matchers.registry import BadArgument, Fits, matcher


@matcher(
    "regex", "A text in which this pattern is found (no look-around, no back-references).", {"type": "string"}
)
def compile_regex(argument: Any) -> Fits:
    """The engine of our JSON Schema validator: it cannot backtrack, so no pattern of a suite can hang a run."""
    import jsonschema_rs

    if not isinstance(argument, str):
        raise BadArgument("regex takes a pattern as text")
    try:
        judge = jsonschema_rs.Draft202012Validator(
            {"type": "string", "pattern": argument}, pattern_options=jsonschema_rs.RegexOptions()
        )
    except (jsonschema_rs.ValidationError, ValueError):
        raise BadArgument(
            "this is no pattern that can be used; look-around and back-references are not supported"
        ) from None
    return judge.is_valid
