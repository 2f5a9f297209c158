"""The ledger of this user and recorded calls → what was seen of answers, by tool, and what is to be said of it."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from toolbooth.catalog import Catalog
from toolbooth.economics import Seen, Thresholds, assign, measured_sizes, seen_of
from toolbooth.errors import NothingToWeigh

if TYPE_CHECKING:
    from toolbooth.cli.profile_answers import Recorded

_NAMED = 5


class Sightings(NamedTuple):
    """By tool id."""

    by_tool: dict[str, Seen]
    notes: tuple[str, ...] = ()


def from_ledger(catalog: Catalog, thresholds: Thresholds, since: float | None) -> Sightings:
    """What the gateway measured on this machine; a ledger that cannot be read is a note, and no reason to stop."""
    from toolbooth.catalog.config import data_folder
    from toolbooth.gateway.ledger.reader import LedgerReader

    try:
        sizes = LedgerReader(data_folder(Path.home(), os.environ, sys.platform)).answers(since)
    except NothingToWeigh as error:
        return Sightings({}, (f"nothing measured by the gateway is used: {error}",))
    known = {tool.id for tool in catalog}
    found = {
        tool: Seen(measured_sizes("ledger", each.pairs, thresholds, each.worst_after, exact=each.exact))
        for tool, each in sizes.items()
        if tool in known
    }
    return Sightings(found)


def from_answers(catalog: Catalog, thresholds: Thresholds, paths: Sequence[Path]) -> Sightings:
    """What recorded calls tell."""
    from toolbooth.cli.profile_answers import read_answers

    recorded = read_answers(paths, [server.server for server in catalog.servers])
    assigned = assign(recorded.answers, catalog)
    found = {tool: seen_of(answers, tool, thresholds) for tool, answers in assigned.by_tool.items()}
    notes = [
        f"answers of {old} are taken for those of {new}: it alone has these tools and is called alike"
        for old, new in assigned.taken_for.items()
    ]
    if assigned.strangers:
        notes.append(f"recorded, but not a tool here: {_listed(assigned.strangers)}")
    notes += _of_others(recorded)
    return Sightings(found, tuple(notes))


def _of_others(recorded: "Recorded") -> list[str]:
    names = [path.name for path in recorded.others]
    return [f"no recorded answers in {_listed(names)}"] if names else []


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more
