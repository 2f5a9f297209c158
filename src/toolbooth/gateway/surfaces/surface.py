"""What a client sees: our own menu tools, backend tools under their public names, and the list of both."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Final

from toolbooth.catalog import Tool
from toolbooth.catalog.config import OFFERED_SURFACES
from toolbooth.errors import UserMistake
from toolbooth.gateway.book import Book
from toolbooth.gateway.jobs import Job
from toolbooth.gateway.served import served_definition
from toolbooth.gateway.surfaces.slimmed import slim_definition
from toolbooth.safetext import for_terminal

if TYPE_CHECKING:
    from toolbooth.catalog.config import GatewaySettings


@dataclass(frozen=True)
class Surface:
    """`jobs` by name, then `tools` by public name: the order of the menu, the same every time.

    `notes` say what could not be done as the settings want it.
    """

    name: str
    jobs: Mapping[str, Job] = field(default_factory=dict)
    tools: Mapping[str, Tool] = field(default_factory=dict)
    slim: bool = True
    notes: tuple[str, ...] = ()

    def menu(self, *, legacy: bool = False) -> Iterator[dict[str, Any]]:
        """The entries of `tools/list`, as clients of this era accept them."""
        for job in self.jobs.values():
            yield job.definition
        for name, tool in self.tools.items():
            definition = served_definition(tool, legacy=legacy)
            yield {**(slim_definition(tool, definition) if self.slim else definition), "name": name}


Builder = Callable[[Book, "GatewaySettings"], Surface]
BUILDERS: dict[str, Builder] = {}
_COMPARED: Final = 2_000  # names that a slip is compared with: some 20 ms
OFFERED: Final = ", ".join(OFFERED_SURFACES[:-1]) + f" or {OFFERED_SURFACES[-1]}"


def surface(name: str) -> Callable[[Builder], Builder]:
    """Registers the builder of a surface under its name."""

    def register(builder: Builder) -> Builder:
        BUILDERS[name] = builder
        return builder

    return register


def build(name: str, book: Book, settings: "GatewaySettings") -> Surface:
    """The surface of this name; raises UserMistake where there is none, or not yet."""
    builder = BUILDERS.get(name)
    if builder is None:
        raise UserMistake(f'there is no surface "{for_terminal(name, 40)}"; choose {OFFERED}')
    return builder(book, settings)


def _why(book: Book, wanted: str) -> str:
    if book.look_up(wanted) is not None:
        return "several servers have such a tool"
    return "it is held back" if book.held_back(wanted) is not None else "no server offers it so far"


def pin_problems(book: Book, settings: "GatewaySettings") -> list[str]:
    """What `always_visible` names and nobody has; of servers that are not known yet, nothing is said.

    Nor of tools that are held back: agents read these lines, and the contract's own counts tell people of them.
    """
    waiting = [server for server in book.configured if server not in book.servers]
    return [
        f"always_visible: {for_terminal(wanted, 100)} is not shown, for {_why(book, wanted)}{_meant(book, wanted)}"
        for wanted in settings.always_visible
        if not isinstance(book.look_up(wanted), Tool)
        and book.held_back(wanted) is None
        and not _may_come(wanted, book, waiting)
    ]


def _may_come(wanted: str, book: Book, waiting: list[str]) -> bool:
    of = [server for server in book.configured if wanted.startswith(f"{server}.")]
    return bool(set(of) & set(waiting)) or (not of and "." not in wanted and bool(waiting))


def _meant(book: Book, wanted: str) -> str:
    near = get_close_matches(wanted[:200], [tool.id for tool in book.catalog][:_COMPARED], n=1)
    return f"; did you mean {for_terminal(near[0], 100)}?" if near else ""


def menu_of(name: str, jobs: Iterable[Job], book: Book, settings: "GatewaySettings") -> Surface:
    """A surface of our own tools, with the backend tools that the settings pin beside them."""
    tools: dict[str, Tool] = {}
    notes = []
    for wanted in settings.always_visible:
        found = book.look_up(wanted)
        if isinstance(found, Tool):
            tools[book.names.public(found)] = found
        else:
            notes.append(
                f"always_visible: {for_terminal(wanted, 100)} is not shown, for {_why(book, wanted)}"
            )
    return Surface(name, {job.name: job for job in jobs}, tools, settings.slim, tuple(notes))
