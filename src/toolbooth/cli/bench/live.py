"""`toolbooth bench live`: the tokens, retrieval quality and speed of a running gateway or any MCP endpoint."""

import os
from argparse import Namespace
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from toolbooth import bench, catalog, errors, safetext, tokens
from toolbooth.bench.report import EndpointSection
from toolbooth.cli.arguments import Parser, seconds, split_command_line
from toolbooth.cli.bench import live_table, output, sources

EXAMPLES = """\
  toolbooth bench live http://127.0.0.1:8808 --golden golden.json --key KEY
                                             a running Toolbooth; its tools are read over its HTTP API
  toolbooth bench live http://127.0.0.1:8808/mcp/code --output report
                                             one surface; without questions: only tokens and times
  toolbooth bench live --adapter fastmcp-search --catalog corpus.json --golden golden.json -- python proxy.py
                                             any other endpoint, here over stdio
  toolbooth bench live https://host/mcp --adapter mine.yaml --key-env MY_KEY
                                             with your own adapter file

adapters: toolbooth · toolbooth-split · toolbooth-code · fastmcp-search · lazy-mcp · mcp-compressor · passthrough;
or a .yaml file
"""
EXITS = {
    3: "the endpoint did not answer, or ended early; its answers are shown",
}
KEY_VARIABLE = "TOOLBOOTH_KEY"


def parser() -> Parser:
    """The options of the subcommand."""
    made = Parser("bench live", __doc__ or "", EXAMPLES, EXITS)
    add = made.add_argument
    add("url", nargs="?", metavar="URL", help="http://host:port of a Toolbooth gateway, or any MCP endpoint")
    add(
        "--adapter",
        metavar="NAME|FILE",
        help="how to search and call an endpoint that is not a Toolbooth gateway",
    )
    add("--key", metavar="KEY", help="sent as a bearer token; never shown")
    add(
        "--key-env",
        metavar="VAR",
        help=f"the variable that holds the key (default {KEY_VARIABLE}; no default with --adapter)",
    )
    add("--catalog", dest="corpus", metavar="FILE", help="the tools behind the endpoint, for the baseline")
    sources.add_questions(add)
    add("--encoding", metavar="NAME", help="encoding for token counts (default cl100k_base)")
    add("--timeout", type=seconds, metavar="S", help="seconds to connect and list (default 60)")
    output.add_output(add)
    made.takes_command()
    return made


def run(words: Sequence[str]) -> int:
    """Measure and report; exit 3 if the endpoint stopped answering early."""
    from toolbooth.gateway import run as run_async

    typed = split_command_line(words)
    options = parser().parse_args(typed.options)
    if bool(options.url) == bool(typed.command):
        raise errors.UserMistake("name one endpoint: a URL or a command after `--`")
    if typed.command and not options.adapter:
        raise errors.UserMistake(
            "a command needs --adapter; `toolbooth bench live --help` lists the adapters"
        )
    key, spec, named = _key(options), _spec(options, typed.command), _named(options)
    measure = _any_endpoint if options.adapter else _own_gateway
    try:
        exam, section = run_async(measure, options, spec, key, named)
    except errors.BackendFault as fault:
        fault.server = _shown(spec)
        raise
    _print(options, exam, section)
    return 3 if section.partial else 0


def _shown(spec: catalog.ServerSpec) -> str:
    """The host and port of a URL, as they were typed; the name of a command."""
    if not spec.url:
        return spec.name
    return safetext.for_terminal(urlsplit(spec.url).netloc.rpartition("@")[2])


def _print(options: Namespace, exam: "bench.Exam", section: EndpointSection) -> None:
    partial = (f"{section.name}: {section.partial}",) if section.partial else ()
    measured = exam.pair(exam.questions) if exam.scored and exam.corpus else exam.corpus
    report = output.new_report(measured, endpoints=(section,), partial=partial)

    def show() -> None:
        live_table.print_live(section)

    output.deliver(report, section, options, show)


def _key(options: Namespace) -> str:
    """The key that was given. A blank key is an error: a script probably lost its variable.

    The gateway's own variable is used for the gateway only, so no other endpoint receives its key.
    """
    if options.key is not None and options.key_env:
        raise errors.UserMistake("choose one of --key and --key-env")
    if not options.url and (options.key is not None or options.key_env):
        raise errors.UserMistake("a key needs a URL; pass secrets to a command in its environment")
    variable = options.key_env or ("" if options.adapter else KEY_VARIABLE)
    key = options.key if options.key is not None else os.environ.get(variable)
    if key is None and options.key_env:
        raise errors.UserMistake(f"the variable {options.key_env!r} is not set")
    if key is not None and (not key.strip() or not key.strip().isascii() or not key.strip().isprintable()):
        raise errors.UserMistake(
            "the key is blank or contains characters that are not allowed in a header; check the variable"
        )
    return (key or "").strip()


def _spec(options: Namespace, command: Sequence[str]) -> catalog.ServerSpec:
    if options.url and not options.url.lower().startswith(("http://", "https://")):
        raise errors.UserMistake("the URL must begin with http:// or https://; write a command after `--`")
    found = catalog.find_sources([options.url] if options.url else [], command)
    if not found.servers:
        raise errors.UserMistake(
            f"the URL cannot be used: {'; '.join(each.reason for each in found.source_errors)}"
        )
    (spec,) = found.servers
    return replace(spec, timeout=options.timeout) if options.timeout else spec


class _Named(NamedTuple):
    """The named files, read before any connection is made."""

    corpus: bench.Corpus | None
    golden: bench.GoldenSet | None
    encoding: str


def _named(options: Namespace) -> _Named:
    return _Named(
        bench.load_corpus(Path(options.corpus)) if options.corpus else None,
        bench.load_golden(Path(options.golden)) if options.golden else None,
        tokens.check_encoding(options.encoding or tokens.DEFAULT_ENCODING),
    )


async def _any_endpoint(
    options: Namespace, spec: catalog.ServerSpec, key: str, named: _Named
) -> "tuple[bench.Exam, EndpointSection]":
    adapter, exam = bench.find_adapter(options.adapter), _exam(options, named.corpus, named.golden)
    if key and options.url:
        spec = replace(spec, headers={**spec.headers, "Authorization": f"Bearer {key}"})
    with output.status_line(f"connecting to {_shown(spec)}") as progress:
        endpoint = bench.Endpoint(adapter.name if options.url else spec.name, spec, adapter)
        (measured,) = await bench.measure_endpoints([endpoint], exam, _counted(progress), named.encoding)
    return exam, bench.endpoint_section(measured)


async def _own_gateway(
    options: Namespace, spec: catalog.ServerSpec, key: str, named: _Named
) -> "tuple[bench.Exam, EndpointSection]":
    gateway = bench.RunningGateway(spec, key)
    with output.status_line("reading the gateway's tools") as progress:
        pulled = named.corpus is None
        corpus = named.corpus or await bench.gateway_corpus(gateway)
        exam = _exam(options, corpus, named.golden, pulled=pulled)
        return exam, await bench.measure_gateway(gateway, exam, _counted(progress), named.encoding)


def _counted(progress: Callable[[str], None]) -> Callable[[int, int], None]:
    return lambda done, all_: progress(f"question {done + 1:,} of {all_:,}")


def _exam(
    options: Namespace, corpus: bench.Corpus | None, golden: bench.GoldenSet | None, *, pulled: bool = False
) -> "bench.Exam":
    """Tools read from the gateway have no version to compare; labels of unknown tools are still refused."""
    if golden is not None and corpus is not None:
        mismatch = options.allow_mismatch or pulled
        return bench.exam_of(
            bench.pair(corpus, golden, allow_unknown=options.allow_unknown, allow_mismatch=mismatch)
        )
    if golden is not None:
        return bench.exam_of_golden(golden)
    if corpus is not None:
        return bench.exam_of_corpus(corpus)
    return bench.Exam((), notes=("only the menu is weighed; name --catalog or --golden for more",))
