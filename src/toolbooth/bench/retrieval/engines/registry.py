"""The register of engines: a name → what searches a catalog."""

from collections.abc import Callable
from difflib import get_close_matches
from typing import NamedTuple

from toolbooth.bench.score import Search
from toolbooth.catalog import Catalog
from toolbooth.errors import UserMistake
from toolbooth.safetext import for_terminal

Make = Callable[[Catalog, str], Search]


class EngineKind(NamedTuple):
    """One engine: its name, what it is, and what stands behind a colon (`onnx:PATH`; empty: nothing)."""

    name: str
    says: str
    takes: str
    make: Make


class Engine(NamedTuple):
    """An engine as a user named it, ready for any catalog."""

    name: str
    kind: EngineKind
    given: str

    def over(self, catalog: Catalog) -> Search:
        """Its search function: a query → at most ten ids, the best first; none is a rejection."""
        return self.kind.make(catalog, self.given)


ENGINES: dict[str, EngineKind] = {}


def engine(name: str, says: str, takes: str = "") -> Callable[[Make], Make]:
    """Register an engine under its name."""

    def register(make: Make) -> Make:
        ENGINES[name] = EngineKind(name, says, takes, make)
        return make

    return register


def engine_named(text: str) -> Engine:
    """`bm25`, `onnx:PATH` → the engine; raises UserMistake naming the nearest one."""
    name, colon, given = text.partition(":")
    kind = ENGINES.get(name)
    if kind is None:
        raise UserMistake(f'there is no engine "{for_terminal(text, 60)}"; {_nearest(name)}')
    if kind.takes and not given:
        raise UserMistake(f"engine {name} needs {kind.takes} behind a colon, as in {_spelled(kind)}")
    if colon and not kind.takes:
        raise UserMistake(f"engine {name} takes nothing behind a colon")
    return Engine(text, kind, given)


def _nearest(name: str) -> str:
    near = get_close_matches(name.lower(), ENGINES, n=1)
    if near:
        return f"did you mean {_spelled(ENGINES[near[0]])}?"
    return f"there are {', '.join(_spelled(ENGINES[each]) for each in sorted(ENGINES))}"


def _spelled(kind: EngineKind) -> str:
    return f"{kind.name}:{kind.takes}" if kind.takes else kind.name
