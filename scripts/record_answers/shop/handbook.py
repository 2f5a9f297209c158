"""The staff handbook and a runbook in Markdown: headings, rules with numbers, lists, tables, code."""

import random
from collections.abc import Iterator

from .words import TEAMS, dice, handle, person

_PARTS = {
    "Orders": "Changing an order,Cancelling an order,Split deliveries,Gift wrapping,Pre-orders,Orders by phone",
    "Returns": "Return window,Damaged goods,Return labels,Refunds in parts,Exchanges,Lost returns",
    "Warehouse": "Picking,Packing,Heavy parcels,Fragile goods,Stock counting,Cold weather",
    "Payments": "Invoices,Bank transfers,Vouchers,Gift cards,Chargebacks,Rounding",
    "Support": "Answer times,Tone of voice,Escalation,Refused parcels,Spare parts,Languages",
    "People": "Shifts,Holidays,Training,Expenses,Keys and badges,Visitors",
}
_RULES = (
    "Whoever finds it first writes it down, and tells {who} before {hour} o'clock.",
    "Up to {n} euro can be decided on the spot; above that {who} has to agree.",
    "The limit is {n} pieces a day, because the small scale cannot take more.",
    "Within {days} days nothing has to be explained; after that a reason is asked for.",
    "What weighs more than {n} kilograms goes by freight and needs two people.",
    "The form is kept for {n} months in the grey cabinet and then shredded.",
    "If the system is down, the paper list with the number {n} is used instead.",
    "Every {days} days {who} looks at a sample of {n} and notes what was wrong.",
    "Customers are told by mail at once, and again after {days} days.",
    "Photographs help: at least {few}, one of them with the label.",
)
_HINTS = (
    "ask twice",
    "write it down",
    "never guess a price",
    "keep the box",
    "call before noon",
    "use the blue tape",
)


def handbook() -> str:
    """36 sections in six parts."""
    throw = dice("handbook")
    parts = [f"# Handbook of the shop\n\n{_contents()}"]
    for part, titles in _PARTS.items():
        parts.append(f"## {part}\n\n{_paragraph(throw, 3)}")
        parts += [_section(throw, title) for title in titles.split(",")]
    return "\n\n".join(parts) + "\n"


def _contents() -> str:
    return "\n".join(f"- {part}: {titles.replace(',', ', ')}" for part, titles in _PARTS.items())


def _section(throw: random.Random, title: str) -> str:
    who = person(throw)
    head = f"### {title}\n\nAsk {who} ({handle(who)}, extension {throw.randrange(100, 999)}).\n\n{_paragraph(throw, 5)}"
    return "\n\n".join([head, *_more(throw)])


def _more(throw: random.Random) -> Iterator[str]:
    if throw.random() < 0.6:
        yield "\n".join(f"- {hint.capitalize()}." for hint in throw.sample(_HINTS, 3))
    if throw.random() < 0.5:
        rows = [
            f"| {team} | {throw.randrange(2, 60)} | {throw.randrange(1, 9)} h |"
            for team in throw.sample(TEAMS, 4)
        ]
        yield "\n".join(["| team | cases a week | answer within |", "| --- | --- | --- |", *rows])
    yield _paragraph(throw, 4)


def _paragraph(throw: random.Random, sentences: int) -> str:
    return " ".join(_rule(throw, text) for text in throw.sample(_RULES, sentences))


def _rule(throw: random.Random, text: str) -> str:
    return text.format(
        who=person(throw), hour=throw.randrange(8, 18), n=throw.randrange(12, 480),
        days=throw.randrange(3, 60), few=throw.randrange(2, 7),
    )  # fmt: skip


def runbook() -> str:
    """What to do when a service fails: commands, thresholds, people to call."""
    throw, parts = (
        dice("runbook"),
        ["# Runbook\n\nOne section a service. The person on call starts at the top."],
    )
    for team in TEAMS:
        for symptom in ("is slow", "is down", "answers wrongly", "fills the disk"):
            parts.append(_remedy(throw, team, symptom))
    return "\n\n".join(parts) + "\n"


def _remedy(throw: random.Random, team: str, symptom: str) -> str:
    port, who = throw.randrange(7000, 9900), person(throw)
    wait = throw.randrange(20, 300)
    commands = f"shopctl status {team}\ncurl -s localhost:{port}/health\nshopctl restart {team} --wait {wait}"
    code = f"```sh\n{commands}\n```"
    first = f"Alarm at {throw.randrange(60, 99)} % or after {throw.randrange(2, 40)} minutes. {_paragraph(throw, 3)}"
    return f"## {team} {symptom}\n\n{first}\n\n{code}\n\nIf that does not help, call {who}. {_paragraph(throw, 2)}"
