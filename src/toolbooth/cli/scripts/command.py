"""`toolbooth scripts`: saved Python that calls tools; agents find each script as a tool `scripts.NAME`."""

import json
import os
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from rich.text import Text

from toolbooth import __version__, catalog, errors, files, limits, safetext, sandbox
from toolbooth.catalog.config import HostContext, decoded, default_scripts_folder, read_regular
from toolbooth.cli import arguments, terminal
from toolbooth.cli.scripts.tools import check_tools, run_script

EXAMPLES = '''\
  toolbooth scripts                              list saved scripts, and problems with others
  toolbooth scripts save open_issues issues.py   check a file and save it under a name
  toolbooth scripts save hello --description "Say hello." < hello.py
  toolbooth scripts save open_issues issues.py --force
  toolbooth scripts show open_issues             print its code
  toolbooth scripts run open_issues '{"label": "bug"}'
  toolbooth scripts remove open_issues
  toolbooth scripts where                        print the folder; you may edit its files

a script is Python that calls the tools of your servers. Its docstring says what it does:
  """Titles of the open issues that carry a label."""

  async def main(label: str, limit: int = 10):
      found = await github.list_issues(labels=[label], state="open")
      return [issue["title"] for issue in found][:limit]

the parameters of `main` are the tool's arguments. Without `main`, the value of the last line is the answer.
'''
STDIN: Final = "-"


def parser() -> arguments.Parser:
    """The options of the command."""
    made = arguments.Parser("scripts", __doc__ or "", EXAMPLES, {1: "the script failed", 3: ""})
    add = made.add_argument
    add(
        "what",
        nargs="?",
        default="list",
        choices=WORK,
        metavar="|".join(WORK),
        help="what to do (default list)",
    )
    add("name", nargs="?", metavar="NAME", help="the script: a-z, 0-9 and _")
    add(
        "file",
        nargs="?",
        metavar="FILE|JSON",
        help="with save: the file to read (default: stdin); with run: the arguments as JSON",
    )
    add("--description", metavar="TEXT", help="with save: a description instead of the docstring")
    add("--force", action="store_true", help="with save: overwrite an existing script")
    add(
        "--allow-unknown",
        action="store_true",
        help="with save: allow calls of tools that are not known here",
    )
    add("--folder", metavar="DIR", help="the folder of scripts (default: the one in toolbooth.yaml)")
    add(
        "--config",
        action="append",
        default=[],
        metavar="FILE",
        help="the toolbooth.yaml that names the folder",
    )
    add("--json", action="store_true", help="the answer as JSON")
    return made


def run(words: Sequence[str]) -> int:
    """Run one of the subcommands."""
    # Options may come before, between and after the arguments
    options = parser().parse_intermixed_args(list(words))
    _check(options)
    return WORK[options.what](sandbox.ScriptFolder(_folder(options)), options)


def _check(options: Namespace) -> None:
    """Refuse arguments that contradict each other."""
    what = options.what
    if what in _NAMELESS and options.name is not None:
        raise errors.UserMistake(f"`scripts {what}` takes no name; see `toolbooth scripts --help`")
    if what not in _NAMELESS and options.name is None:
        raise errors.UserMistake(f"name the script; try `toolbooth scripts {what} open_issues`")
    if what not in _WITH_FILE and options.file is not None:
        raise errors.UserMistake(f"`scripts {what}` takes one name; see `toolbooth scripts --help`")
    if what != "save" and (options.description is not None or options.force or options.allow_unknown):
        raise errors.UserMistake("--description, --force and --allow-unknown need `scripts save`")
    if options.folder is not None and options.config:
        raise errors.UserMistake("choose one of --folder and --config")
    if options.folder == "":
        raise errors.UserMistake("--folder is empty; name a folder, or leave it out")


def _folder(options: Namespace) -> Path:
    """The folder that the gateway would use with these configs."""
    host = HostContext.here()
    if options.folder is not None:
        return host.cwd / files.from_home(Path(options.folder), host.home)
    sources = catalog.gateway_sources(options.config, host.environ, host.cwd)
    # Where a file that may name the folder is broken, another folder would be a guess.
    may_name = [str(path) for path in sources.looked_at if options.config or path.name == "toolbooth.yaml"]
    for source_error in sources.source_errors:
        if (
            source_error.where.startswith((*may_name, *filter(None, options.config)))
            or source_error.where == '""'
        ):
            raise errors.UserMistake(f"{source_error.where}: {source_error.reason}")
    if sources.gateway.scripts is not None:
        return Path(sources.gateway.scripts)
    return default_scripts_folder(host.home, host.environ, host.platform)


def _list(folder: sandbox.ScriptFolder, options: Namespace) -> int:
    print_scripts(folder.path, folder.load(), as_json=options.json)
    return 0


def _show(folder: sandbox.ScriptFolder, options: Namespace) -> int:
    print_script(folder.file_of(options.name), folder.read(options.name), as_json=options.json)
    return 0


def _save(folder: sandbox.ScriptFolder, options: Namespace) -> int:
    sandbox.check_name(options.name)  # before a person types a script at the keyboard
    text, place = _text(options.file or STDIN)
    if options.description is not None:
        text = sandbox.with_description(text, options.description, place)
    sandbox.read_script(options.name, text, place)
    unknown = ""
    if not options.allow_unknown:
        unknown = check_tools(text, place, options.config)
    file = folder.file_of(options.name)
    replaced = options.force and os.path.lexists(file)
    script = folder.save(options.name, text, replace=options.force)
    print_saved(file, script, replaced=replaced, as_json=options.json)
    if unknown:
        print(f"toolbooth: {unknown}", file=sys.stderr)  # noqa: T201
    return 0


def _text(file: str) -> tuple[str, str]:
    """What to save, and what to call its place."""
    if file != STDIN:
        path = Path(file).expanduser()
        return decoded(path, read_regular(path, _MOST)), file
    if sys.stdin is None:
        raise errors.UserMistake("stdin is closed; name a file to read")
    if sys.stdin.isatty():
        print("type the script, then Ctrl-D:", file=sys.stderr, flush=True)  # noqa: T201
    data = sys.stdin.buffer.read(_MOST + 1)
    if len(data) > _MOST:
        raise errors.UserMistake(f"stdin is longer than {limits.MAX_CODE:,} characters; shorten the script")
    return decoded(Path("stdin"), data), "stdin"


def _remove(folder: sandbox.ScriptFolder, options: Namespace) -> int:
    print_removed(folder.remove(options.name), options.name, as_json=options.json)
    return 0


def _run(folder: sandbox.ScriptFolder, options: Namespace) -> int:
    return run_script(folder.read(options.name), options.file, options.config, as_json=options.json)


def _where(folder: sandbox.ScriptFolder, options: Namespace) -> int:
    print_folder(folder.path, as_json=options.json)
    return 0


_MOST: Final = 4 * limits.MAX_CODE  # bytes
_NAMELESS: Final = frozenset({"list", "where"})
_WITH_FILE: Final = frozenset({"save", "run"})
# A new subcommand is one more row; one that takes a name and a file is also listed in `_WITH_FILE`.
WORK: Final[dict[str, Callable[[sandbox.ScriptFolder, Namespace], int]]] = {
    "list": _list,
    "show": _show,
    "save": _save,
    "run": _run,
    "remove": _remove,
    "where": _where,
}


_MOST_OF_A_DEFAULT = 24


def short(path: Path) -> str:
    """A path as a person writes it."""
    home = Path.home()
    return f"~/{path.relative_to(home)}" if path.is_relative_to(home) else str(path)


def print_scripts(folder: Path, loaded: sandbox.Loaded, *, as_json: bool) -> None:
    """The saved scripts, and a line on stderr for each file that cannot be used."""
    scripts = loaded.scripts.values()
    for problem in loaded.problems:
        where, _, reason = problem.partition(": ")
        terminal.complain(where, reason)
    if as_json:
        found = [_facts(script) for script in scripts]
        _print_json({"folder": folder, "scripts": found, "problems": list(loaded.problems)})
        return
    console = terminal.out()
    if not scripts:
        hint = "save one with `toolbooth scripts save NAME FILE`"
        console.print(Text(f"no scripts in {safetext.for_terminal(short(folder))}; {hint}"), soft_wrap=True)
        return
    columns = [
        terminal.Column("script", "name", [Text(script.name) for script in scripts]),
        terminal.Column("arguments", "words", [Text(arguments_of(script)) for script in scripts]),
        terminal.Column("does", "words", [Text(_first_line(script)) for script in scripts], goes=1),
    ]
    terminal.print_columns(console, columns, console.width)
    console.print(Text(f"\nin {safetext.for_terminal(short(folder))}", "dim"), soft_wrap=True)


def print_script(file: Path, script: sandbox.Script, *, as_json: bool) -> None:
    """The script's code, or its facts as JSON."""
    if as_json:
        _print_json({**_facts(script), "path": file, "code": script.code})
        return
    print(safetext.code_for_terminal(script.code).rstrip("\n"))  # noqa: T201


def print_saved(file: Path, script: sandbox.Script, *, replaced: bool, as_json: bool) -> None:
    """Confirm the save, with the script's signature."""
    if as_json:
        _print_json({**_facts(script), "path": file, "replaced": replaced})
        return
    action = "replaced" if replaced else "saved"
    print(f"{action} {script.name}({arguments_of(script)}): {safetext.for_terminal(short(file))}")  # noqa: T201


def print_removed(file: Path, name: str, *, as_json: bool) -> None:
    """Confirm the removal."""
    if as_json:
        _print_json({"removed": name, "path": file})
        return
    print(f"removed {name}: {safetext.for_terminal(short(file))}")  # noqa: T201


def print_folder(folder: Path, *, as_json: bool) -> None:
    """For `cd "$(toolbooth scripts where)"`: nothing but the path."""
    if as_json:
        _print_json({"folder": folder, "exists": folder.is_dir()})
        return
    print(safetext.code_for_terminal(str(folder)))  # noqa: T201


def arguments_of(script: sandbox.Script) -> str:
    """`label, limit=10`, as a person would write them in Python."""
    schema = script.input_schema
    required = schema.get("required", ())
    return ", ".join(
        safetext.for_terminal(name, 40) + ("" if name in required else f"={_default(each)}")
        for name, each in schema["properties"].items()
    )


def _default(schema: dict[str, Any]) -> str:
    if "default" not in schema:
        return "…"
    return safetext.for_terminal(json.dumps(schema["default"], ensure_ascii=False), _MOST_OF_A_DEFAULT)


def _first_line(script: sandbox.Script) -> str:
    return safetext.for_terminal(script.description.splitlines()[0], 200)


def _facts(script: sandbox.Script) -> dict[str, Any]:
    return {
        "name": script.name,
        "description": script.description,
        "input_schema": script.input_schema,
    }


def _print_json(document: dict[str, Any]) -> None:
    terminal.print_json({"toolbooth": __version__, **document})
