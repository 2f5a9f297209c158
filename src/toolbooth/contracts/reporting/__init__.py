"""Changes and findings → text for people and programs: one format a file, each of which registers itself."""

from toolbooth.contracts.reporting import github, json, markdown, sarif
from toolbooth.contracts.reporting.counting import count_words, severity_words
from toolbooth.contracts.reporting.entry import Entry, Place, Places, entries_of
from toolbooth.contracts.reporting.places import file_places, lock_places
from toolbooth.contracts.reporting.registry import FORMATS, Format, render
from toolbooth.contracts.reporting.report import Report, ServerTokens, tokens_moved
from toolbooth.contracts.reporting.values import Detail, detail_lines, details, shows_text

__all__ = [
    "FORMATS",
    "Detail",
    "Entry",
    "Format",
    "Place",
    "Places",
    "Report",
    "ServerTokens",
    "count_words",
    "detail_lines",
    "details",
    "entries_of",
    "file_places",
    "github",
    "json",
    "lock_places",
    "markdown",
    "render",
    "sarif",
    "severity_words",
    "shows_text",
    "tokens_moved",
]
