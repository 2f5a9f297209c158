"""The page of a benchmark report: one self-contained HTML file for light, dark and print.

It has no script and loads nothing. It ends with the origin of its figures (corpus, versions, machine, commands) and the
meaning of their labels.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from toolbooth import figures, safetext
from toolbooth.bench.report import BenchReport
from toolbooth.web.parts import PageSection, laid_out
from toolbooth.web.sections import endpoints, growth, latency, retrieval, tokens
from toolbooth.web.sections.headline import headline

if TYPE_CHECKING:
    from jinja2 import Template


LABELS: Final = {
    "measured": "counted or timed in this run",
    "computed": "calculated from measured figures, by the formula beside it",
    "estimated": "based on the assumption beside it; treat it as an estimate",
}


class Fact(NamedTuple):
    """One line about the origin of the figures."""

    name: str
    words: str


def facts(report: BenchReport) -> tuple[Fact, ...]:
    """Everything that is needed to repeat the run."""
    return tuple(fact for fact in _facts(report) if fact.words)


def _facts(report: BenchReport) -> Iterator[Fact]:
    if report.corpus is not None:
        corpus = report.corpus
        yield Fact("Corpus", corpus.version)
        yield Fact(
            "Tools", f"{figures.counted(corpus.tools, 'tool')} of {figures.counted(corpus.servers, 'server')}"
        )
        yield Fact("Fingerprint", corpus.fingerprint)
        yield Fact("Golden set", corpus.golden_version)
        yield Fact("Questions", figures.number(corpus.questions) if corpus.questions else "")
    if report.tokens is not None:
        yield Fact("Encoding", report.tokens.encoding)
    if report.retrieval is not None:
        yield Fact("Engine", report.retrieval.engine)
    yield Fact("Toolbooth", report.toolbooth)
    yield Fact("Date", report.date)
    yield Fact("Machine", report.machine)


def commands(report: BenchReport) -> tuple[str, ...]:
    """The command that was run, and the one that makes this page; nothing is guessed that the report does not say."""
    return (report.command, "toolbooth bench report report.json --html report.html") if report.command else ()


def label_meanings(report: BenchReport) -> tuple[Fact, ...]:
    """The labels that figures of this page carry, and what they mean."""
    labels: set[str] = {"measured"}
    if report.tokens is not None:
        labels |= {mode.label for mode in report.tokens.modes}
        labels |= {session.label for session in report.tokens.sessions}
        labels |= {each.label for each in report.tokens.break_even}
        labels |= {at.label for at in report.tokens.curve}
    for end in report.endpoints:
        labels |= {end.mode.label} | ({end.session.label} if end.session else set())
    return tuple(Fact(label, words) for label, words in LABELS.items() if label in labels)


def bench_page(report: BenchReport) -> str:
    """Every text passes through `for_terminal` and the template's autoescape; charts escape their own text."""
    return _template().render(
        title=_title(report),
        partial=partial_reasons(report),
        tiles=headline(report),
        sections=[replace(each, blocks=laid_out(each.blocks)) for each in _sections(report)],
        facts=facts(report),
        commands=commands(report),
        ways=label_meanings(report),
        report=report,
    )


def _sections(report: BenchReport) -> Iterator[PageSection]:
    if report.tokens is not None:
        yield tokens.tokens_section(report.tokens)
    if report.retrieval is not None:
        yield retrieval.retrieval_section(report.retrieval)
    if report.latency is not None:
        yield latency.latency_section(report.latency)
    if report.growth is not None:
        yield growth.growth_section(report.growth)
    if report.endpoints:
        yield endpoints.endpoints_section(report.endpoints)


def _title(report: BenchReport) -> str:
    tools = measured_tools(report)
    return f"{tools}, measured" if tools else "Toolbooth benchmark"


def measured_tools(report: BenchReport) -> str:
    """The whole corpus, or the sizes that were drawn from it; empty where the report names none."""
    if report.corpus is None:
        return ""
    drawn = f"{figures.counted(report.corpus.tools, 'tool')} of {figures.counted(report.corpus.servers, 'server')}"
    points = report.growth.points if report.growth else ()
    others = (report.tokens, report.retrieval, report.latency, *report.endpoints)
    if not points or any(each is not None for each in others):
        return drawn
    sizes = [point.tools for point in points]
    return f"{figures.number(min(sizes))} to {figures.counted(max(sizes), 'tool')} drawn from {drawn}"


def partial_reasons(report: BenchReport) -> tuple[str, ...]:
    """Each reason once, because a run repeats those of its sections."""
    said = [*report.partial, *(f"{end.name}: {end.partial}" for end in report.endpoints if end.partial)]
    timed = (("latency", report.latency), ("growth", report.growth))
    said += [f"{name}: {section.partial}" for name, section in timed if section and section.partial]
    return tuple(dict.fromkeys(said))


@cache
def _template() -> "Template":
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("toolbooth.web", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["clean"] = safetext.for_terminal
    return environment.get_template("bench.html.jinja")
