"""`toolbooth doctor --client`: the first turn of one client as a table for a person and as JSON for a program."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from rich.console import Console
from rich.text import Text

from toolbooth import __version__, catalog, figures, safetext, tokens
from toolbooth.cli.doctor.client_turn import ClientReport, Mode
from toolbooth.cli.doctor.words import hidden_words
from toolbooth.cli.terminal import Column, indented, left_out_words, out, print_columns

_NAMED: Final = 5  # tools named in one line
_SAFE_NAME: Final = 64  # characters of a name that every provider takes


def as_json(report: ClientReport) -> dict[str, Any]:
    """Everything that the table shows, and all the tools of the config as it is."""
    profile = report.profile
    return {
        "toolbooth": __version__,
        "client": profile.key,
        "observed": profile.observed or None,
        "documents": list(profile.documents),
        "encoding": report.encoding,
        "total_tokens": report.now.tokens.all,
        "modes": [_mode(mode) for mode in report.modes],
        "auto": report.choice._asdict(),
        "tools": [_tool(each, report.encoding) for each in report.now.turn.tools],
        "caps": caps_of(profile),
        "hidden": [each._asdict() for each in report.hidden],
        "source_errors": [each._asdict() for each in report.sources.source_errors],
        "budget": {"limit": report.budget, "over_by": report.over_by} if report.budget is not None else None,
    }


def caps_of(profile: catalog.ClientProfile) -> dict[str, Any]:
    """The client's limits; None is one that it does not have, or that is not known."""
    return {
        "tools": profile.max_tools,
        "name_chars": None if profile.long_names == "kept" else profile.name_chars,
        "long_names": profile.long_names,
        "description_chars": profile.description_chars,
        "instruction_chars": profile.instruction_chars,
        "result_tokens": profile.result_tokens,
    }


def _mode(mode: Mode) -> dict[str, Any]:
    return {
        "tool_search": mode.searches,
        "where": mode.where or None,
        "setups": [
            {
                "setup": each.name,
                "loaded": [tool.whole_name for tool in each.turn.loaded],
                "deferred": [tool.whole_name for tool in each.turn.deferred],
                "left_out": [tool.whole_name for tool in each.turn.left_out],
                "instructions": [
                    {"server": server, **text._asdict()} for server, text in each.turn.instructions.items()
                ],
                "tokens": {**each.tokens._asdict(), "all": each.tokens.all},
            }
            for each in mode.setups
        ],
    }


def _tool(each: catalog.SentTool, encoding: str) -> dict[str, Any]:
    return {
        "id": each.tool.id,
        "namespace": each.namespace or None,
        "name": each.name,
        "deferred": each.deferred,
        "left_out": each.left_out,
        "description": each.description._asdict(),
        "tokens": tokens.weigh([each.as_sent()], encoding).total_tokens,
    }


def print_table(report: ClientReport, top: int) -> None:
    """A table for each condition, the tools as the client writes them, and lines on what it cuts."""
    console = out()
    console.print(Text(f"{report.profile.name}: what its model is sent at the first turn", "bold"))
    console.print(indented(Text(_provenance(report.profile), "dim")))
    for mode in report.modes:
        console.print()
        _print_mode(console, mode)
    console.print()
    _print_tools(console, report, top)
    for line in (*_lines(report), *_verdict(report)):
        console.print(indented(Text(line)))


def _provenance(profile: catalog.ClientProfile) -> str:
    if profile.observed:
        return f"observed: {profile.name} {profile.observed}, run with a scripted provider"
    return f"not observed: by {profile.name}'s documents, source and issues ({', '.join(profile.documents)})"


def _print_mode(console: Console, mode: Mode) -> None:
    rows = mode.setups
    if mode.where:
        console.print(indented(Text(f"tool search {'on' if mode.searches else 'off'}, {mode.where}", "dim")))

    def column(name: str, cells: Sequence[int], goes: int, style: str = "") -> Column:
        return Column(name, "number", [figures.number(cell) for cell in cells], goes, style)

    columns = [
        Column("  setup", "name", [Text(f"  {each.name}") for each in rows]),
        column("loaded", [len(each.turn.loaded) for each in rows], 0),
        column("deferred", [len(each.turn.deferred) for each in rows], 0),
        column("definitions", [each.tokens.definitions for each in rows], 101),
        column("names", [each.tokens.names for each in rows], 103),
        column("instructions", [each.tokens.instructions for each in rows], 102),
        column("tokens", [each.tokens.all for each in rows], 0, "bold"),
    ]
    if gone := left_out_words(print_columns(console, columns, console.width), console.width):
        console.print(indented(Text(gone, "dim")))


def _print_tools(console: Console, report: ClientReport, top: int) -> None:
    """The heaviest tools of the config as it is."""
    tools = report.now.turn.tools
    weights = {id(each): tokens.weigh([each.as_sent()], report.encoding).total_tokens for each in tools}
    shown = sorted(tools, key=lambda each: (-weights[id(each)], each.whole_name))[:top]
    names = [Text("  " + safetext.for_terminal(each.whole_name, 100)) for each in shown]
    columns = [
        Column("  tools, as the client writes them", "name", names),
        Column("", "words", [_state(each) for each in shown]),
        Column("tokens if loaded", "number", [figures.number(weights[id(each)]) for each in shown]),
    ]
    print_columns(console, columns, console.width)
    if len(tools) > top:
        left = figures.number(len(tools) - top)
        console.print(Text(f"  … and {left} lighter ones (--top N shows more)", "dim"))
    console.print()


def _state(each: catalog.SentTool) -> str:
    return "left out" if each.left_out else "deferred" if each.deferred else "loaded"


def _lines(report: ClientReport) -> Iterator[str]:
    """What the client cuts and leaves out, its caps, its filters, and what `auto` would do."""
    profile, turn = report.profile, report.now.turn
    long = [each for each in turn.tools if each.description.is_cut]
    if long:
        most = figures.number(profile.description_chars or 0)
        yield f"{figures.counted(len(long), 'description')} cut after {most} characters: {_names(long)}"
    for server, text in turn.instructions.items():
        if text.is_cut:
            name, whole = safetext.for_terminal(server, 40), figures.number(text.chars)
            yield f"instructions of {name} cut: {figures.number(len(text.text))} of {whole} characters"
    yield from _name_lines(report)
    number = len(turn.tools) - len(turn.left_out)
    if profile.max_tools is not None and number > profile.max_tools:
        yield f"{figures.number(number)} tools are over {profile.name}'s limit of {figures.number(profile.max_tools)}"
    if profile.result_tokens is not None:
        yield f"results over {figures.number(profile.result_tokens)} tokens are cut, or turned into a file"
    yield from (hidden_words("", each) for each in report.hidden)
    yield f"auto: {report.choice.surface} ({report.choice.reason})"
    yield "the client's own tools and prompt are not counted"


def _name_lines(report: ClientReport) -> Iterator[str]:
    profile, turn = report.profile, report.now.turn
    if turn.left_out:
        tools = figures.counted(len(turn.left_out), "tool")
        yield f"{tools} left out, because names are too long: {_names(turn.left_out)}"
    if profile.long_names == "kept":
        long = [each for each in turn.tools if len(each.name) > _SAFE_NAME]
        if long:
            names = figures.counted(len(long), "name")
            yield f"{names} over {_SAFE_NAME} characters, which some providers refuse: {_names(long)}"


def _names(tools: Sequence[catalog.SentTool]) -> str:
    named = ", ".join(safetext.for_terminal(each.tool.id, 60) for each in tools[:_NAMED])
    return f"{named} and {figures.number(len(tools) - _NAMED)} more" if len(tools) > _NAMED else named


def _verdict(report: ClientReport) -> Iterator[str]:
    if report.budget is None:
        return
    total, allowed = figures.number(report.now.tokens.all), figures.number(report.budget)
    if report.over_by:
        yield f"over budget by {figures.number(report.over_by)}: {total} tokens, {allowed} allowed"
    elif report.exit_code:
        yield f"budget not confirmed: {total} of {allowed} tokens, but not every server could be weighed"
    else:
        yield f"within budget: {total} of {allowed} tokens"
