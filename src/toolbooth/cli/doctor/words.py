"""The sentences of a doctor report, the same in the terminal and in Markdown."""

from collections.abc import Sequence
from decimal import Decimal

from toolbooth.cli.doctor.report import WINDOW, ClientSurface, DoctorReport, GatewayMenu
from toolbooth.economics import Advice, AnswerRisk, Cluster
from toolbooth.figures import counted, number
from toolbooth.safetext import for_terminal

_MOST_NAMED = 4


def fewer(saving: int) -> str:
    """A saving as a negative number; nothing where there is none."""
    return f"−{saving:,}" if saving > 0 else ""


def percent(share: float) -> str:
    """0.1234 → 12.3%."""
    return f"{share * 100:.1f}%"


def dollars(amount: Decimal) -> str:
    """Cents where they matter."""
    return f"${amount:,.2f}" if amount >= 1 or not amount else f"${amount:.3f}"


def cost_lines(report: DoctorReport) -> list[str]:
    """What carrying this surface costs, in context and in money."""
    who = f"{for_terminal(report.heaviest.client, 80)}: " if len(report.clients) > 1 else ""
    lines = [
        f"{who}{number(report.tokens)} tokens on every model call, {percent(report.window_share)} of a "
        f"{WINDOW // 1000}k context window"
    ]
    price = report.price
    if price is not None:
        cached = f", {dollars(price.cached)} with prompt caching" if price.cached is not None else ""
        lines.append(f"{dollars(price.uncached)} per 1,000 calls of {price.model}{cached}")
    elif report.price_note:
        lines.append(f"no price: {for_terminal(report.price_note)}")
    instructions = sum(each.instructions_tokens for each in report.heaviest.seen)
    if instructions:
        lines.append(f"and {number(instructions)} tokens of server instructions beside the tools")
    return lines + [gateway_words(each, menu) for each in report.clients for menu in each.menus]


def gateway_words(client: ClientSurface, menu: GatewayMenu) -> str:
    """What a wrapped client sees, and what is behind it."""
    encoding = client.diagnosis.encodings[0]
    behind = [each for each in client.diagnosis.servers if each.server.server in menu.servers]
    tools = counted(sum(len(each.server.tools) for each in behind), "tool")
    tokens = number(sum(each.tokens for each in behind))
    seen = f"{counted(menu.tools, 'tool')} of the gateway (surface {menu.surface})"
    return (
        f"{for_terminal(client.client, 80)} sees {seen}, {number(menu.tokens_by_encoding[encoding])} tokens; "
        f"behind it: {tools}, {tokens} tokens"
    )


def answers_words(answers: AnswerRisk) -> str:
    """A tool's answers: how large, as far as that is known, and what bounds them.

    `low` is left out where nothing bounds them: the estimate holds only for the rows that it assumes.
    """
    size = _size_words(answers)
    if answers.bounded_by:
        return f"{size}, {for_terminal(answers.bounded_by, 60)}"
    return f"{size}, unbounded"


def _size_words(answers: AnswerRisk) -> str:
    profile = answers.profile
    if profile is None or not answers.risk or not profile.max_tokens:
        return "unknown"
    about = f"≈{number(profile.max_tokens)}"
    if answers.bounded:
        return f"{answers.risk} {about}"
    rows = profile.max_tokens // sum(field.tokens for field in profile.fields)
    return f"{'' if answers.risk == 'low' else f'{answers.risk} '}{about} at {rows} rows"


def look_alike_words(cluster: Cluster) -> str:
    """One cluster of tools that a model may confuse."""
    names = " ≈ ".join(for_terminal(tool, 60) for tool in cluster.tools[:_MOST_NAMED])
    more = f" ≈ {len(cluster.tools) - _MOST_NAMED} more" if len(cluster.tools) > _MOST_NAMED else ""
    return f"{names}{more}: {for_terminal(cluster.why, 120)}"


def overlap_words(advice: Sequence[Advice]) -> str:
    """How several savings are to be read."""
    several = sum(each.saving_tokens > 0 for each in advice) > 1
    return "each saving is for that step alone: they overlap and do not add up" if several else ""


def budget_words(report: DoctorReport) -> str:
    """The verdict, with the offenders named."""
    if report.budget is None:
        return ""
    total, allowed = number(report.tokens), number(report.budget)
    who = f"{for_terminal(report.heaviest.client, 80)}: " if len(report.clients) > 1 else ""
    if report.over_by:
        over = f"over budget by {number(report.over_by)}: {who}{total} tokens, {allowed} allowed"
        return f"{over}{_heaviest_words(report)}{_also_over_words(report)}"
    if report.incomplete:
        return f"budget not proven: {who}{total} of {allowed} tokens, but not every server was weighed"
    return f"within budget: {who}{total} of {allowed} tokens"


def _heaviest_words(report: DoctorReport) -> str:
    named = (
        f"{for_terminal(each.weight.id, 60)} ({number(each.weight.tokens)})" for each in report.offenders
    )
    return f"; heaviest: {', '.join(named)}" if report.offenders else ""


def _also_over_words(report: DoctorReport) -> str:
    named = (f"{for_terminal(each.client, 80)} ({number(each.tokens)})" for each in report.also_over)
    return f"; also over: {', '.join(named)}" if report.also_over else ""
