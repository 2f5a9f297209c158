"""The measurement of tokens for a corpus and, if there are any, questions: the tokens section of a report."""

from collections.abc import Sequence

from msgspec.structs import replace

from toolbooth import errors, search, tokens
from toolbooth.bench.corpus import Corpus, Pair
from toolbooth.bench.golden import GoldenQuestion, Label
from toolbooth.bench.report import BreakEven, CurvePoint, HeavyTool, ModeCost, SessionCost, TokensSection
from toolbooth.bench.tokens import session
from toolbooth.bench.tokens.break_even import PricedMode, Progress, SessionsByMode, break_even, curve
from toolbooth.bench.tokens.notes import NoteFacts, notes
from toolbooth.bench.tokens.offer import BASELINE, HEADLINE, WAYS, Offer, Way, savings
from toolbooth.catalog import Catalog, Tool

_HEAVIEST = 10
_NAMES_ASKED = 60  # tools whose names are used as questions where there are none


def _no_progress(_: str) -> None:
    """Shows nothing."""


def measure_tokens(
    measured: Corpus | Pair, encoding: str = tokens.DEFAULT_ENCODING, progress: Progress = _no_progress
) -> TokensSection:
    """Menus always; sessions if there are questions; break-even and its curve from them, or else estimated."""
    tokens.check_encoding(encoding)
    corpus, given = (measured, ()) if isinstance(measured, Corpus) else (measured.corpus, _asked(measured))
    if not corpus.catalog.tools:
        raise errors.UserMistake("the corpus has no tools, so there is nothing to measure")
    progress(f"weighing {len(corpus.catalog):,} tools in {len(WAYS)} modes")
    offer = Offer(corpus.catalog, encoding)
    modes = tuple(_mode(offer, way) for way in WAYS)
    questions = given or _from_names(corpus.catalog)
    asked = _ask(offer, questions, progress)
    points = curve(offer, questions, asked, progress)
    if not given:
        points = tuple(replace(each, label="estimated") for each in points)
    facts = NoteFacts(
        offer=offer,
        modes=modes,
        asked=asked,
        questions=len(given),
        unanswerable=0 if isinstance(measured, Corpus) else len(measured.golden.questions) - len(given),
        before=() if isinstance(measured, Corpus) else measured.notes,
    )
    return TokensSection(
        encoding=encoding,
        corpus_version=corpus.version,
        corpus_tools=len(corpus.catalog),
        baseline_tokens=offer.menu(BASELINE).tokens,
        modes=modes,
        baseline_schemas=offer.menu(BASELINE).schemas,
        gateway_schemas=offer.menu(HEADLINE).schemas,
        authoritative_headline=_compared(offer, HEADLINE),
        heaviest=_heaviest(offer),
        sessions=_sessions(offer, asked) if given else (),
        break_even=_break_even(offer, asked, points, estimated=not given),
        curve=points,
        notes=notes(facts),
    )


def _asked(measured: Pair) -> tuple[GoldenQuestion, ...]:
    return tuple(each for each in measured.golden.questions if each.answerable)


def _from_names(catalog: Catalog) -> tuple[GoldenQuestion, ...]:
    """The words of some tools' names, each as a question that its tool answers."""
    some = catalog.tools[:: max(1, -(-len(catalog) // _NAMES_ASKED))]
    return tuple(GoldenQuestion(tool.id, _in_words(tool), (_label(tool),)) for tool in some)


def _label(tool: Tool) -> Label:
    return Label(f"{tool.server}:{tool.name}", 1)


def _in_words(tool: Tool) -> str:
    return (
        " ".join(part for word in search.split(tool.name) for part in word.parts or (word.whole,))
        or tool.name
    )


def _compared(offer: Offer, way: Way) -> bool:
    """Whether both sides have real schemas."""
    return offer.menu(BASELINE).schemas.counted and offer.menu(way).schemas.counted


def _mode(offer: Offer, way: Way) -> ModeCost:
    menu, baseline = offer.menu(way), offer.menu(BASELINE)
    compared = _compared(offer, way)
    return ModeCost(
        mode=way.mode,
        surface=way.surface,
        context_tools=menu.tools,
        tokens=menu.tokens,
        instructions_tokens=menu.instructions,
        savings_vs_baseline=savings(menu.tokens, baseline.tokens) if compared else None,
        savings_with_instructions=savings(menu.carried, baseline.carried) if compared else None,
    )


def _heaviest(offer: Offer) -> tuple[HeavyTool, ...]:
    ordered = sorted(offer.weights, key=lambda each: (-each.tokens, each.id))[:_HEAVIEST]
    return tuple(
        HeavyTool(each.id, each.tokens, each.name, each.description, each.schema) for each in ordered
    )


def _ask(offer: Offer, questions: Sequence[GoldenQuestion], progress: Progress) -> SessionsByMode:
    asked: dict[str, list[session.QuestionSession]] = {way.mode: [] for way in WAYS}
    for at, question in enumerate(questions, 1):
        progress(f"question {at:,} of {len(questions):,}")
        for way in WAYS:
            asked[way.mode].append(offer.session(way, question))
    return asked


def _sessions(offer: Offer, asked: SessionsByMode) -> tuple[SessionCost, ...]:
    return tuple(session.session_cost(way.mode, offer.menu(way).carried, asked[way.mode]) for way in WAYS)


def _break_even(
    offer: Offer, asked: SessionsByMode, points: Sequence[CurvePoint], *, estimated: bool
) -> tuple[BreakEven, ...]:
    priced = [_priced(offer, way, asked) for way in WAYS]
    return tuple(break_even(mode, priced[0], points, estimated=estimated) for mode in priced[1:])


def _priced(offer: Offer, way: Way, asked: SessionsByMode) -> PricedMode:
    menu = offer.menu(way)
    grows = 0.0 if way.searches else menu.tokens / len(offer.catalog)
    return PricedMode(way, session.MeanSession.of(asked[way.mode]), menu.carried, grows)
