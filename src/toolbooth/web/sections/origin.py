"""A report → where its figures come from: corpus, versions, machine, commands, and how each kind came about."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from toolbooth.bench.report import Report
from toolbooth.web.digits import counted, number

HOW: Final = {
    "measured": "counted or timed in this very run",
    "computed": "by a formula that is written beside it, from what was measured",
    "estimated": "from an assumption that is written beside it; treat it as such",
}


class Fact(NamedTuple):
    """One line of where it comes from."""

    name: str
    words: str


def facts(report: Report) -> tuple[Fact, ...]:
    """What anyone needs to repeat it."""
    return tuple(fact for fact in _facts(report) if fact.words)


def _facts(report: Report) -> Iterator[Fact]:
    if report.corpus is not None:
        corpus = report.corpus
        yield Fact("Corpus", corpus.version)
        yield Fact("Tools", f"{counted(corpus.tools, 'tool')} of {counted(corpus.servers, 'server')}")
        yield Fact("Fingerprint", corpus.fingerprint)
        yield Fact("Golden set", corpus.golden_version)
        yield Fact("Questions", number(corpus.questions) if corpus.questions else "")
    if report.tokens is not None:
        yield Fact("Encoding", report.tokens.encoding)
    if report.retrieval is not None:
        yield Fact("Engine", report.retrieval.engine)
    yield Fact("Toolbooth", report.toolbooth)
    yield Fact("Date", report.date)
    yield Fact("Machine", report.machine)


def commands(report: Report) -> tuple[str, ...]:
    """What was typed, and what makes this page of it; nothing is guessed where the report does not say."""
    return (report.command, "toolbooth bench report report.json --html report.html") if report.command else ()


def ways(report: Report) -> tuple[Fact, ...]:
    """The labels that figures of this page carry, and what they mean."""
    labels: set[str] = {"measured"}
    if report.tokens is not None:
        labels |= {mode.label for mode in report.tokens.modes}
        labels |= {session.label for session in report.tokens.sessions}
        labels |= {each.label for each in report.tokens.break_even}
        labels |= {at.label for at in report.tokens.curve}
    for end in report.endpoints:
        labels |= {end.mode.label} | ({end.session.label} if end.session else set())
    return tuple(Fact(label, words) for label, words in HOW.items() if label in labels)
