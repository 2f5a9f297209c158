"""Tools that went and tools that came on one server → those that are the same under another name."""

from collections import defaultdict
from collections.abc import Iterable

from toolbooth.catalog import Json
from toolbooth.contracts.contract import ToolContract
from toolbooth.contracts.diff.made import mapping
from toolbooth.contracts.digest import digest_of

_OF_THE_NAME = ("name", "title", "icons", "_meta")


def renamed(gone: Iterable[ToolContract], come: Iterable[ToolContract]) -> dict[str, str]:
    """Old names → new ones; only where a definition stands once on each side, or it would be a guess."""
    old, new = _by_definition(gone), _by_definition(come)
    return {
        old[digest][0]: new[digest][0]
        for digest in old
        if len(old[digest]) == 1 and len(new.get(digest, ())) == 1
    }


def _by_definition(tools: Iterable[ToolContract]) -> dict[str, list[str]]:
    found = defaultdict(list)
    for tool in tools:
        found[digest_of(_without_name(tool.wire))].append(tool.name)
    return dict(found)


def _without_name(wire: Json) -> Json:
    kept = {word: value for word, value in wire.items() if word not in _OF_THE_NAME}
    annotations = mapping(wire.get("annotations"))
    return {**kept, "annotations": {word: value for word, value in annotations.items() if word != "title"}}
