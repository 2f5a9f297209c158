"""`tool_info`: a tool's name → how to call it, or its definition as the server sent it."""

from collections.abc import Mapping
from typing import Any, Final

from toolbooth.catalog import Tool
from toolbooth.errors import WrongArguments
from toolbooth.gateway.book import Book
from toolbooth.gateway.jobs.arguments import Arguments
from toolbooth.gateway.jobs.job import TEXT, Job, choice
from toolbooth.gateway.texts.faults import not_found
from toolbooth.gateway.texts.tool_text import definition_text, wire_text

NAME: Final = "tool_info"
_DETAILS: Final = ("brief", "full")
_PARAMETERS: Final = {"name": TEXT, "detail": choice(*_DETAILS)}


def answer(book: Book, given: Mapping[str, Any]) -> str:
    """Brief: signature and a line a parameter; full: the wire object."""
    arguments = Arguments(NAME, given, _PARAMETERS)
    name = arguments.text("name", '"server.tool"')
    detail = arguments.one_of("detail", _DETAILS, "brief")
    found = book.find(name)
    if not isinstance(found, Tool):
        raise WrongArguments(not_found(found))
    return definition_text(found) if detail == "brief" else wire_text(found)


JOB: Final = Job(
    NAME,
    "How to call one tool. detail full: its definition as the server sent it.",
    _PARAMETERS,
    ("name",),
    answer=answer,
)
