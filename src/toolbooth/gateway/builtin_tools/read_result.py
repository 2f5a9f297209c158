"""`read_result`: a part of a result that was too long to be shown whole, selected by a path, a query or lines."""

from collections.abc import Mapping
from typing import Any, Final

from toolbooth.gateway.builtin_tools.definition import NUMBER, TEXT, BuiltinArguments, BuiltinTool
from toolbooth.gateway.results import ReadRequest, ResultStore
from toolbooth.gateway.results import read as read_kept
from toolbooth.limits import MAX_LINE_NUMBER, READ_BYTES

NAME: Final = "read_result"
_PARAMETERS: Final = {"ref": TEXT, "path": TEXT, "query": TEXT, "start": NUMBER, "lines": NUMBER}
_QUOTES: Final = "' \"\n"  # some models pass them along with the ref
_ALSO: Final = ("max_bytes",)
_KNOWN: Final = (*_PARAMETERS, *_ALSO)


def read(store: ResultStore, session: str, given: Mapping[str, Any], cap: int) -> str:
    """The requested part in at most `cap` bytes; a ref that is unknown to this session raises `WrongArguments`."""
    return read_kept(store, session, read_request(given, cap))


def read_request(given: Mapping[str, Any], cap: int) -> ReadRequest:
    """The arguments of one call; without a size of its own the answer is short."""
    arguments = BuiltinArguments(NAME, given, _KNOWN)
    most = min(READ_BYTES, cap)
    return ReadRequest(
        ref=arguments.text("ref", '"…"').strip(_QUOTES),
        path=(arguments.optional_text("path") or "").strip(),
        query=(arguments.optional_text("query") or "").strip(),
        start=arguments.whole("start", 1, 1, MAX_LINE_NUMBER),
        lines=arguments.whole("lines", 0, 1, MAX_LINE_NUMBER) or None,
        max_bytes=arguments.whole("max_bytes", most, 0, cap),
    )


READ_RESULT: Final = BuiltinTool(
    NAME,
    "Read more of a cut answer by its ref: a JMESPath, a search, or lines.",
    _PARAMETERS,
    ("ref",),
    also=_ALSO,
)
