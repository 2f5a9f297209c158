"""The notes of the tokens section: what was withheld, left out or assumed."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from toolbooth.bench.report import ModeCost
from toolbooth.bench.tokens.break_even import QUESTIONS, SessionsByMode
from toolbooth.bench.tokens.offer import BASELINE, DIRECT_SLIM, HEADLINE, TOLERATED, WITH_PARAMETERS, Offer


class NoteFacts(NamedTuple):
    """The facts that the sentences are about; `before` are the notes of the pair itself."""

    offer: Offer
    modes: Sequence[ModeCost]
    asked: SessionsByMode
    questions: int
    unanswerable: int
    before: tuple[str, ...]


def notes(facts: NoteFacts) -> tuple[str, ...]:
    """The most important first."""
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
        plural = "" if facts.unanswerable == 1 else "s"
        yield f"left out of the sessions: {facts.unanswerable:,} question{plural} that no tool can serve"
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
