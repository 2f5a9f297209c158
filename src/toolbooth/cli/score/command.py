"""`toolbooth score`: precision, recall and F1 of the tool choices in recorded agent runs; asks no model."""

from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from toolbooth import errors, limits, safetext, suggest, suite
from toolbooth.catalog import NotJson, decode, read_catalog
from toolbooth.catalog.config import Document, parse_document, read_regular
from toolbooth.cli import arguments, terminal
from toolbooth.cli.score.table import print_score
from toolbooth.tokens import weigh

EXAMPLES = """\
  toolbooth score trace.json --classes 'search=brave.web_search,google.search;fetch=http.get'
  toolbooth score run-*.json --classes classes.yaml --expect 'f1>=80' --expect 'precision>=90'
  toolbooth score spans.jsonl --classes classes.yaml --format-of otel --catalog catalog.json
  toolbooth score messages.json --classes 'find=web_search' --servers brave,google --json
  toolbooth score smalltalk.json --expect-no-calls
"""
EXITS = {
    1: "an expectation does not hold",
    3: "--catalog has no tools",
}
SHAPES = ("auto", "toolbooth", "openai", "anthropic", "otel")
_OF_SURFACE = frozenset({"tool_surface_tokens", "tokens_per_correct"})


def parser() -> arguments.Parser:
    """The options of the command."""
    made = arguments.Parser("score", __doc__ or "", EXAMPLES, EXITS)
    add = made.add_argument
    add("traces", nargs="+", metavar="TRACE", help="a file of recorded runs: JSON, or one run per line")
    add("--classes", metavar="CLASSES", help="'class=tool,tool;class=tool', or a YAML or JSON file")
    add(
        "--expect-no-calls",
        action="store_true",
        help="instead of classes: the agent should call no tool",
    )
    add("--format-of", choices=SHAPES, default="auto", help="format of the traces (default: detect it)")
    add(
        "--servers",
        default="",
        metavar="A,B",
        help="more server names that may prefix a tool (a__tool), besides those in the classes",
    )
    add(
        "--surface-tokens",
        type=arguments.positive,
        metavar="N",
        help="tokens of the tools that were offered to the agent",
    )
    add("--catalog", metavar="FILE", help="weigh this catalog file of the offered tools instead")
    add(
        "--expect",
        action="append",
        default=[],
        metavar="EXPR",
        help="exit 1 if this does not hold, such as 'f1>=80'; can be repeated",
    )
    add("--json", action="store_true", help="the whole score as JSON")
    return made


def run(words: Sequence[str]) -> int:
    """Score and show; exit 1 if an expectation does not hold."""
    options = parser().parse_args(words)
    _check(options)

    expected = [suite.read_expect_line(line) for line in options.expect]
    classes = read_classes(options.classes) if options.classes is not None else {}
    catalog = _catalog(options.catalog)
    surface = _surface_tokens(options, catalog)
    if surface is None and any(each.target in _OF_SURFACE for each in expected):
        raise errors.UserMistake("an --expect on tokens needs --surface-tokens or --catalog")
    known = list(dict.fromkeys([*(each for members in classes.values() for each in members), *catalog.ids]))
    names = suite.KnownTools.of([*_servers(options.servers), *catalog.servers], known)
    traces = [
        trace for path in options.traces for trace in suite.read_traces(Path(path), options.format_of, names)
    ]
    score = suite.score_traces(classes, traces, surface, expect_no_calls=options.expect_no_calls)
    checks = [score.check(each) for each in expected]
    notes = [*suite.overlaps(classes), *_hints(score), *read_as(names)]
    warnings = [] if options.expect_no_calls else unknown_tools(traces, [*known, *catalog.names])
    if options.json:
        terminal.print_json(as_json(score, checks, notes, warnings))
    else:
        print_score(score, checks, notes, warnings)
    return int(any(check.state == "failed" for check in checks))


def _check(options: Namespace) -> None:
    if options.classes is None and not options.expect_no_calls:
        raise errors.UserMistake("name the right tools with --classes, or use --expect-no-calls")
    if options.classes is not None and options.expect_no_calls:
        raise errors.UserMistake("choose one of --classes and --expect-no-calls")
    if options.surface_tokens is not None and options.catalog is not None:
        raise errors.UserMistake("choose one of --surface-tokens and --catalog")


def _servers(given: str) -> list[str]:
    return [name.strip() for name in given.split(",") if name.strip()]


class _Catalog(NamedTuple):
    ids: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    servers: tuple[str, ...] = ()
    tokens: int | None = None


def _catalog(given: str | None) -> _Catalog:
    if given is None:
        return _Catalog()
    path = Path(given)
    try:
        document = decode(read_regular(path, limits.MAX_CATALOG_BYTES))
    except NotJson as error:
        raise errors.ConfigError(f"broken JSON: {error}", path) from None
    found = read_catalog(document, path)
    if not found.tools:
        raise errors.NothingToWeigh(f"{path}: the catalog has no tools, so there is nothing to weigh")
    servers = tuple(server.server for server in found.servers)
    ids, names = tuple(tool.id for tool in found), tuple(tool.name for tool in found)
    return _Catalog(ids, names, servers, weigh(found).total_tokens)


def _surface_tokens(options: Namespace, catalog: _Catalog) -> int | None:
    given: int | None = options.surface_tokens
    return given if catalog.tokens is None else catalog.tokens


def _hints(score: suite.Score) -> list[str]:
    if not score.errored:
        return []
    runs = "1 run" if score.errored == 1 else f"{score.errored} runs"
    return [f"{runs} ended in an error and count as runs without calls"]


def read_as(names: suite.KnownTools) -> list[str]:
    """Tool names that were split into server and tool, as written and as read."""
    found = [
        f"{safetext.for_terminal(old, 60)} as {safetext.for_terminal(new, 60)} ×{n:,}"
        for (old, new), n in names.read_as.items()
    ]
    more = f" and {len(found) - limits.SHOWN_TOOLS:,} more" if len(found) > limits.SHOWN_TOOLS else ""
    return [f"read {', '.join(found[: limits.SHOWN_TOOLS])}{more}"] if found else []


def unknown_tools(traces: Sequence[suite.Trace], known: Sequence[str]) -> list[str]:
    """Warn about runs without any call of a known tool: they probably score 0 because of spelling."""
    strange = suite.without_a_known_tool(traces, known)
    if not strange:
        return []
    called = list(dict.fromkeys(call.id for trace in strange for call in trace.calls))
    runs = "1 run" if len(traces) == 1 else f"{len(strange):,} of {len(traces):,} runs"
    return [f"{runs} called no known tool, only {_listed(called)}; {_meant(called, known)}"]


def _meant(called: Sequence[str], known: Sequence[str]) -> str:
    for name in called[: limits.SHOWN_TOOLS]:
        short = safetext.for_terminal(name, 60)
        same = [each for each in known if each.rpartition(".")[2] == name]
        near = same or suggest.closest(short, known)
        if near:
            return f"did you mean {safetext.for_terminal(near[0], 60)}? Then write the member as {short}"
    return f"the known tools are {_listed(known)}"


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - limits.SHOWN_TOOLS:,} more" if len(names) > limits.SHOWN_TOOLS else ""
    return ", ".join(safetext.for_terminal(name, 60) for name in names[: limits.SHOWN_TOOLS]) + more


def as_json(
    score: suite.Score, checks: Sequence[suite.Check], notes: Sequence[str], warnings: Sequence[str] = ()
) -> dict[str, Any]:
    """The answer for a program; figures that are undefined are absent."""
    from dataclasses import asdict

    chosen = score.selection
    return {
        "runs": score.passes.of,
        "errored": score.errored,
        "tp": chosen.tp,
        "fp": chosen.fp,
        "fn": chosen.fn,
        **score.figures,
        "grade": chosen.grade,
        "missed": dict(chosen.missed),
        "unexpected": dict(chosen.unexpected),
        "fully_right": score.passes._asdict(),
        "checks": [asdict(check) for check in checks],
        "notes": list(notes),
        "warnings": list(warnings),
    }


HOW = "'search=brave.web_search,google.search;fetch=http.get'"
At = tuple[str | int, ...]


class _Entry(NamedTuple):
    name: object
    members: object
    at: At


def read_classes(given: str) -> dict[str, list[str]]:
    """A file of that name is read; else the text itself is taken, by its `=`."""
    if _is_there(given):
        return {name: _spelled(members) for name, members in _of_file(Path(given)).items()}
    if "=" not in given:
        raise errors.UserMistake(
            f"--classes: {safetext.for_terminal(given, 80)!r} is neither a file nor a list of classes; try {HOW}"
        )
    return {name: _spelled(members) for name, members in _of_text(given).items()}


def _spelled(members: list[str]) -> list[str]:
    """`server__tool` as `server.tool`, too: a tool that has `__` in its own name keeps it."""
    found: list[str] = []
    for member in members:
        found.append(member)
        server, joint, tool = member.removeprefix("mcp__").partition("__")
        if server and joint and tool and "__" not in tool and "." not in member:
            found.append(f"{server}.{tool}")
    return list(dict.fromkeys(found))


def _is_there(name: str) -> bool:
    try:
        return bool(name) and Path(name).exists()
    except (OSError, ValueError):  # inline classes may not be a valid file name
        return False


def _of_text(text: str) -> dict[str, list[str]]:
    classes: dict[str, list[str]] = {}
    for part in filter(str.strip, text.split(";")):
        name, equals, members = part.partition("=")
        names = [member.strip() for member in members.split(",") if member.strip()]
        shown = safetext.for_terminal(part.strip(), 60)
        if not equals or not name.strip() or not names:
            raise errors.UserMistake(f"--classes: {shown!r} is not a class; try {HOW}")
        if name.strip() in classes:
            raise errors.UserMistake(f"--classes: {safetext.for_terminal(name.strip(), 60)!r} is given twice")
        classes[name.strip()] = names
    if not classes:
        raise errors.UserMistake(f"--classes is empty; try {HOW}")
    return classes


def _of_file(path: Path) -> dict[str, list[str]]:
    document = parse_document(path)
    classes: dict[str, list[str]] = {}
    for entry in _entries(document):
        name = entry.name
        if not isinstance(name, str) or not name.strip():
            raise document.mistake("this class has no name; add one", entry.at)
        if name in classes:
            raise document.mistake(f"the class {safetext.for_terminal(name, 60)!r} is given twice", entry.at)
        classes[name] = _members(document, entry)
    if not classes:
        raise document.mistake("the file has no classes; add at least one")
    return classes


def _entries(document: Document) -> Iterator[_Entry]:
    value: Any = document.value
    at: At = ()
    if (
        isinstance(value, Mapping)
        and set(value) == {"classes"}
        and isinstance(value["classes"], Mapping | list)
    ):
        held = value["classes"]
        if isinstance(held, Mapping) or all(isinstance(each, Mapping) for each in held):
            value, at = held, ("classes",)
    if isinstance(value, Mapping):
        yield from (_Entry(name, members, (*at, name)) for name, members in value.items())
    elif isinstance(value, list):
        for index, item in enumerate(value):
            if not isinstance(item, Mapping) or not {"name", "members"}.issuperset(item):
                raise document.mistake("a class must be a map with name and members", (*at, index))
            yield _Entry(item.get("name"), item.get("members"), (*at, index))
    else:
        raise document.mistake("classes must be a map of names to members, or a list of {name, members}")


def _members(document: Document, entry: _Entry) -> list[str]:
    members = [entry.members] if isinstance(entry.members, str) else entry.members
    filled = isinstance(members, list) and all(isinstance(each, str) and each.strip() for each in members)
    if not isinstance(members, list) or not members or not filled:
        shown = safetext.for_terminal(str(entry.name), 60)
        raise document.mistake(f"the members of {shown!r} must be a list of at least one tool", entry.at)
    return members
