"""The headline: the few figures at the top of a report."""

from collections.abc import Iterator, Sequence

from toolbooth import figures
from toolbooth.bench.report import (
    BenchReport,
    EndpointSection,
    LatencyMeasure,
    LatencySection,
    ModeCost,
    RetrievalSection,
    TokensSection,
)
from toolbooth.web.parts import Tile
from toolbooth.web.scores import interval, score
from toolbooth.web.sections.wording import mode_name, search_mode, why_withheld


def headline(report: BenchReport) -> tuple[Tile, ...]:
    """The figures that were measured, and nothing else."""
    tiles: list[Tile] = []
    if report.tokens is not None:
        tiles += _tokens(report.tokens)
    if report.retrieval is not None:
        tiles.append(_recall(report.retrieval))
    if report.latency is not None:
        tiles += _search(report.latency)
    if not tiles and len(report.endpoints) > 1:
        tiles += _best(report.endpoints)
    return tuple(tiles)


def _tokens(section: TokensSection) -> Iterator[Tile]:
    mode = search_mode(section.modes)
    if mode is None:
        yield Tile("Menu", figures.number(section.baseline_tokens), "tokens of every definition")
        return
    name = mode_name(mode.mode)
    instead = (
        f"tokens on the {name}, instead of {figures.number(section.baseline_tokens)} for every definition"
    )
    yield Tile("Menu", figures.number(mode.tokens), instead)
    yield _savings(section, mode)
    session = next((each for each in section.sessions if each.mode == mode.mode), None)
    if session is not None and session.paid_per_correct is not None:
        base = next((each.paid_per_correct for each in section.sessions if each.mode == "baseline"), None)
        beside = f", instead of {figures.number(base)}" if base is not None else ""
        yield Tile(
            "Paid for a right choice",
            figures.number(session.paid_per_correct),
            f"tokens of a session{beside}",
        )


def _savings(section: TokensSection, mode: ModeCost) -> Tile:
    savings, whole = mode.savings_vs_baseline, mode.savings_with_instructions
    if savings is None:
        return Tile("Saved", "withheld", why_withheld(section), "refused")
    if savings < 0:
        return Tile("Saved", figures.percent(savings), "the menu costs more than every definition", "failed")
    beside = "" if whole is None else f"; {figures.percent(whole)} with the instructions"
    words = f"of the menu that every model call reads{beside}"
    return Tile("Saved", figures.percent(savings), words, "passed" if savings else "")


def _recall(section: RetrievalSection) -> Tile:
    value = section.metrics.recall_at.get("5")
    bounds = section.intervals.get("recall_at_5")
    sure = f"95% interval {interval(bounds)}, " if bounds is not None else ""
    return Tile("Recall at 5", score(value), f"{sure}{figures.counted(section.query_count, 'question')}")


def _search(section: LatencySection) -> Iterator[Tile]:
    measure = _search_measure(section.measures)
    if measure is not None:
        spread = measure.spread
        words = f"median of {figures.number(spread.samples)}; p95 {figures.milliseconds(spread.p95_ms)}"
        yield Tile(
            "Search",
            figures.milliseconds(spread.p50_ms),
            f"{words}, {measure.what}" if measure.what else words,
        )


def _search_measure(measures: tuple[LatencyMeasure, ...]) -> LatencyMeasure | None:
    """The one through the gateway where that was timed, else that of the engine alone."""
    named = {measure.name: measure for measure in reversed(measures)}
    near = next((measure for measure in measures if "search" in measure.name), None)
    return named.get("search") or near or named.get("engine")


def _best(ends: Sequence[EndpointSection]) -> Iterator[Tile]:
    """The best endpoint by each figure, whichever it is."""
    menu = min(ends, key=lambda end: end.mode.tokens)
    yield Tile("Smallest menu", figures.number(menu.mode.tokens), f"tokens: {menu.name}")
    paid = [
        (cost, end.name) for end in ends if end.session and (cost := end.session.paid_per_correct) is not None
    ]
    if paid:
        cost, name = min(paid)
        yield Tile("Least paid for a right choice", figures.number(cost), f"tokens of a session: {name}")
    scored = [(end.retrieval.metrics.recall_at.get("5", 0.0), end.name) for end in ends if end.retrieval]
    if scored:
        value, name = max(scored, key=lambda each: each[0])
        yield Tile("Best recall at 5", score(value), name)
