"""The sentences of a doctor report, shared by the terminal and Markdown."""

from collections.abc import Sequence

from toolbooth import economics, figures, safetext
from toolbooth.cli.doctor.report import WINDOW, ClientSurface, DoctorReport, GatewayMenu, HiddenTools

_MOST_NAMED = 4
_FILES = (".json", ".toml", ".yaml", ".yml")  # of no known client: its path stands for its name


def fewer(saving: int) -> str:
    """A saving as a negative number; nothing where there is none."""
    return figures.number(-saving) if saving > 0 else ""


def cost_lines(report: DoctorReport) -> list[str]:
    """What this tool surface costs, in context and in dollars."""
    who = f"{safetext.for_terminal(report.heaviest.client, 80)}: " if len(report.clients) > 1 else ""
    lines = [
        f"{who}{figures.number(report.tokens)} tokens on every model call, {figures.percent(report.window_share)} of a "
        f"{WINDOW // 1000}k context window"
    ]
    price = report.price
    if price is not None:
        cached = f", {figures.dollars(price.cached)} with prompt caching" if price.cached is not None else ""
        lines.append(f"{figures.dollars(price.uncached)} per 1,000 calls of {price.model}{cached}")
    elif report.price_note:
        lines.append(f"no price: {safetext.for_terminal(report.price_note)}")
    instructions = sum(each.instructions_tokens for each in report.heaviest.seen)
    if instructions:
        lines.append(f"plus {figures.number(instructions)} tokens of server instructions")
    lines += [gateway_words(each, menu) for each in report.clients for menu in each.menus]
    lines += [hidden_words(each.client, hidden) for each in report.clients for hidden in each.hidden]
    return lines + [auto_words(each) for each in report.clients if each.client]


def hidden_words(client: str, hidden: HiddenTools) -> str:
    """How many tools of a server the client's config hides from its model, and which keys say so."""
    who = f"{safetext.for_terminal(client, 80)}: " if client else ""
    of = f"{figures.number(len(hidden.tools))} of {figures.counted(hidden.of, 'tool')}"
    keys = safetext.for_terminal(", ".join(hidden.keys), 200)
    return f"{who}{of} of {safetext.for_terminal(hidden.server, 40)} hidden by {keys}; not weighed"


def gateway_words(client: ClientSurface, menu: GatewayMenu) -> str:
    """What a wrapped client sees, and what is behind it."""
    encoding = client.diagnosis.encodings[0]
    behind = [each for each in client.diagnosis.servers if each.server.server in menu.servers]
    tools = figures.counted(sum(len(each.server.tools) for each in behind), "tool")
    tokens = figures.number(sum(each.tokens for each in behind))
    seen = f"{figures.counted(menu.tools, 'tool')} of the gateway (surface {menu.surface})"
    return (
        f"{safetext.for_terminal(client.client, 80)} sees {seen}, "
        f"{figures.number(menu.tokens_by_encoding[encoding])} tokens; "
        f"behind it: {tools}, {tokens} tokens"
    )


def auto_words(client: ClientSurface) -> str:
    """What the surface `auto` is for a client, and why."""
    shows = "shows" if any(menu.auto for menu in client.menus) else "would show"
    name = safetext.for_terminal(client.client, 80)
    name = f"a client of {name}" if name.endswith(_FILES) else name
    return f"auto {shows} {name} the surface {client.choice.surface}: {client.choice.reason}"


def answers_words(answers: economics.AnswerRisk) -> str:
    """A tool's answers: how large, as far as that is known, and what bounds them.

    `low` is left out where nothing bounds them: the estimate holds only for the rows that it assumes.
    """
    size = _size_words(answers)
    if answers.bounded_by:
        return f"{size}, {safetext.for_terminal(answers.bounded_by, 60)}"
    return f"{size}, unbounded"


def _size_words(answers: economics.AnswerRisk) -> str:
    profile = answers.profile
    if profile is None or not answers.risk or not profile.max_tokens:
        return "unknown"
    about = f"≈{figures.number(profile.max_tokens)}"
    if answers.bounded:
        return f"{answers.risk} {about}"
    rows = profile.max_tokens // sum(field.tokens for field in profile.fields)
    return f"{'' if answers.risk == 'low' else f'{answers.risk} '}{about} at {rows} rows"


def look_alike_words(cluster: economics.Cluster) -> str:
    """One cluster of tools that a model may confuse."""
    names = " ≈ ".join(safetext.for_terminal(tool, 60) for tool in cluster.tools[:_MOST_NAMED])
    more = f" ≈ {len(cluster.tools) - _MOST_NAMED} more" if len(cluster.tools) > _MOST_NAMED else ""
    return f"{names}{more}: {safetext.for_terminal(cluster.why, 120)}"


def too_small_words(report: DoctorReport) -> str:
    """A line where no client's tools are heavy enough for a gateway; empty where it pays, or is in place already."""
    worth = economics.WORTH_A_GATEWAY
    if report.incomplete or report.tokens > worth or any(each.menus for each in report.clients):
        return ""
    most = "at most " if len(report.clients) > 1 else ""
    return (
        f"the gateway does not pay here: {most}{figures.counted(report.tokens, 'token')} of tools, "
        f"and it pays from about {figures.number(worth)}"
    )


def overlap_words(advice: Sequence[economics.Advice]) -> str:
    """A note that several savings overlap."""
    several = sum(each.saving_tokens > 0 for each in advice) > 1
    return "each saving counts one step alone; the savings overlap and do not add up" if several else ""


def budget_words(report: DoctorReport) -> str:
    """The verdict, with the offenders named."""
    if report.budget is None:
        return ""
    total, allowed = figures.number(report.tokens), figures.number(report.budget)
    who = f"{safetext.for_terminal(report.heaviest.client, 80)}: " if len(report.clients) > 1 else ""
    if report.over_by:
        over = f"over budget by {figures.number(report.over_by)}: {who}{total} tokens, {allowed} allowed"
        return f"{over}{_heaviest_words(report)}{_also_over_words(report)}"
    if report.incomplete:
        return (
            f"budget not confirmed: {who}{total} of {allowed} tokens, but not every server could be weighed"
        )
    return f"within budget: {who}{total} of {allowed} tokens"


def _heaviest_words(report: DoctorReport) -> str:
    named = (
        f"{safetext.for_terminal(each.weight.id, 60)} ({figures.number(each.weight.tokens)})"
        for each in report.offenders
    )
    return f"; heaviest: {', '.join(named)}" if report.offenders else ""


def _also_over_words(report: DoctorReport) -> str:
    named = (
        f"{safetext.for_terminal(each.client, 80)} ({figures.number(each.tokens)})"
        for each in report.also_over
    )
    return f"; also over: {', '.join(named)}" if report.also_over else ""
