"""A report of the benchmark → one self-contained HTML page: no script, nothing loaded, light and dark, printable."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from toolbooth.bench.report import Report
from toolbooth.safetext import for_terminal
from toolbooth.web.digits import counted
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
        partial=_partial(report),
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
    if report.corpus is None:
        return "Toolbooth benchmark"
    return f"{counted(report.corpus.tools, 'tool')} of {counted(report.corpus.servers, 'server')}, measured"


def _partial(report: Report) -> tuple[str, ...]:
    """Each reason once: a run tells those of its sections, too."""
    said = [*report.partial, *(f"{end.name}: {end.partial}" for end in report.endpoints if end.partial)]
    said += [f"latency: {report.latency.partial}"] if report.latency and report.latency.partial else []
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
