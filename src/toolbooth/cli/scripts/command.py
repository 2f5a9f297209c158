"""`toolbooth scripts`: saved Python that calls tools; agents find each script as a tool `scripts.NAME`."""

import os
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from toolbooth.cli.arguments import Parser
from toolbooth.errors import UserMistake
from toolbooth.files import from_home
from toolbooth.limits import MAX_CODE

if TYPE_CHECKING:
    from toolbooth.sandbox.scripts import ScriptFolder


EXAMPLES = '''\
  toolbooth scripts                              those that are saved, and what is wrong with others
  toolbooth scripts save open_issues issues.py   check a file, and save it under a name
  toolbooth scripts save hello --description "Say hello." < hello.py
  toolbooth scripts save open_issues issues.py --force
  toolbooth scripts show open_issues             its code
  toolbooth scripts run open_issues '{"label": "bug"}'
  toolbooth scripts remove open_issues
  toolbooth scripts where                        the folder, which is yours to edit

a script is Python that calls the tools of your servers; its first text says what it does:
  """Titles of the open issues that carry a label."""

  async def main(label: str, limit: int = 10):
      found = await github.list_issues(labels=[label], state="open")
      return [issue["title"] for issue in found][:limit]

the parameters of `main` are the tool's arguments; without `main` the value of the last line is the answer.
'''
STDIN: Final = "-"


def parser() -> Parser:
    """The options of the command."""
    made = Parser("scripts", __doc__ or "", EXAMPLES)
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
        help="with save: the file to read, - or nothing is stdin; with run: the arguments",
    )
    add("--description", metavar="TEXT", help="with save: what it does, instead of the text at its top")
    add("--force", action="store_true", help="with save: overwrite an existing script")
    add(
        "--allow-unknown",
        action="store_true",
        help="with save: also where it calls tools that are not known here",
    )
    add("--folder", metavar="DIR", help="the folder of scripts (default: that of your toolbooth.yaml)")
    add("--config", action="append", default=[], metavar="FILE", help="the toolbooth.yaml that names it")
    add("--json", action="store_true", help="the answer as JSON")
    return made


def run(words: Sequence[str]) -> int:
    """Run one of the subcommands."""
    options = parser().parse_intermixed_args(
        list(words)
    )  # options may come before, between and after the arguments
    _check(options)
    from toolbooth.sandbox.scripts import ScriptFolder

    return WORK[options.what](ScriptFolder(_folder(options)), options)


def _check(options: Namespace) -> None:
    """Refuse arguments that contradict each other."""
    what = options.what
    if what in _NAMELESS and options.name is not None:
        raise UserMistake(f"`scripts {what}` takes no name; `toolbooth scripts --help` shows how")
    if what not in _NAMELESS and options.name is None:
        raise UserMistake(f"name the script, as in `toolbooth scripts {what} open_issues`")
    if what not in _WITH_FILE and options.file is not None:
        raise UserMistake(f"`scripts {what}` takes one name; `toolbooth scripts --help` shows how")
    if what != "save" and (options.description is not None or options.force or options.allow_unknown):
        raise UserMistake("--description, --force and --allow-unknown are for `scripts save`")
    if options.folder is not None and options.config:
        raise UserMistake("choose one of --folder and --config")
    if options.folder == "":
        raise UserMistake("the name of the folder is empty; name one, or leave --folder out")


def _folder(options: Namespace) -> Path:
    """The folder that the gateway would use with these configs."""
    from toolbooth.catalog.config import HostContext, default_scripts_folder
    from toolbooth.catalog.load import gateway_sources

    host = HostContext.here()
    if options.folder is not None:
        return host.cwd / from_home(Path(options.folder), host.home)
    sources = gateway_sources(options.config, host.environ, host.cwd)
    # Where a file that may name the folder is broken, another folder would be a guess.
    may_name = [str(path) for path in sources.looked_at if options.config or path.name == "toolbooth.yaml"]
    for source_error in sources.source_errors:
        if (
            source_error.where.startswith((*may_name, *filter(None, options.config)))
            or source_error.where == '""'
        ):
            raise UserMistake(f"{source_error.where}: {source_error.reason}")
    if sources.gateway.scripts is not None:
        return Path(sources.gateway.scripts)
    return default_scripts_folder(host.home, host.environ, host.platform)


def _list(folder: "ScriptFolder", options: Namespace) -> int:
    from toolbooth.cli.scripts.output import print_scripts

    print_scripts(folder.path, folder.load(), as_json=options.json)
    return 0


def _show(folder: "ScriptFolder", options: Namespace) -> int:
    from toolbooth.cli.scripts.output import print_script

    print_script(folder.file_of(options.name), folder.read(options.name), as_json=options.json)
    return 0


def _save(folder: "ScriptFolder", options: Namespace) -> int:
    from toolbooth.cli.scripts.output import print_saved
    from toolbooth.sandbox.scripts import check_name, read_script, with_description

    check_name(options.name)  # before a person types a script at the keyboard
    text, place = _text(options.file or STDIN)
    if options.description is not None:
        text = with_description(text, options.description, place)
    read_script(options.name, text, place)
    unknown = ""
    if not options.allow_unknown:
        from toolbooth.cli.scripts.tool_check import check_tools

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
    from toolbooth.catalog.config import decoded, read_regular

    if file != STDIN:
        path = Path(file).expanduser()
        return decoded(path, read_regular(path, _MOST)), file
    if sys.stdin is None:
        raise UserMistake("there is no stdin; name a file to read")
    if sys.stdin.isatty():
        print("type the script, then Ctrl-D:", file=sys.stderr, flush=True)  # noqa: T201
    data = sys.stdin.buffer.read(_MOST + 1)
    if len(data) > _MOST:
        raise UserMistake(f"stdin: is longer than {MAX_CODE:,} characters")
    return decoded(Path("stdin"), data), "stdin"


def _remove(folder: "ScriptFolder", options: Namespace) -> int:
    from toolbooth.cli.scripts.output import print_removed

    print_removed(folder.remove(options.name), options.name, as_json=options.json)
    return 0


def _run(folder: "ScriptFolder", options: Namespace) -> int:
    from toolbooth.cli.scripts.running import run_script

    return run_script(folder.read(options.name), options.file, options.config, as_json=options.json)


def _where(folder: "ScriptFolder", options: Namespace) -> int:
    from toolbooth.cli.scripts.output import print_folder

    print_folder(folder.path, as_json=options.json)
    return 0


_MOST: Final = 4 * MAX_CODE  # bytes
_NAMELESS: Final = frozenset({"list", "where"})
_WITH_FILE: Final = frozenset({"save", "run"})
# A new subcommand is one more row; one that takes a name and a file is also listed in `_WITH_FILE`.
WORK: Final[dict[str, Callable[["ScriptFolder", Namespace], int]]] = {
    "list": _list,
    "show": _show,
    "save": _save,
    "run": _run,
    "remove": _remove,
    "where": _where,
}
