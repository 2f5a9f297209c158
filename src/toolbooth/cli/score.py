"""`toolbooth score`: did recorded agents reach for the right tools? Precision, recall and F1, with no model asked."""

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toolbooth.cli.arguments import Parser, positive
from toolbooth.errors import ConfigError, UserMistake
from toolbooth.safetext import for_terminal

if TYPE_CHECKING:
    from toolbooth.suite.score import Check, Classes, Score

EXAMPLES = """\
  toolbooth score trace.json --classes 'search=brave.web_search,google.search;fetch=http.get'
  toolbooth score run-*.json --classes classes.yaml --expect 'f1>=80' --expect 'precision>=90'
  toolbooth score spans.jsonl --classes classes.yaml --format-of otel --catalog catalog.json
  toolbooth score messages.json --classes 'find=web_search' --servers brave,google --json
  toolbooth score smalltalk.json --expect-no-calls
"""
SHAPES = ("auto", "toolbooth", "openai", "anthropic", "otel")
_OF_SURFACE = frozenset({"tool_surface_tokens", "tokens_per_correct"})


def parser() -> Parser:
    """The options of the verb."""
    made = Parser("score", __doc__ or "", EXAMPLES)
    add = made.add_argument
    add("traces", nargs="+", metavar="TRACE", help="a file of recorded runs: JSON, or a run a line")
    add("--classes", metavar="CLASSES", help="'class=tool,tool;class=tool', or a YAML or JSON file of them")
    add(
        "--expect-no-calls",
        action="store_true",
        help="instead of classes: the right answer is to call nothing",
    )
    add(
        "--format-of", choices=SHAPES, default="auto", help="whose traces these are (default: by their shape)"
    )
    add("--servers", default="", metavar="A,B", help="names that may stand before a tool's, as in a__tool")
    add("--surface-tokens", type=positive, metavar="N", help="tokens of the tools that the agent was offered")
    add("--catalog", metavar="FILE", help="the same, weighed: a catalog file of these tools")
    add(
        "--expect",
        action="append",
        default=[],
        metavar="EXPR",
        help="fail (exit 1) where this does not hold, as in 'f1>=80'; can be given often",
    )
    add("--json", action="store_true", help="all of it as JSON")
    return made


def run(words: Sequence[str]) -> int:
    """Score and show; 1 where an expectation does not hold."""
    options = parser().parse_args(words)
    _check(options)
    from toolbooth.cli.score_classes import read_classes
    from toolbooth.suite.score import overlaps, read_expect_line, read_traces, score_traces

    expected = [read_expect_line(line) for line in options.expect]
    classes = read_classes(options.classes) if options.classes is not None else {}
    surface = _surface_tokens(options)
    if surface is None and any(each.target in _OF_SURFACE for each in expected):
        raise UserMistake("expecting tokens of the surface needs --surface-tokens or --catalog")
    servers = [name.strip() for name in options.servers.split(",") if name.strip()]
    traces = [
        trace for path in options.traces for trace in read_traces(Path(path), options.format_of, servers)
    ]
    score = score_traces(classes, traces, surface, expect_no_calls=options.expect_no_calls)
    checks = [score.check(each) for each in expected]
    notes = [*overlaps(classes), *_hints(score, classes, servers)]
    if options.json:
        from toolbooth.cli.terminal import print_json

        print_json(as_json(score, checks, notes))
    else:
        from toolbooth.cli.score_table import print_score

        print_score(score, checks, notes)
    return int(any(check.state == "failed" for check in checks))


def _check(options: Namespace) -> None:
    if options.classes is None and not options.expect_no_calls:
        raise UserMistake(
            "say what would be right: --classes, or --expect-no-calls where nothing should be called"
        )
    if options.classes is not None and options.expect_no_calls:
        raise UserMistake("choose one of --classes and --expect-no-calls")
    if options.surface_tokens is not None and options.catalog is not None:
        raise UserMistake("choose one of --surface-tokens and --catalog")


def _surface_tokens(options: Namespace) -> int | None:
    if options.catalog is None:
        given: int | None = options.surface_tokens
        return given
    from toolbooth.catalog import NotJson, decode, read_catalog
    from toolbooth.catalog.config import read_regular
    from toolbooth.limits import MAX_CATALOG_BYTES
    from toolbooth.tokens import weigh

    path = Path(options.catalog)
    try:
        document = decode(read_regular(path, MAX_CATALOG_BYTES))
    except NotJson as error:
        raise ConfigError(f"broken JSON: {error}", path) from None
    return weigh(read_catalog(document, path)).total_tokens


def _hints(score: "Score", classes: "Classes", servers: Sequence[str]) -> list[str]:
    notes = []
    if score.errored:
        runs = "1 run" if score.errored == 1 else f"{score.errored} runs"
        notes.append(f"{runs} ended in an error: counted as if nothing had been called")
    joined = next((name for name in score.selection.unexpected if "__" in name), None)
    if joined and not servers and any("." in each for members in classes.values() for each in members):
        notes.append(
            f"{for_terminal(joined, 60)} may be a server and a tool: name the servers with --servers"
        )
    return notes


def as_json(score: "Score", checks: "Sequence[Check]", notes: Sequence[str]) -> dict[str, Any]:
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
    }
