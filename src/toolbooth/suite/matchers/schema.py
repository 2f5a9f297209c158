"""`schema`: a value that fits a JSON Schema (2020-12)."""

from typing import Any

from toolbooth.suite.matchers.registry import BadArgument, Fits, matcher


@matcher("schema", "A value that fits this JSON Schema.", {"type": ["object", "boolean"]})
def compile_schema(argument: Any) -> Fits:
    """References are followed within the schema only; nothing is ever fetched."""
    import jsonschema_rs

    if not isinstance(argument, dict | bool):
        raise BadArgument("schema takes a JSON Schema: a map of keywords")
    try:
        judge = jsonschema_rs.Draft202012Validator(
            argument, retriever=_nothing, pattern_options=jsonschema_rs.RegexOptions()
        )
    except (jsonschema_rs.ValidationError, jsonschema_rs.ReferencingError, ValueError) as error:
        raise BadArgument(f"this is no JSON Schema: {str(error).splitlines()[0]}") from None
    return judge.is_valid


def _nothing(address: str) -> Any:
    raise BadArgument(f"a schema may not refer to {address}; nothing is fetched")
