"""A local `$ref` and the schema it stands in → the place it points to; nothing is ever fetched."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import unquote

from toolbooth.limits import MAX_REFS


def pointer_parts(ref: str) -> tuple[str, ...] | None:
    """The steps of `#` or `#/a/b`; None for any other kind of reference (an anchor, another document)."""
    if ref == "#":
        return ()
    if not ref.startswith("#/"):
        return None
    return tuple(part.replace("~1", "/").replace("~0", "~") for part in unquote(ref[2:]).split("/"))


def resolve_local(root: Any, ref: Any) -> Any:
    """What a local reference points to, or None where it leads nowhere."""
    parts = pointer_parts(ref) if isinstance(ref, str) else None
    if parts is None:
        return None
    here = root
    for part in parts:
        if isinstance(here, Mapping) and part in here:
            here = here[part]
        elif isinstance(here, Sequence) and not isinstance(here, str) and _index(part, here) is not None:
            here = here[int(part)]
        else:
            return None
    return here


def resolved(root: Any, schema: Any) -> Any:
    """What a schema's local `$ref`, and what that refers to in turn, leads to; None where it leads nowhere."""
    for _ in range(MAX_REFS):
        ref = schema.get("$ref") if isinstance(schema, Mapping) else None
        if not isinstance(ref, str):
            return schema
        schema = resolve_local(root, ref)
    return None


def _index(part: str, items: Sequence[Any]) -> int | None:
    known = part.isascii() and part.isdigit() and len(part) < 10
    return int(part) if known and int(part) < len(items) else None
