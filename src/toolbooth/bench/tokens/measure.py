"""The measurement of tokens for a corpus and, if there are any, questions: the tokens section and its notes."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from toolbooth import errors, figures, search, tokens
from toolbooth.bench.corpus import Corpus, Pair
from toolbooth.bench.golden import GoldenQuestion, Label
from toolbooth.bench.report import BreakEven, CurvePoint, HeavyTool, ModeCost, SessionCost, TokensSection
from toolbooth.bench.tokens import session
from toolbooth.bench.tokens.break_even import (
    QUESTIONS,
    PricedMode,
    Progress,
    SessionsByMode,
    break_even,
    curve,
)
from toolbooth.bench.tokens.offer import (
    BASELINE,
    DIRECT_SLIM,
    HEADLINE,
    TOLERATED,
    WAYS,
    WITH_PARAMETERS,
    Offer,
    Way,
    savings,
)
from toolbooth.catalog import Catalog, Tool


class NoteFacts(NamedTuple):
    """The facts that the sentences are about; `before` are the notes of the pair itself."""

    offer: Offer
    modes: Sequence[ModeCost]
    asked: SessionsByMode
    questions: int
    unanswerable: int
    before: tuple[str, ...]


def notes(facts: NoteFacts) -> tuple[str, ...]:
    """The notes of the section, the most important first."""
    return (
        *facts.before,
        *_withheld(facts),
        *_menus(facts),
        *(_of_questions(facts) if facts.questions else _of_names(facts)),
        "left out of every session are the system prompt, the question and the tools' own answers; "
        "a mode with an additional turn reads them once more",
        "calls of one session: each searches again, and what it wrote and read is sent again with every later turn",
        "sizes below the catalog's own: tools taken evenly from light to heavy, menus from the builders; "
        f"how much shorter their search answers are was measured with at most {QUESTIONS} of the questions",
    )


def _withheld(facts: NoteFacts) -> Iterator[str]:
    """What the baseline lacks, also where that is too little to withhold the savings."""
    baseline = facts.offer.menu(BASELINE).schemas
    tools = len(facts.offer.catalog)
    lacking = f"{baseline.missing:,} of {tools:,} tools of the baseline have no schema"
    if baseline.counted:
        if baseline.missing:
            yield f"{lacking}, so it weighs a little less here than in use"
    elif baseline.missing > TOLERATED * tools:
        yield (
            f"savings are withheld: {lacking} (a stub does not count; {TOLERATED:.0%} may lack one), "
            "so it weighs less here than in use"
        )
    elif not baseline.real:
        yield "savings are withheld: no tool of the baseline has a parameter"
    else:
        yield (
            f"savings are withheld: {baseline.real:,} of {tools:,} tools of the baseline have parameters "
            f"({WITH_PARAMETERS:.0%} of those with a schema are required): the others seem to have lost theirs"
        )


def _menus(facts: NoteFacts) -> Iterator[str]:
    bare, slim = (facts.offer.menu(way) for way in (BASELINE, DIRECT_SLIM))
    if bare.schemas.missing and slim.tokens > bare.tokens:
        yield "direct is heavier than the baseline: each tool without a schema gets the stub that clients require"
    yield "tokens are those of the definitions; a session also carries the instructions on every turn"
    instructions = facts.offer.menu(BASELINE).instructions
    if instructions:
        yield f"the servers' own instructions ({instructions:,} tokens) are carried in sessions of the baseline"
    if len(facts.offer.catalog.servers) > 1:
        yield "the baseline has plain tool names; direct has them as the gateway serves them, server__tool"


def _of_questions(facts: NoteFacts) -> Iterator[str]:
    yield (
        "the baseline and direct are assumed to choose right every time, which favours them; "
        "in other modes a choice is right if a right tool is shown, and each is paid, right or not; "
        "a question that needs several tools counts as right if any of them is shown"
    )
    if facts.unanswerable:
        questions = figures.counted(facts.unanswerable, "question")
        yield f"left out of the sessions: {questions} that no tool can serve"
    read = sum(each.definition is not None for each in facts.asked[HEADLINE.mode])
    if read:
        yield (
            f"in {read:,} of {facts.questions:,} sessions of {HEADLINE.mode} the line of the right tool does not "
            "show all of its required parameters: its definition is read, in an additional turn"
        )


def _of_names(facts: NoteFacts) -> Iterator[str]:
    why = (
        f"none of the {facts.unanswerable:,} questions has a right tool"
        if facts.unanswerable
        else "there are no questions (name some with --golden FILE)"
    )
    yield f"{why}: there are no sessions; break-even is estimated, with the words of tools' names as queries"


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
