"""A doctor report as JSON for a program and as Markdown for a pull request."""

import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from toolbooth import __version__, economics, figures, safetext, tokens
from toolbooth.cli.doctor import words
from toolbooth.cli.doctor.report import (
    WINDOW,
    ClientFinding,
    ClientSurface,
    DoctorReport,
    advice,
    look_alikes,
)


def as_json(report: DoctorReport) -> dict[str, Any]:
    """Everything that the table shows, and all the tools.

    `total_tokens`, `window`, `price` and `budget` are of the heaviest client; `servers` and `tools` are of all.
    """
    diagnosis = report.diagnosis
    return {
        "toolbooth": __version__,
        "encoding": diagnosis.encodings[0],
        "total_tokens": report.tokens,
        "totals": report.heaviest.tokens_by_encoding,
        "clients": [_client(each) for each in report.clients],
        "window": {"tokens": WINDOW, "share": round(report.window_share, 6)},
        "price": _price(report.price) if report.price else None,
        "price_note": report.price_note,
        "fingerprint": diagnosis.fingerprint,
        "complete": not report.incomplete,
        "budget": _budget(report) if report.budget is not None else None,
        "servers": [_server(each) for each in diagnosis.servers],
        "tools": [_tool(each) for each in diagnosis.tools],
        "slimming": {"saves_tokens": diagnosis.slim_saving, "noise": diagnosis.noise},
        "duplicates": [_held(each) for each in look_alikes(report.clients)],
        "advice": [_held(each) for each in advice(report.clients)],
        "set_aside": [asdict(each) for each in diagnosis.set_aside],
        "source_errors": [each._asdict() for each in report.sources.source_errors],
        "notes": list(report.sources.notes),
        "disabled": list(report.sources.disabled),
        "sources": list(report.sources.read),
    }


def _client(each: ClientSurface) -> dict[str, Any]:
    return {
        "client": each.client or None,
        "tools": each.tools,
        "tokens": each.tokens,
        "tokens_by_encoding": each.tokens_by_encoding,
        "window_share": round(each.tokens / WINDOW, 6),
        "servers": [server.server.server for server in each.seen],
        "gateways": [menu._asdict() for menu in each.menus],
        "auto": each.choice._asdict(),
        "tokens_behind": sum(server.tokens for server in each.behind),
        "hidden": [hidden._asdict() for hidden in each.hidden],
    }


def _held(each: ClientFinding[economics.Advice] | ClientFinding[economics.Cluster]) -> dict[str, Any]:
    return {**asdict(each.found), "clients": list(each.clients)}


def _price(price: tokens.CarryPrice) -> dict[str, Any]:
    return {
        "model": price.model,
        "provider": price.provider,
        "calls": 1000,
        "usd": float(price.uncached),
        "usd_cached": None if price.cached is None else float(price.cached),
    }


def _budget(report: DoctorReport) -> dict[str, Any]:
    return {
        "limit": report.budget,
        "passed": report.exit_code == 0,
        "over_by": report.over_by,
        "offenders": [each.weight.id for each in report.offenders],
        "clients_over": [each.client for each in report.clients if each.tokens > (report.budget or 0)],
    }


def _server(each: economics.ServerDiagnosis) -> dict[str, Any]:
    return {
        "server": each.server.server,
        "title": each.server.title,
        "version": each.server.version,
        "protocol": each.server.protocol,
        "tools": len(each.server.tools),
        "tokens": each.tokens,
        "tokens_by_encoding": dict(each.tokens_by_encoding),
        "share": round(each.share, 6),
        "instructions_tokens": each.instructions_tokens,
    }


def _tool(each: economics.ToolDiagnosis) -> dict[str, Any]:
    return {
        **asdict(each.weight),
        "server": each.tool.server,
        "share": round(each.share, 6),
        "tokens_by_encoding": dict(each.tokens_by_encoding),
        "slim_saves": each.slim_saving,
        "noise": dict(each.noise),
        "answers": _answers(each.answers),
    }


def _answers(answers: economics.AnswerRisk) -> dict[str, Any]:
    return {
        "risk": answers.risk,
        "estimated_max_tokens": answers.profile.max_tokens if answers.profile else None,
        "bounded": answers.bounded,
        "bounded_by": answers.bounded_by,
        "reason": answers.reason,
    }


MOST = 5


def print_markdown(report: DoctorReport, top: int) -> None:
    """Write the report to stdout."""
    sys.stdout.write("\n".join(markdown_lines(report, top)) + "\n")


def markdown_lines(report: DoctorReport, top: int) -> list[str]:
    """The report, line by line; foreign text is escaped, so that it cannot mention, link or break a table."""
    diagnosis = report.diagnosis
    who = f" of {safetext.for_markdown(report.heaviest.client, 80)}" if len(report.clients) > 1 else ""
    lines = [f"### Tool surface{who}: {figures.number(report.tokens)} tokens ({diagnosis.encodings[0]})", ""]
    verdict = words.budget_words(report)
    if verdict:
        lines += [f"{'✅' if report.exit_code == 0 else '❌'} {safetext.for_markdown(verdict, 1000)}", ""]
    lines += [f"- {safetext.for_markdown(line)}" for line in words.cost_lines(report)] + [""]
    lines += [] if report.is_plain else [*_clients(report), ""]
    lines += [*_servers(report), "", *_tools(report, top)]
    alike, found = look_alikes(report.clients), advice(report.clients)
    lines += _list("Look-alikes", [each.label + words.look_alike_words(each.found) for each in alike])
    lines += _list(
        _what_to_do([each.found for each in found]), [each.label + _advice(each.found) for each in found]
    )
    if too_small := words.too_small_words(report):
        lines += [too_small, ""]
    lines += _list("Left out", [f"{each.server} {each.name}: {each.reason}" for each in diagnosis.set_aside])
    lines += _list("Not weighed", [f"{each.where}: {each.reason}" for each in report.sources.source_errors])
    return lines


def _clients(report: DoctorReport) -> list[str]:
    rows = [
        [
            safetext.for_markdown(each.client or "typed or saved", 80),
            figures.number(each.tools),
            figures.number(each.tokens),
            figures.number(sum(server.tokens for server in each.behind)) if each.menus else "",
        ]
        for each in report.clients
    ]
    return _table(["client", "tools it sees", "tokens", "behind its gateway"], rows)


def _servers(report: DoctorReport) -> list[str]:
    names = report.diagnosis.encodings
    rows = [
        [safetext.for_markdown(each.server.server, 60), figures.number(len(each.server.tools))]
        + [figures.number(each.tokens_by_encoding[name]) for name in names]
        + [figures.percent(each.share)]
        for each in report.diagnosis.servers
    ]
    return _table(["server", "tools", *names, "share"], rows)


def _tools(report: DoctorReport, top: int) -> list[str]:
    rows = [
        [
            safetext.for_markdown(each.weight.id, 80),
            *(
                figures.number(part)
                for part in (each.weight.tokens, each.weight.description, each.weight.schema)
            ),
            words.fewer(each.slim_saving),
            safetext.for_markdown(words.answers_words(each.answers), 120),
        ]
        for each in report.diagnosis.tools[:top]
    ]
    return _table(["heaviest tools", "tokens", "description", "schema", "slim", "answers"], rows)


def _table(head: list[str], rows: list[list[str]]) -> list[str]:
    rule = ["---"] + ["---:"] * (len(head) - 1)
    return ["| " + " | ".join(cells) + " |" for cells in (head, rule, *rows)]


def _list(title: str, items: list[str]) -> list[str]:
    if not items:
        return []
    more = [f"- … and {len(items) - MOST} more"] if len(items) > MOST else []
    return [
        "",
        f"**{title}**",
        "",
        *(f"- {safetext.for_markdown(item, 600)}" for item in items[:MOST]),
        *more,
    ]


def _what_to_do(advice: Sequence[economics.Advice]) -> str:
    overlap = words.overlap_words(advice)
    return f"What to do ({overlap})" if overlap else "What to do"


def _advice(advice: economics.Advice) -> str:
    about = "" if advice.exact else "≈ "
    return (
        f"{about}{words.fewer(advice.saving_tokens)} tokens: {advice.message}"
        if advice.saving_tokens
        else advice.message
    )
