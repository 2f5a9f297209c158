"""`toolbooth search`: find the right tool among those of all servers, and see why it was found."""

import shlex
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.table import Table
from rich.text import Text

from toolbooth import contracts, errors, safetext, search
from toolbooth.catalog import (
    EVERY_TOOL,
    Catalog,
    LoadedCatalog,
    ServerSpec,
    ServerTools,
    Sources,
    given_secrets,
    redact_raw,
    tool_filters,
)
from toolbooth.catalog.config import Enforcement
from toolbooth.cli import arguments, terminal
from toolbooth.cli.sources import load_sources

EXAMPLES = """\
  toolbooth search open a ticket about the login page
  toolbooth search "read a file" --catalog catalog.json --top 3
  toolbooth search "delete branch" --config ~/.cursor/mcp.json --explain
  toolbooth search "convert time zones" -- uvx mcp-server-time
"""
EXITS = {
    3: "nothing could be reached, or there is no tool",
}


def parser() -> arguments.Parser:
    """The options of the command."""
    made = arguments.Parser("search", __doc__ or "", EXAMPLES, EXITS)
    add = made.add_argument
    add("query", nargs="+", metavar="WORDS", help="what you want to do, or a tool's name; no quotes needed")
    add(
        "--config",
        action="append",
        default=[],
        metavar="FILE",
        help="a client's config (default: known places)",
    )
    add("--catalog", action="append", default=[], metavar="FILE", help="a catalog file; no server is started")
    add("--top", type=arguments.positive, default=8, metavar="N", help="how many hits to show (default 8)")
    add("--server", metavar="NAME", help="only tools of this server")
    add("--read-only", action="store_true", help="only tools that are marked read-only")
    add("--not-destructive", action="store_true", help="no tools that are, or may be, destructive")
    add("--explain", action="store_true", help="show the matched fields, search stages and scores")
    add("--json", action="store_true", help="hits with scores and reasons as JSON")
    add("--words-only", action="store_true", help="match words only, without the semantic table")
    add("--onnx", metavar="PATH", help="a local sentence model instead of the built-in table")
    arguments.add_project(add)
    add("--timeout", type=arguments.seconds, metavar="S", help="seconds for each server (default 60)")
    made.takes_command()
    return made


def run(words: Sequence[str]) -> int:
    """Search and show; no match is also an answer (exit 0)."""
    typed = arguments.split_command_line(words)
    options = parser().parse_intermixed_args(typed.options)
    options.query = " ".join(options.query)
    if not options.query.strip():
        raise errors.UserMistake(
            'the query is empty; describe what you want to do, such as `toolbooth search "send a mail"`'
        )
    if options.words_only and options.onnx:
        raise errors.UserMistake("choose one of --words-only and --onnx")
    named, locked = [*options.config, *options.catalog], LockFilter()
    loaded = load_sources(
        named,
        typed.command,
        options.timeout,
        user_only=options.user_only,
        trust_project=options.trust_project,
        chosen=locked.read,
        used="searched",
    )
    result = _search(locked.kept(_let_through(loaded), options.config, options.server), options)
    if options.json:
        terminal.print_json(as_json(options.query, result))
    else:
        print_hits(result, explain=options.explain)
    return 0


def _let_through(loaded: LoadedCatalog) -> LoadedCatalog:
    """Without the tools that a filter of a config hides, which no call would find; saved catalogs have no filter."""
    filters = tool_filters(loaded.sources.servers)
    found = (filters.get(each.server, EVERY_TOOL).of(each) for each in loaded.catalog.servers)
    return replace(loaded, catalog=replace(loaded.catalog, servers=tuple(found)))


def _search(catalog: Catalog, options: Namespace) -> search.SearchResult:
    if options.server and options.server not in {each.server for each in catalog.servers}:
        known = ", ".join(each.server for each in catalog.servers)
        raise errors.UserMistake(f"no server {options.server!r} here; the servers are {known}")
    return _engine(catalog, options).search(
        options.query,
        options.top,
        server=options.server,
        read_only=options.read_only,
        not_destructive=options.not_destructive,
    )


def _engine(catalog: Catalog, options: Namespace) -> search.SearchEngine:
    if options.words_only or options.onnx:
        embedder: search.Embedder | None = search.OnnxEmbedder(options.onnx) if options.onnx else None
        return search.SearchEngine.of(catalog, embedder)
    return search.SearchEngine.of(catalog)


def as_json(query: str, result: search.SearchResult) -> dict[str, Any]:
    """The answer for a program."""
    from dataclasses import asdict

    return {
        "query": query,
        "hits": [
            {
                "id": hit.tool.id,
                "server": hit.tool.server,
                "name": hit.tool.name,
                "score": round(hit.score, 4),
                "signature": search.signature(hit.tool),
                "description": hit.tool.description,
                "why": asdict(hit.why),
            }
            for hit in result.hits
        ],
        "corrected": dict(result.corrected),
        "try_also": list(result.try_also),
        "nearest": list(result.nearest),
    }


def print_hits(result: search.SearchResult, *, explain: bool = False) -> None:
    """Best first: relevance, signature, first sentence; with the reasons if asked for."""
    console = terminal.out()
    for typed, meant in result.corrected.items():
        console.print(
            Text(
                f"searched for “{safetext.for_terminal(meant, 60)}” instead of “{safetext.for_terminal(typed, 60)}”",
                "dim",
            )
        )
    if result.hits:
        console.print(_table(result, explain))
    else:
        console.print(Text("no tool matches", "bold"))
    for words, terms in (("nearest terms", result.nearest), ("try also", result.try_also)):
        if terms:
            console.print(Text(f"{words}: {safetext.for_terminal(', '.join(terms))}", "dim"))


def _table(result: search.SearchResult, explain: bool) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True, style="cyan", min_width=4)
    table.add_column()
    for hit in result.hits:
        table.add_row(f"{hit.score:4.2f}", _line(hit))
        if explain:
            table.add_row("", Text(_why(hit), "dim"))
    return table


def _line(hit: search.Hit) -> Text:
    name, bracket, rest = safetext.for_terminal(search.signature(hit.tool), 400).partition("(")
    line = Text(name, "bold").append(bracket + rest, "not bold")
    said = search.one_line(hit.tool.description)
    return line.append(f" — {said}", "dim not bold") if said else line


def _why(hit: search.Hit) -> str:
    fields = ", ".join(hit.why.fields) or "no word"
    tiers = ", ".join(hit.why.tiers) or "none"
    boost = f" · usage +{hit.why.usage_boost:.3f}" if hit.why.usage_boost else ""
    return (
        f"matched {fields} · by {tiers} · words {hit.why.lexical:.2f} · meaning {hit.why.semantic:.2f}{boost}"
    )


class LockFilter:
    """The lock of the named configs: read before any server is started, applied when they have answered.

    As in a gateway, the first file with `contracts:` counts. Saved catalogs are not servers and pass.
    """

    def __init__(self) -> None:
        self._asked: Enforcement | None = None
        self._lock: contracts.Lock | None = None

    def read(self, sources: Sources) -> Sources:
        """Raises UserMistake if a lock that is enforced cannot be read; in mode `warn` it only warns."""
        asked = next(iter(sources.enforcements), None)
        if asked is None or asked.mode == "off" or asked.lock is None:
            return sources
        self._asked = asked
        try:
            self._lock = _read(asked, Path(asked.lock))
        except errors.UserMistake as mistake:
            if asked.mode == "enforce":
                raise errors.UserMistake(
                    f"{mistake}; nothing is approved until the lock can be read"
                ) from None
            _say(asked, str(mistake))
        return sources

    def kept(self, loaded: LoadedCatalog, named: Sequence[str], server: str | None = None) -> Catalog:
        """The catalog without held-back tools; their number goes to stderr."""
        if self._asked is None or self._lock is None:
            return loaded.catalog
        specs = {spec.name: spec for spec in loaded.sources.servers}
        approvals = _judged(self._lock, self._asked, loaded.catalog, specs)
        looked_at = specs if server is None else specs.keys() & {server}
        count = sum(len(approvals.differing(name)) for name in looked_at)
        if count:
            _say(self._asked, _differ(self._asked, count, named))
        servers = (
            _passing(each, approvals) if each.server in specs else each for each in loaded.catalog.servers
        )
        return replace(loaded.catalog, servers=tuple(servers))


def _read(asked: Enforcement, path: Path) -> contracts.Lock:
    if not path.exists():
        raise errors.ConfigError("no such lock; `toolbooth lock` writes one", path)
    lock = contracts.read_lock(path)
    if lock.signature is not None or asked.verify_key is not None:
        contracts.verify(
            lock, path, None if asked.verify_key is None else contracts.public_key(asked.verify_key)
        )
    return lock


def _judged(
    lock: contracts.Lock, asked: Enforcement, catalog: Catalog, specs: dict[str, ServerSpec]
) -> contracts.Approvals:
    """Compare digests. A server's secrets are redacted first, as in a lock; unlocked tools need no digest."""
    approvals = contracts.Approvals(asked.mode)
    locked = {
        name: {tool: each.digest for tool, each in server.tools.items()}
        for name, server in lock.contracts.servers.items()
    }
    approvals.lock(locked)
    for offered in catalog.servers:
        if offered.server in specs:
            known, secrets = locked.get(offered.server, {}), given_secrets(specs[offered.server])
            now = {
                tool.name: contracts.digest_of(redact_raw(tool.raw, secrets)) if tool.name in known else ""
                for tool in offered.tools
            }
            approvals.offer(offered.server, now)
    return approvals


def _passing(offered: ServerTools, approvals: contracts.Approvals) -> ServerTools:
    tools = tuple(tool for tool in offered.tools if approvals.passes(offered.server, tool.name))
    return replace(offered, tools=tools)


def _differ(asked: Enforcement, count: int, named: Sequence[str]) -> str:
    tools, they = ("1 tool is", "it is") if count == 1 else (f"{count:,} tools are", "they are")
    look = shlex.join(["toolbooth", "lock", *named, "--check"])
    if asked.mode == "enforce":
        return f"{tools} held back: {they} new or changed since the lock was written; see `{look}`"
    return f"{tools} not as locked; see `{look}`"


def _say(asked: Enforcement, said: str) -> None:
    terminal.complain(f"contracts: {asked.mode}", said)
