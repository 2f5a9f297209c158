"""`toolbooth search`: find the right tool among those of every server, and see why it was found."""

from argparse import Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from toolbooth.cli.arguments import Parser, add_project, cut_command, positive, seconds
from toolbooth.cli.search_locked import Locked
from toolbooth.cli.sources import load_sources
from toolbooth.errors import UserMistake

if TYPE_CHECKING:
    from toolbooth.catalog import Catalog
    from toolbooth.search import Embedder, SearchEngine, SearchResult

EXAMPLES = """\
  toolbooth search open a ticket about the login page
  toolbooth search "read a file" --catalog catalog.json --top 3
  toolbooth search "delete branch" --config ~/.cursor/mcp.json --explain
  toolbooth search "convert time zones" -- uvx mcp-server-time
"""


def parser() -> Parser:
    """The options of the verb."""
    made = Parser("search", __doc__ or "", EXAMPLES)
    add = made.add_argument
    add("query", nargs="+", metavar="WORDS", help="what you want to do, or a tool's name; no quotes needed")
    add(
        "--config",
        action="append",
        default=[],
        metavar="FILE",
        help="a client's config (default: known places)",
    )
    add("--catalog", action="append", default=[], metavar="FILE", help="a catalog file: no server is started")
    add("--top", type=positive, default=8, metavar="N", help="how many hits to show (default 8)")
    add("--server", metavar="NAME", help="only tools of this server")
    add("--read-only", action="store_true", help="only tools that say they change nothing")
    add("--not-destructive", action="store_true", help="no tools that say, or leave open, that they destroy")
    add("--explain", action="store_true", help="which field, which tier, which score")
    add("--json", action="store_true", help="hits with scores and reasons as JSON")
    add("--words-only", action="store_true", help="without the semantic table")
    add("--onnx", metavar="PATH", help="a local sentence model instead of the built-in table")
    add_project(add)
    add("--timeout", type=seconds, metavar="S", help="seconds for each server (default 60)")
    made.takes_command()
    return made


def run(words: Sequence[str]) -> int:
    """Search and show; that nothing fits is an answer, too (exit 0)."""
    typed = cut_command(words)
    options = parser().parse_intermixed_args(typed.options)
    options.query = " ".join(options.query)
    if not options.query.strip():
        raise UserMistake(
            'the query is empty; say what you want to do, as in `toolbooth search "send a mail"`'
        )
    if options.words_only and options.onnx:
        raise UserMistake("choose one of --words-only and --onnx")
    named, locked = [*options.config, *options.catalog], Locked()
    loaded = load_sources(
        named,
        typed.command,
        options.timeout,
        user_only=options.user_only,
        trust_project=options.trust_project,
        chosen=locked.read,
        used="searched",
    )
    result = _search(locked.kept(loaded, options.config, options.server), options)
    if options.json:
        from toolbooth.cli.terminal import print_json

        print_json(as_json(options.query, result))
    else:
        from toolbooth.cli.search_table import print_hits

        print_hits(result, explain=options.explain)
    return 0


def _search(catalog: "Catalog", options: Namespace) -> "SearchResult":
    if options.server and options.server not in {each.server for each in catalog.servers}:
        known = ", ".join(each.server for each in catalog.servers)
        raise UserMistake(f"there is no server {options.server!r} here; there are {known}")
    return _engine(catalog, options).search(
        options.query,
        options.top,
        server=options.server,
        read_only=options.read_only,
        not_destructive=options.not_destructive,
    )


def _engine(catalog: "Catalog", options: Namespace) -> "SearchEngine":
    from toolbooth.search import OnnxEmbedder, SearchEngine

    if options.words_only or options.onnx:
        embedder: Embedder | None = OnnxEmbedder(options.onnx) if options.onnx else None
        return SearchEngine.of(catalog, embedder)
    return SearchEngine.of(catalog)


def as_json(query: str, result: "SearchResult") -> dict[str, Any]:
    """The answer for a program."""
    from dataclasses import asdict

    from toolbooth.search import signature

    return {
        "query": query,
        "hits": [
            {
                "id": hit.tool.id,
                "server": hit.tool.server,
                "name": hit.tool.name,
                "score": round(hit.score, 4),
                "signature": signature(hit.tool),
                "description": hit.tool.description,
                "why": asdict(hit.why),
            }
            for hit in result.hits
        ],
        "corrected": dict(result.corrected),
        "try_also": list(result.try_also),
        "nearest": list(result.nearest),
    }
