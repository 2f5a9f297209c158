"""A small book that the tests of the gateway share; its search knows words only, and so needs no table."""

from tests.unit.search.shelf import catalog

from toolbooth.catalog import ServerTools, Tool
from toolbooth.gateway.book import Book
from toolbooth.search import SearchEngine

FORECAST = Tool.from_wire(
    "sky",
    {
        "name": "forecast",
        "description": "Weather of the next days. Needs a city.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "city": {"type": "string", "description": "Where."},
                "days": {"type": "integer", "default": 3},
                "unit": {"enum": ["c", "f"]},
            },
            "required": ["city"],
        },
        "outputSchema": {
            "type": "object",
            "properties": {"low": {"type": "number"}, "text": {"type": "string"}},
        },
    },
)


def shelf() -> Book:
    book = Book([*(each.server for each in catalog().servers), "sky"], make_engine=lambda: SearchEngine(None))
    for each in catalog().servers:
        book.put(each)
    book.put(ServerTools("sky", (FORECAST,)))
    return book
