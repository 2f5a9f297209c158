"""`toolbooth doctor --list`: what would be weighed, found without starting anything."""

import re
import shutil
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from rich.console import Console
from rich.text import Text

from toolbooth import __version__, catalog, errors, figures, safetext
from toolbooth.catalog.config import Trusted
from toolbooth.cli import project_trust, terminal


def show_list(sources: catalog.Sources, *, as_json: bool, user_only: bool = False) -> int:
    """Print what was found; exit 2 or 3 where nothing of it could be weighed."""
    if user_only:
        sources = replace(sources, not_started=())
    trusted = _trusted()
    if as_json:
        terminal.print_json({**listing(sources), "trusted": [asdict(each) for each in trusted]})
    else:
        _print(terminal.out(), sources, trusted)
    found = sources.servers or any(each.tools for each in sources.recorded) or sources.not_started
    return 0 if found else sources.failure_code


def _trusted() -> tuple[Trusted, ...]:
    try:
        return project_trust.stored_projects().all()
    except errors.ConfigError as error:
        terminal.complain("trusted projects", str(error))
        return ()


def listing(sources: catalog.Sources) -> dict[str, Any]:
    """The list as JSON. Arguments, environment, headers and the rest of a URL may hold secrets and are left out."""
    return {
        "toolbooth": __version__,
        "sources": list(sources.read),
        "servers": [
            {
                "server": spec.name,
                "transport": spec.transport,
                "reaches": reaches(spec),
                "source": spec.source,
                "needs_trust": spec in sources.not_started,
            }
            for spec in (*sources.servers, *sources.not_started)
        ],
        "recorded": [{"server": each.server, "tools": len(each.tools)} for each in sources.recorded],
        "source_errors": [each._asdict() for each in sources.source_errors],
        "notes": list(sources.notes),
        "disabled": list(sources.disabled),
    }


def reaches(spec: catalog.ServerSpec) -> str:
    """The program's name or the URL's host, and nothing else of either."""
    if spec.transport != "stdio":
        return _host(spec.url)
    whole = spec.command
    if not shutil.which(whole) and not Path(whole).is_file():
        # A command line in one string, or `KEY=secret run`
        whole = (whole.split() or [""])[0].partition("=")[0]
    return re.split(r"[\\/]", whole)[-1]


def _host(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def _print(console: Console, sources: catalog.Sources, trusted: tuple[Trusted, ...]) -> None:
    for title, lines in (
        ("read", sources.read),
        ("problems", [f"{each.where}: {each.reason}" for each in sources.source_errors]),
        ("disabled", sources.disabled),
        ("notes", sources.notes),
        ("trusted project configs", [f"{each.path} since {each.since}" for each in trusted]),
    ):
        if title == "problems":
            _print_servers(console, sources)
        if lines:
            console.print(Text(title, "dim"))
        for line in lines:
            console.print(terminal.indented(Text(safetext.for_terminal(line, 400))))
    console.print(Text(f"nothing was started; without --list, {_what_is_weighed(sources)}", "dim"))


def _what_is_weighed(sources: catalog.Sources) -> str:
    if not sources.not_started:
        return "these servers are weighed"
    files = ", ".join(dict.fromkeys(safetext.for_terminal(spec.source, 200) for spec in sources.not_started))
    asked = f"you are asked before those of {files} are started"
    return f"these servers are weighed, and {asked}" if sources.servers or sources.recorded else asked


def _print_servers(console: Console, sources: catalog.Sources) -> None:
    live, recorded = (*sources.servers, *sources.not_started), sources.recorded
    if not live and not recorded:
        return
    cells: list[tuple[str, ...]] = [(spec.name, spec.transport, reaches(spec), spec.source) for spec in live]
    cells += [(each.server, "recorded", figures.counted(len(each.tools), "tool"), "") for each in recorded]
    names, ways, targets, origins = (
        [Text(safetext.for_terminal(cell, 200)) for cell in column] for column in zip(*cells, strict=True)
    )
    columns = [
        terminal.Column("  server", "name", [Text("  ").append(name) for name in names]),
        terminal.Column("by", "name", ways),
        terminal.Column("reaches", "name", targets),
        terminal.Column("from", "words", origins, goes=1),
    ]
    left_out = terminal.left_out_words(terminal.print_columns(console, columns, console.width), console.width)
    if left_out:
        console.print(terminal.indented(Text(left_out, "dim")))
