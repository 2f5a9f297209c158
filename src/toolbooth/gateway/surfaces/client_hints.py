"""What the menu says of a server's tool for its client, beside what the server said.

Claude Code asks its user before every call of a tool with `anthropic/requiresUserInteraction`, whatever was allowed
before, and it cuts the text of a result only above the tool's own `anthropic/maxResultSizeChars`. Other clients ignore
both.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from toolbooth import limits

MAX_RESULT: Final = "anthropic/maxResultSizeChars"
ASK_USER: Final = "anthropic/requiresUserInteraction"


def for_client(definition: dict[str, Any], *, cut: bool, asks: bool = False) -> dict[str, Any]:
    """The definition with what follows from the settings; `cut`: its answers may be shown in part; `asks`: its
    user is asked before each call.
    """
    meta = _meta(definition.get("_meta"), cut)
    if asks:
        meta[ASK_USER] = True
    changed = {**definition, "_meta": meta} if meta else definition
    return _with_room(changed) if cut else changed


def _meta(said: object, cut: bool) -> dict[str, Any]:
    """An answer that must not be cut here must not be cut there either, unless the server has a limit of its own."""
    limit = {} if cut else {MAX_RESULT: limits.MAX_RESULT_CHARS}
    return {**limit, **(said if isinstance(said, Mapping) else {})}


def _with_room(definition: dict[str, Any]) -> dict[str, Any]:
    """The output schema has room for what is said of the rest."""
    from toolbooth.gateway.reduce.output_shape import listed_schema  # imports the protocol SDK

    schema = definition.get("outputSchema")
    listed = listed_schema(schema) if isinstance(schema, Mapping) else schema
    return definition if listed is schema else {**definition, "outputSchema": listed}


def destroys(hints: Iterable[Mapping[str, Any]]) -> bool:
    """Whether the server says so or said so when it was approved; one that says nothing is not taken to."""
    return any(each.get("destructiveHint") is True for each in hints)
