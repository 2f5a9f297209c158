"""`toolbooth init`: write a first suite from live servers; you add the prompts."""

import os
import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from toolbooth import errors, files, safetext, suite
from toolbooth.cli import arguments, sources, terminal

SUFFIX = ".toolbooth.yaml"
MOST_TESTS = 8
EXAMPLES = """\
  toolbooth init                               from the servers of the clients on this machine
  toolbooth init .mcp.json                     from the servers of one config, which the suite will name
  toolbooth init -- npx -y some-mcp-server     from one command
  toolbooth init .mcp.json --tests all         a test for every tool
  toolbooth init catalog.json --output agents.toolbooth.yaml
"""
EXITS = {
    3: "nothing could be reached, or there is no tool",
}


def parser() -> arguments.Parser:
    """The options of the command."""
    made = arguments.Parser("init", __doc__ or "", EXAMPLES, EXITS)
    add = made.add_argument
    add("config", nargs="*", metavar="CONFIG", help="config or catalog files, URLs (default: known places)")
    add(
        "--output",
        default=f"first{SUFFIX}",
        metavar="FILE",
        help=f"file to write (default first{SUFFIX})",
    )
    add(
        "--tests",
        type=_how_many,
        default=MOST_TESTS,
        metavar="N",
        help=f"most tests to write, or `all` (default {MOST_TESTS})",
    )
    add("--force", action="store_true", help="overwrite an existing file")
    add("--timeout", type=arguments.seconds, metavar="S", help="seconds for each server (default 60)")
    arguments.add_project(add)
    add("--json", action="store_true", help="what was written, as JSON")
    made.takes_command()
    return made


def run(words: Sequence[str]) -> int:
    """List the servers' tools, choose some, write the suite, and show the next steps."""
    typed = arguments.split_command_line(words)
    options = parser().parse_args(typed.options)
    path = Path(options.output)
    _check(path, options.force)
    made = _made(path, options, typed.command)
    _write(path, made.text, options.force)
    if options.json:
        terminal.print_json(
            {
                "path": str(path),
                "tools": made.tools,
                "tools_in_tests": made.named,
                "possible_tests": made.possible,
                "tests": [{"name": test.name, "members": list(test.members)} for test in made.tests],
                "servers": list(made.servers.names),
                "variables": list(made.servers.variables),
            }
        )
    else:
        _print_outcome(path, made)
    return 0


def _how_many(given: str) -> int:
    return sys.maxsize if given.strip().lower() == "all" else arguments.positive(given)


def _check(path: Path, force: bool) -> None:
    if not path.name.endswith(SUFFIX) or path.name == SUFFIX:
        raise errors.UserMistake(
            f"--output must end with {SUFFIX}, so that `toolbooth test` finds it; try agents{SUFFIX}"
        )
    if path.is_dir():
        raise errors.ConfigError("this is a folder; name a file in it", path)
    if os.path.lexists(path) and not force:
        raise _there_already(path)


def _made(path: Path, options: Namespace, command: Sequence[str]) -> suite.FirstSuite:
    loaded = sources.load_sources(
        options.config,
        command,
        options.timeout,
        user_only=options.user_only,
        trust_project=options.trust_project,
        used="listed",
    )
    reached = {server.server for server in loaded.catalog.servers}
    specs = [spec for spec in loaded.sources.servers if spec.name in reached]
    servers = suite.suite_server_entries(specs, path, os.environ, Path.cwd())
    return suite.first_suite(loaded.catalog, servers, path.name.removesuffix(SUFFIX), options.tests)


def _write(path: Path, text: str, force: bool) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise errors.ConfigError(f"cannot be written: {error.strerror}", path) from None
    if not force and os.path.lexists(path):  # the file was created while servers were contacted
        raise _there_already(path)
    files.write_atomically(path, text.encode())


def _there_already(path: Path) -> errors.ConfigError:
    return errors.ConfigError("this file exists; --force overwrites it, --output writes another one", path)


def _print_outcome(path: Path, made: suite.FirstSuite) -> None:
    shown = safetext.for_terminal(str(path), 400)
    lines = [f"wrote {shown}: {_counted(made)}, without prompts", *_why_these(made)]
    lines += [f"  {safetext.for_terminal(test.name, 80)}: {_members(test.members)}" for test in made.tests]
    if made.servers.variables:
        lines.append(f"set {', '.join(made.servers.variables)}: the file contains no secrets")
    if not made.servers.names:
        lines.append("a saved catalog has no server to call; add a `config:` to the file")
    lines += ["next:", f"  write a prompt for each test in {shown}"]
    lines += [f"  toolbooth validate {shown}", f"  toolbooth test {shown}"]
    sys.stdout.write("".join(f"{line}\n" for line in lines))


def _counted(made: suite.FirstSuite) -> str:
    tests = "1 test" if len(made.tests) == 1 else f"{len(made.tests)} tests"
    return f"{tests} for {made.named} of {made.tools} tools"


def _why_these(made: suite.FirstSuite) -> list[str]:
    """Why these tests were chosen, and how to get the others."""
    left = made.possible - len(made.tests)
    if not left:
        return []
    alike = any(len(test.members) > 1 for test in made.tests)
    turn = "one tool of each server in turn" if len(made.servers.names) > 1 else "tools in the server's order"
    last = "destructive and undescribed tools come last"
    first = "tools that look alike, because agents confuse them; then " if alike else ""
    return [
        f"chosen: {first}{turn}; {last}",
        f"--tests all also writes the other {left}; --tests N writes N",
    ]


def _members(members: Sequence[str]) -> str:
    more = f" and {len(members) - 3} more" if len(members) > 3 else ""
    return ", ".join(safetext.for_terminal(member, 60) for member in members[:3]) + more
