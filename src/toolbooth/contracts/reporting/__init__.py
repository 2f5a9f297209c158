"""Reports of changes and findings, for people and programs. Each format registers itself under its name."""

from toolbooth.contracts.reporting import machine_formats, markdown
from toolbooth.contracts.reporting.details import Detail, detail_lines, details_of, shows_text
from toolbooth.contracts.reporting.locations import file_locations, lock_locations
from toolbooth.contracts.reporting.report import (
    FORMATS,
    ContractReport,
    FileLocation,
    Locations,
    ReportEntry,
    ReportFormat,
    ServerTokens,
    entries_of,
    render,
    severity_words,
    tokens_moved,
)

__all__ = [
    "FORMATS",
    "ContractReport",
    "Detail",
    "FileLocation",
    "Locations",
    "ReportEntry",
    "ReportFormat",
    "ServerTokens",
    "detail_lines",
    "details_of",
    "entries_of",
    "file_locations",
    "lock_locations",
    "machine_formats",
    "markdown",
    "render",
    "severity_words",
    "shows_text",
    "tokens_moved",
]
