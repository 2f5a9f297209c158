"""A report of the benchmark → one self-contained HTML page: no script, nothing loaded, light and dark, printable."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from toolbooth.bench.report import Report
from toolbooth.safetext import for_terminal
from toolbooth.web.digits import counted, number
from toolbooth.web.parts import Section, laid_out
from toolbooth.web.sections.endpoints import endpoints_section
from toolbooth.web.sections.growth import growth_section
from toolbooth.web.sections.headline import headline
from toolbooth.web.sections.latency import latency_section
from toolbooth.web.sections.origin import commands, facts, ways
from toolbooth.web.sections.retrieval import retrieval_section
from toolbooth.web.sections.tokens import tokens_section

if TYPE_CHECKING:
    from jinja2 import Template


def bench_page(report: Report) -> str:
    """Every text goes through `for_terminal` and the template's autoescape; charts do the same on their own."""
    return _template().render(
        title=_title(report),
        partial=partial_reasons(report),
        tiles=headline(report),
        sections=[replace(each, blocks=laid_out(each.blocks)) for each in _sections(report)],
        facts=facts(report),
        commands=commands(report),
        ways=ways(report),
        report=report,
    )


def _sections(report: Report) -> Iterator[Section]:
    if report.tokens is not None:
        yield tokens_section(report.tokens)
    if report.retrieval is not None:
        yield retrieval_section(report.retrieval)
    if report.latency is not None:
        yield latency_section(report.latency)
    if report.growth is not None:
        yield growth_section(report.growth)
    if report.endpoints:
        yield endpoints_section(report.endpoints)


def _title(report: Report) -> str:
    tools = measured_tools(report)
    return f"{tools}, measured" if tools else "Toolbooth benchmark"


def measured_tools(report: Report) -> str:
    """The whole corpus, or the sizes that were drawn from it; empty where nobody said."""
    if report.corpus is None:
        return ""
    drawn = f"{counted(report.corpus.tools, 'tool')} of {counted(report.corpus.servers, 'server')}"
    points = report.growth.points if report.growth else ()
    others = (report.tokens, report.retrieval, report.latency, *report.endpoints)
    if not points or any(each is not None for each in others):
        return drawn
    sizes = [point.tools for point in points]
    return f"{number(min(sizes))} to {counted(max(sizes), 'tool')} drawn from {drawn}"


def partial_reasons(report: Report) -> tuple[str, ...]:
    """Each reason once: a run tells those of its sections, too."""
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
    environment.filters["clean"] = for_terminal
    return environment.get_template("bench.html.jinja")
