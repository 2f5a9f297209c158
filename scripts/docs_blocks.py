"""The blocks of README.md and docs/guide that show what a command prints: generated, written and compared.

A block stands between `<!-- block: NAME -->` and `<!-- /block -->`. Run `python scripts/docs_blocks.py` to see which
ones are out of date, and add `--write` to write them anew. `tests/behaviour/test_docs_blocks.py` compares them.
"""

import argparse
import importlib
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from toolbooth.cli.bench.command import SUBCOMMANDS
from toolbooth.cli.main import COMMAND_GROUPS, COMMANDS
from toolbooth.demo import demo_command
from toolbooth.errors import EXIT_CODES

ROOT = Path(__file__).parents[1]
WIDTH = 120  # of a shown line; what is longer is cut
_BLOCK = re.compile(r"(<!-- block: (?P<name>[\w-]+) -->\n)(?P<text>.*?)(<!-- /block -->)", re.DOTALL)
_NUMBER = re.compile(r"[\d,]*\d(?:\.\d+)?")


class Block(NamedTuple):
    """A block of a page; `make` gets an empty home folder. The figures of one that varies may move by a tenth."""

    page: str
    make: Callable[[Path], str]
    varies: bool = False


BLOCKS: dict[str, Block] = {}


def _block(name: str, page: str, varies: bool = False) -> Callable[[Callable[[Path], str]], Any]:
    def register(make: Callable[[Path], str]) -> Callable[[Path], str]:
        BLOCKS[name] = Block(page, make, varies)
        return make

    return register


@_block("doctor", "README.md")
def _doctor(home: Path) -> str:
    (home / "mcp.json").write_text(_config("files", "tickets", "calendar"), encoding="utf-8")
    return _fenced(_toolbooth(home, "doctor", "mcp.json", "--top", "3"))


@_block("wrap", "docs/guide/wrap.md")
def _wrap(home: Path) -> str:
    config = home / ".cursor" / "mcp.json"
    config.parent.mkdir()
    config.write_text(_config("files", "tickets", "calendar"), encoding="utf-8")
    shown = "\n".join(
        f"$ toolbooth {verb} cursor\n{_toolbooth(home, verb, 'cursor')}" for verb in ("wrap", "unwrap")
    )
    return _fenced(_replaced(shown, (r"(cursor-mcp-json-)\w+", r"\1…")))


@_block("long-answer", "docs/guide/answers.md")
def _long_answer(home: Path) -> str:
    query = {"name": "database.run_query", "arguments": {"sql": "SELECT * FROM bookings"}}
    path = "max_by(rows, &amount_cents)"
    with _gateway(home, "search", "database") as call:
        answer, note = call("call_tool", **query)
        (found,) = re.findall(r"ref='([\w-]+)'", note)
        (largest,) = call("read_result", ref=found, path=path)
    shown = _replaced(
        f"{answer}\n  {note}".replace(found, "cOLTVQkLfqTOAD28AX7E0g"),
        (r'("amount_cents":\d+,)"booked":"[^"]*"\},\{.*?\},\{.*?\},', r"\1…},{…},{…},\n   "),
        (r',"rest by id":', r',\n    "rest by id":'),
        (r'("all 3000":\{).*("vehicle":)', r"\1…,\2"),
        (r',"booked":"[^"]*"(\}\}\]\})', r",…\1"),
        (r"\d+ of 222", "… of 222"),
        (r"(path=JMESPath or ).*?(\)\])", r"\1…\2"),
    )
    first = f'call_tool(name="{query["name"]}", arguments={json.dumps(query["arguments"])})'
    second = f'read_result(ref="cOLTVQkLfqTOAD28AX7E0g", path="{path}")'
    return _fenced(f"{first}\n  {shown}\n\n{second}\n  {largest}\n", width=150)


@_block("code-mistake", "docs/guide/code.md")
def _code_mistake(home: Path) -> str:
    with _gateway(home, "code", "tickets") as call:
        (said,) = call("call_tool_chain", code="a = 1\nb = 2\nawait tickets.get_ticket()")
    return _fenced(said)


@_block("stats", "docs/guide/stats.md", varies=True)
def _stats(home: Path) -> str:
    with _gateway(home, "search", "database", "history", "tickets") as call:
        call("search_tools", query="export a table")
        call("call_tool", name="database.export_table", arguments={"table": "bookings"})
        call("call_tool", name="history.list_commits", arguments={"limit": 100})
        call("call_tool", name="tickets.search_tickets", arguments={"query": "login"})
        call("call_tool", name="tickets.get_ticket", arguments={"key": "LF-142"})
    printed = _toolbooth(home, "stats")
    shown = _replaced(
        "\n".join(line.rstrip() for line in printed.splitlines()[:11]),
        (r"(1 session · ).*", r"\1…"),
        (r"(each read once at ).*", r"\1…"),
        (r"(?m)^(  (?:database|history)\.\w+ .*?%  +[\d,]+ ).*", r"\1 …"),
    )
    return _fenced(f"{shown}\n  …\n")


@_block("bench", "docs/guide/bench.md")
def _bench(home: Path) -> str:
    return _toolbooth(home, "bench", "--only", "tokens,retrieval", "--markdown")


@_block("commands", "docs/guide/commands.md")
def _commands(_home: Path) -> str:
    groups = (
        _table(
            (f"to {group}" if group != "start" else "to start", "what it does"),
            ((f"[`{command}`](#{command})", what) for command, what in commands.items()),
        )
        for group, commands in COMMAND_GROUPS.items()
    )
    return "\n".join(groups)


@_block("exit-codes", "docs/guide/commands.md")
def _exit_codes(_home: Path) -> str:
    return _table(("code", "meaning"), ((str(code), meaning) for code, meaning in EXIT_CODES.items()))


@_block("options", "docs/guide/commands.md")
def _options(_home: Path) -> str:
    sections = []
    for command in COMMANDS:
        sections.append(_section(command, f"toolbooth.cli.{command}"))
        if command == "bench":
            sections += [_section(f"bench {each}", f"toolbooth.cli.bench.{each}") for each in SUBCOMMANDS]
    return "\n".join(sections)


@_block("python-first-call", "docs/guide/python.md")
def _python_first_call(home: Path) -> str:
    (home / "mcp.json").write_text(_config("tickets"), encoding="utf-8")
    page = (ROOT / "docs" / "guide" / "python.md").read_text(encoding="utf-8")
    program = page.split("```py\n")[1].split("```")[0]
    return _fenced(_python(home, "-c", program))


def _example(name: str) -> Callable[[Path], str]:
    """The part of an example that is about its framework."""

    def cut(_home: Path) -> str:
        text = (ROOT / "examples" / "embed" / f"{name}.py").read_text(encoding="utf-8")
        return f"```py\n{text[text.index('def tool_of') : text.index('if __name__')].rstrip()}\n```\n"

    return cut


_block("python-pydantic-ai", "docs/guide/python.md")(_example("pydantic_ai_agent"))
_block("python-langchain", "docs/guide/python.md")(_example("langchain_agent"))
_block("python-openai-agents", "docs/guide/python.md")(_example("openai_agents"))


def _section(command: str, module: str) -> str:
    parser: argparse.ArgumentParser = importlib.import_module(module).parser()
    formatter = parser._get_formatter()
    rows = []
    for action in parser._actions:
        if action.help == argparse.SUPPRESS or "--help" in action.option_strings:
            continue
        name = action.option_strings[-1:] or []
        value = formatter._format_args(action, (action.dest.upper() if name else action.dest))
        rows.append(
            (f"`{' '.join([*name, value]).strip()}`", " ".join(formatter._expand_help(action).split()))
        )
    about = " ".join((parser.description or "").split()).removeprefix(f"`toolbooth {command}`: ")
    heading = f"### {command}\n\n{about[:1].upper()}{about[1:]}\n"
    return f"{heading}\n{_table(('option', 'meaning'), rows)}" if rows else heading


def _table(head: Sequence[str], rows: "Iterator[tuple[str, str]] | Sequence[tuple[str, str]]") -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |\n" for line in lines)


def _fenced(text: str, width: int = WIDTH) -> str:
    lines = (
        line if len(line) <= width else f"{line[: width - 1]}…" for line in text.rstrip("\n").splitlines()
    )
    return "```text\n{}\n```\n".format("\n".join(line.rstrip() for line in lines))


def _replaced(text: str, *changes: tuple[str, str]) -> str:
    """Every pattern has to match: one that no longer does would show what it should hide."""
    for pattern, shown in changes:
        text, times = re.subn(pattern, shown, text)
        if not times:
            raise SystemExit(
                f"{pattern!r} matches nothing in what was printed; change it in {__file__}:\n{text}"
            )
    return text


def _config(*servers: str) -> str:
    commands = {name: demo_command(name) for name in servers}
    entries = {name: {"command": words[0], "args": list(words[1:])} for name, words in commands.items()}
    return json.dumps({"mcpServers": entries})


def _environment(home: Path) -> dict[str, str]:
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    return {"HOME": str(home), "PATH": path, "PYTHONUTF8": "1"}


def _toolbooth(home: Path, *words: str) -> str:
    return _python(home, "-m", "toolbooth", *words)


def _python(home: Path, *words: str) -> str:
    command = [sys.executable, *words]
    return subprocess.run(
        command, cwd=home, env=_environment(home), capture_output=True, encoding="utf-8", check=True
    ).stdout


@contextmanager
def _gateway(home: Path, surface: str, *servers: str) -> Iterator[Callable[..., list[str]]]:
    """A gateway over stdio; what is yielded calls a tool of its menu and gives the texts of the answer."""
    (home / "servers.json").write_text(_config(*servers), encoding="utf-8")
    words = ("serve", "--no-daemon", "--config", "servers.json", "--surface", surface)
    process = subprocess.Popen(
        [sys.executable, "-m", "toolbooth", *words],
        cwd=home,
        env=_environment(home),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    assert process.stdin is not None and process.stdout is not None  # noqa: S101, PT018 - both are pipes
    stdin, stdout, ids = process.stdin, process.stdout, count(1)

    def send(method: str, **params: Any) -> Any:
        sent = {"jsonrpc": "2.0", "id": next(ids), "method": method, "params": params}
        print(json.dumps(sent), file=stdin, flush=True)
        answers = (json.loads(line) for line in stdout)
        return next(each for each in answers if each.get("id") == sent["id"])["result"]

    def call(tool: str, /, **arguments: Any) -> list[str]:
        result = send("tools/call", name=tool, arguments=arguments)
        return [block["text"] for block in result["content"]]

    client = {"name": "docs", "version": "1"}
    try:
        send("initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo=client)
        print(json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}), file=stdin, flush=True)
        send("tools/list")
        yield call
    finally:
        stdin.close()
        process.wait(timeout=60)
        stdout.close()


def shown(name: str) -> str:
    """What the page shows now."""
    text = (ROOT / BLOCKS[name].page).read_text(encoding="utf-8")
    return next(found["text"] for found in _BLOCK.finditer(text) if found["name"] == name)


def made(name: str) -> str:
    """What the command prints now."""
    with tempfile.TemporaryDirectory() as home:
        return BLOCKS[name].make(Path(home))


def same(name: str, before: str, after: str) -> bool:
    """Whether they agree: to the byte, or, if the block varies, in the words and nearly in the figures."""
    if not BLOCKS[name].varies:
        return before == after
    if _words(before) != _words(after):
        return False
    pairs = zip(_figures(before), _figures(after), strict=True)
    return all(abs(old - new) <= 0.1 * abs(old) for old, new in pairs)


def _words(text: str) -> str:
    return " ".join(_NUMBER.sub("#", text).split())


def _figures(text: str) -> list[float]:
    return [float(each.replace(",", "")) for each in _NUMBER.findall(text)]


def write(name: str, text: str) -> None:
    """Put the block into its page."""
    page = ROOT / BLOCKS[name].page
    old = page.read_text(encoding="utf-8")
    new = _BLOCK.sub(lambda found: f"{found[1]}{text}{found[4]}" if found["name"] == name else found[0], old)
    page.write_text(new, encoding="utf-8")


def main() -> int:
    """Name the blocks that are out of date, and write them if asked to."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--write", action="store_true", help="write them anew")
    options.add_argument("name", nargs="*", help=f"only these blocks: {', '.join(BLOCKS)} (default: all)")
    chosen = options.parse_args()
    if unknown := set(chosen.name) - BLOCKS.keys():
        options.error(f"unknown block {min(unknown)!r}; the blocks are {', '.join(BLOCKS)}")
    stale = 0
    for name in chosen.name or BLOCKS:
        now = made(name)
        if same(name, shown(name), now):
            continue
        stale += 1
        if chosen.write:
            write(name, now)
        print(f"{name} in {BLOCKS[name].page}: {'written' if chosen.write else 'out of date'}")
    return 1 if stale and not chosen.write else 0


if __name__ == "__main__":
    sys.exit(main())
