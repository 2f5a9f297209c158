"""An input schema and the arguments of a call → nothing, or one sentence that says what is wrong."""

from collections.abc import Mapping
from typing import Any


def complaint(schema: Mapping[str, Any], arguments: Mapping[str, Any]) -> str | None:
    """The most telling violation, with the argument's name in front."""
    # Imported at the first call: 44 ms that a server which is only listed need not spend.
    from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
    from jsonschema.exceptions import best_match  # type: ignore[import-untyped]
    from jsonschema.validators import validator_for  # type: ignore[import-untyped]

    checker = validator_for(schema, default=Draft202012Validator)(schema)
    error = best_match(checker.iter_errors(dict(arguments)))
    if error is None:
        return None
    where = ".".join(str(part) for part in error.absolute_path)
    return f"{where}: {error.message}" if where else str(error.message)
