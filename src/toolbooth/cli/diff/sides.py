"""The two sides of a diff: what the user named, read as contracts that can be compared."""

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from toolbooth import catalog, errors, tokens
from toolbooth.cli import sources, terminal
from toolbooth.contracts import Acceptance, Budgets, Contracts, Lock, ServerContract, read_lock

MARK = b'"toolbooth-lock"'
_COMMAND = "the command's server"


@dataclass(frozen=True)
class Side:
    """`name` is how the user called it; `lock` its file where it is one; `recorded` are servers of saved catalogs.

    The server names of a `nameless` side are generated: from a command, a URL or a catalog.
    """

    name: str
    contracts: Contracts
    source_errors: tuple[catalog.SourceError, ...] = ()
    wrong_files: tuple[catalog.SourceError, ...] = ()  # of the errors, those that a person must correct
    notes: tuple[str, ...] = ()
    lock: Path | None = None
    budgets: Budgets | None = None
    recorded: frozenset[str] = frozenset()
    nameless: bool = False
    accepted: tuple[Acceptance, ...] = ()

    @property
    def is_silent(self) -> bool:
        """Whether nothing could be read or reached, so that there is nothing to compare."""
        return bool(self.source_errors) and not self.contracts.servers


@dataclass(frozen=True)
class Sides:
    """Before and after, made comparable."""

    before: Side
    after: Side
    notes: tuple[str, ...] = field(default=())
    silent: Side | None = None  # the first side without a server

    @property
    def source_errors(self) -> tuple[catalog.SourceError, ...]:
        """The errors of both sides."""
        return tuple(dict.fromkeys((*self.before.source_errors, *self.after.source_errors)))

    @property
    def wrong_files(self) -> tuple[catalog.SourceError, ...]:
        """The wrong files of both sides."""
        return tuple(dict.fromkeys((*self.before.wrong_files, *self.after.wrong_files)))

    @property
    def budgets(self) -> Budgets:
        """The budgets of the newer lock."""
        return self.after.budgets or self.before.budgets or Budgets()


def commands_of(words: Sequence[str], named: int) -> list[list[str]]:
    """The commands after `--`: one beside a named side, or two with another `--` between them."""
    if not words:
        return []
    cuts = [index for index, word in enumerate(words) if word == "--"]
    if named:
        commands = [list(words[1:])]
    elif len(cuts) % 2:
        raise errors.UserMistake(
            "name two commands to compare; try `-- npx -y server@1.2 -- npx -y server@1.3`"
        )
    else:  # each may contain a `--` of its own: the middle one separates them
        middle = cuts[len(cuts) // 2]
        commands = [list(words[1:middle]), list(words[middle + 1 :])]
    if not all(commands):
        raise errors.UserMistake(
            "a command is missing after `--`; try `-- npx -y server@1.2 -- npx -y server@1.3`"
        )
    return commands


def load_sides(options: Namespace, commands: Sequence[Sequence[str]]) -> Sides:
    """Load both sides; files first, so that a damaged lock is reported before a server is started."""
    locks = [_lock(name) for name in options.side]
    if len(options.side) == 1 and not commands and locks[0] is None:
        if "://" not in options.side[0] and not Path(options.side[0]).exists():
            raise errors.UserMistake(
                f"{options.side[0]}: {errors.NO_SUCH_FILE}; `toolbooth lock` writes a lock"
            )
        raise errors.UserMistake(
            f"{options.side[0]} is not a lock; also name a second file, or a command after `--`"
        )
    encoding = next((lock.contracts.encoding for lock in locks if lock), "")
    sides = [
        _of_lock(name, lock) if lock else _live(name, [name], (), options, encoding)
        for name, lock in zip(options.side, locks, strict=True)
    ]
    sides += [_live("", (), command, options, encoding) for command in commands]
    if len(sides) == 1:
        sides.append(_live("now", options.config, (), options, encoding))
    return _comparable(sides[0], sides[1])


def _lock(name: str) -> Lock | None:
    """None if the file is not a lock; raises ConfigError for a lock that cannot be used."""
    path = Path(name).expanduser()
    if not path.is_file() or not (path.suffix == ".lock" or MARK in path.read_bytes()):
        return None
    lock = read_lock(path)
    if lock.signature is not None:
        from toolbooth.contracts import verify

        verify(lock, path, None)
    return lock


def _of_lock(name: str, lock: Lock) -> Side:
    return Side(
        name, lock.contracts, lock=Path(name).expanduser(), budgets=lock.budgets, accepted=lock.accepted
    )


def _live(name: str, named: Sequence[str], command: Sequence[str], options: Namespace, encoding: str) -> Side:
    asked = Namespace(
        source=list(named),
        timeout=options.timeout,
        user_only=options.user_only,
        trust_project=options.trust_project,
    )
    try:
        live = sources.ask_live(asked, command, encoding or tokens.DEFAULT_ENCODING)
    except errors.NothingToWeigh as error:
        raise errors.CannotCheck(str(error), error.places) from None
    for source_error in live.source_errors:
        terminal.complain(source_error.where, source_error.reason)
    if not live.contracts.servers and not live.source_errors:
        raise errors.CannotCheck(f"nothing to compare in {name or _COMMAND}: no server is configured there")
    if live.has_only_empty_catalogs:
        raise errors.CannotCheck(f"nothing to compare in {name or _COMMAND}: no tool is offered there")
    name = name or _self_reported(live.contracts)
    nameless = bool(command) or any("://" in each for each in named) or bool(live.recorded)
    return Side(
        name,
        live.contracts,
        live.source_errors,
        live.wrong_files,
        live.notes,
        recorded=live.recorded,
        nameless=nameless,
    )


def _self_reported(contracts: Contracts) -> str:
    """A name for a command's side: what the server reports, since the command itself may contain a key."""
    names = [f"{server.server} {server.version}".strip() for server in contracts.servers.values()]
    return ", ".join(names) or _COMMAND


def _comparable(before: Side, after: Side) -> Sides:
    """Join one server under two generated names; ignore what one side cannot know."""
    notes = tuple(dict.fromkeys((*before.notes, *after.notes)))
    silent = next((side for side in (before, after) if side.is_silent), None)
    if before.nameless or after.nameless:
        after, renamed = _under_one_name(before, after)
        notes += renamed
    half_known = before.recorded ^ after.recorded
    before, after = _tools_alone(before, half_known), _tools_alone(after, half_known)
    if before.name == after.name:
        before, after = (
            replace(before, name=f"{before.name} (first)"),
            replace(after, name=f"{after.name} (second)"),
        )
    return Sides(_known(before, after), _known(after, before), notes, silent)


def _under_one_name(before: Side, after: Side) -> tuple[Side, tuple[str, ...]]:
    names = [list(side.contracts.servers) for side in (before, after)]
    if len(names[0]) != 1 or len(names[1]) != 1 or names[0] == names[1]:
        return after, ()
    (old,), (new,) = names
    server = after.contracts.servers[new]
    tools = {name: replace(tool, server=old) for name, tool in server.tools.items()}
    contracts = replace(after.contracts, servers={old: replace(server, server=old, tools=tools)})
    recorded = frozenset({old} if new in after.recorded else ())
    return replace(after, contracts=contracts, recorded=recorded), (f"{new} is compared as {old}",)


def _tools_alone(side: Side, servers: frozenset[str]) -> Side:
    """The side without prompts and resources, which the other side's catalog does not contain."""
    stripped = {
        name: _without_offers(server) if name in servers else server
        for name, server in side.contracts.servers.items()
    }
    return replace(side, contracts=replace(side.contracts, servers=stripped))


def _without_offers(server: ServerContract) -> ServerContract:
    return replace(server, prompts=(), resources=(), templates=())


def _known(side: Side, other: Side) -> Side:
    """If part of the other side could not be reached, leave out servers that only this side has."""
    if not other.source_errors:
        return side
    kept = {
        name: server for name, server in side.contracts.servers.items() if name in other.contracts.servers
    }
    return replace(side, contracts=replace(side.contracts, servers=kept))
