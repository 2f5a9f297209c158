"""JSON pointers and the local references that are made of them. Nothing is ever fetched."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final
from urllib.parse import quote, unquote

from toolbooth import limits

_PLAIN_IN_FRAGMENTS: Final = "~!$&'()*+,;=:@"

Path = tuple[str, ...]
"""The steps of a pointer, unescaped."""


def escaped(step: str) -> str:
    """One step as it stands in a pointer."""
    return step.replace("~", "~0").replace("/", "~1")


def unescaped(step: str) -> str:
    """One step of a pointer as the name that it stands for."""
    return step.replace("~1", "/").replace("~0", "~")


def pointer(path: Iterable[str | int]) -> str:
    """`/a/b` for a path; empty for the whole."""
    return "".join(f"/{escaped(str(step))}" for step in path)


def path_of(place: str) -> Path:
    """The steps of a pointer such as `/a/b`; none for the whole."""
    return tuple(map(unescaped, place.split("/")[1:]))


def reference(path: Path) -> str:
    """`#/a/b` for a path, as `$ref` writes it: escaped for a pointer and for a URI fragment."""
    return "#" + "".join("/" + quote(escaped(step), safe=_PLAIN_IN_FRAGMENTS) for step in path)


def pointer_parts(ref: str) -> Path | None:
    """The steps of `#` or `#/a/b`; None for any other kind of reference (an anchor, another document)."""
    if ref == "#":
        return ()
    if not ref.startswith("#/"):
        return None
    return tuple(unescaped(part) for part in unquote(ref[2:]).split("/"))


def resolve_path(root: Any, path: Path) -> Any:
    """What stands at a path, or None where it leads nowhere."""
    here = root
    for step in path:
        if isinstance(here, Mapping) and step in here:
            here = here[step]
        elif isinstance(here, Sequence) and not isinstance(here, str) and _index(step, here) is not None:
            here = here[int(step)]
        else:
            return None
    return here


def resolve_local(root: Any, ref: Any) -> Any:
    """What a local reference points to, or None where it leads nowhere."""
    path = pointer_parts(ref) if isinstance(ref, str) else None
    return None if path is None else resolve_path(root, path)


def resolved(root: Any, schema: Any) -> Any:
    """What a schema's local `$ref`, and what that refers to in turn, leads to; None where it leads nowhere."""
    for _ in range(limits.MAX_REFS):
        ref = schema.get("$ref") if isinstance(schema, Mapping) else None
        if not isinstance(ref, str):
            return schema
        schema = resolve_local(root, ref)
    return None


def _index(step: str, items: Sequence[Any]) -> int | None:
    known = step.isascii() and step.isdigit() and len(step) < 10
    return int(step) if known and int(step) < len(items) else None
