"""What the files behind a gateway say now, beside what they said when it was opened."""

from dataclasses import replace
from pathlib import Path

from toolbooth.catalog.load import Sources, Trouble

Stamps = dict[Path, tuple[int, int, int]]


def same(one: Sources, other: Sources) -> bool:
    """Whether both make the same gateway, out of the same files: a missing file is not the same as no file."""
    return _facts(one) == _facts(other)


def _facts(sources: Sources) -> tuple[object, ...]:
    return (
        sources.servers,
        sources.gateway,
        sources.answer_caps,
        sources.read,
        sources.absent,
        sources.looked_at,
    )


def without_catalogs(sources: Sources) -> Sources:
    """A config that has become a list of tools (`[]`, say) is a slip of an editor, not the wish for no server."""
    slips = [path for path in sources.looked_at if f"catalog {path}" in sources.read]
    said = "holds no servers any more; they stay as they were"
    return replace(sources, troubles=(*sources.troubles, *(Trouble(str(path), said) for path in slips)))


def unreadable(sources: Sources) -> bool:
    """Whether a whole file could not be understood; else only entries of it are in trouble, by their names."""
    return any(each.where.startswith(str(path)) for each in sources.troubles for path in sources.looked_at)


def stamps_of(sources: Sources) -> Stamps:
    """The state of each file that is there: when it was written, its size, and which one it is."""
    found = {}
    for path in sources.looked_at:
        try:
            facts = path.stat()
        except OSError:
            continue
        found[path] = (facts.st_mtime_ns, facts.st_size, facts.st_ino)
    return found
