"""A doctor report → Markdown for a pull request."""

import sys
from collections.abc import Sequence

from toolbooth.cli.doctor_clients import advice, look_alikes
from toolbooth.cli.doctor_report import Report
from toolbooth.cli.doctor_words import (
    answers_words,
    budget_words,
    cost_lines,
    fewer,
    look_alike_words,
    number,
    overlap_words,
    percent,
)
from toolbooth.economics import Advice
from toolbooth.safetext import for_markdown

MOST = 5


def print_markdown(report: Report, top: int) -> None:
    """Write the report to stdout."""
    sys.stdout.write("\n".join(markdown_lines(report, top)) + "\n")


def markdown_lines(report: Report, top: int) -> list[str]:
    """The report, line by line; foreign text is escaped, so that it cannot mention, link or break a table."""
    diagnosis = report.diagnosis
    who = f" of {for_markdown(report.heaviest.client, 80)}" if len(report.clients) > 1 else ""
    lines = [f"### Tool surface{who}: {number(report.tokens)} tokens ({diagnosis.encodings[0]})", ""]
    verdict = budget_words(report)
    if verdict:
        lines += [f"{'✅' if report.exit_code == 0 else '❌'} {for_markdown(verdict, 1000)}", ""]
    lines += [f"- {for_markdown(line)}" for line in cost_lines(report)] + [""]
    lines += [] if report.is_plain else [*_clients(report), ""]
    lines += [*_servers(report), "", *_tools(report, top)]
    alike, found = look_alikes(report.clients), advice(report.clients)
    lines += _list("Look-alikes", [each.label + look_alike_words(each.found) for each in alike])
    lines += _list(
        _what_to_do([each.found for each in found]), [each.label + _advice(each.found) for each in found]
    )
    lines += _list("Set aside", [f"{each.server} {each.name}: {each.reason}" for each in diagnosis.set_aside])
    lines += _list("Not weighed", [f"{each.where}: {each.reason}" for each in report.sources.troubles])
    return lines


def _clients(report: Report) -> list[str]:
    rows = [
        [
            for_markdown(each.client or "typed or saved", 80),
            number(each.tools),
            number(each.tokens),
            number(sum(server.tokens for server in each.behind)) if each.menus else "",
        ]
        for each in report.clients
    ]
    return _table(["client", "tools it sees", "tokens", "behind its gateway"], rows)


def _servers(report: Report) -> list[str]:
    names = report.diagnosis.encodings
    rows = [
        [for_markdown(each.server.server, 60), number(len(each.server.tools))]
        + [number(each.tokens_by_encoding[name]) for name in names]
        + [percent(each.share)]
        for each in report.diagnosis.servers
    ]
    return _table(["server", "tools", *names, "share"], rows)


def _tools(report: Report, top: int) -> list[str]:
    rows = [
        [
            for_markdown(each.weight.id, 80),
            *(number(part) for part in (each.weight.tokens, each.weight.description, each.weight.schema)),
            fewer(each.slim_saving),
            for_markdown(answers_words(each.answers), 120),
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
    return ["", f"**{title}**", "", *(f"- {for_markdown(item, 600)}" for item in items[:MOST]), *more]


def _what_to_do(advice: Sequence[Advice]) -> str:
    overlap = overlap_words(advice)
    return f"What to do ({overlap})" if overlap else "What to do"


def _advice(advice: Advice) -> str:
    about = "" if advice.exact else "≈ "
    return (
        f"{about}{fewer(advice.saving_tokens)} tokens: {advice.message}"
        if advice.saving_tokens
        else advice.message
    )
