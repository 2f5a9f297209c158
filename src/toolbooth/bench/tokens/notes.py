"""Notes of the tokens section: what was withheld, left out or assumed."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from toolbooth.bench.report import ModeCost
from toolbooth.bench.tokens.break_even import QUESTIONS, SessionsByMode
from toolbooth.bench.tokens.offer import BASELINE, DIRECT_SLIM, HEADLINE, TOLERATED, WITH_PARAMETERS, Offer


class NoteFacts(NamedTuple):
    """What the sentences speak of. `before` are those of the pair itself."""

    offer: Offer
    modes: Sequence[ModeCost]
    asked: SessionsByMode
    questions: int
    unanswerable: int
    before: tuple[str, ...]


def notes(facts: NoteFacts) -> tuple[str, ...]:
    """The weightiest first."""
    return (
        *facts.before,
        *_withheld(facts),
        *_menus(facts),
        *(_of_questions(facts) if facts.questions else _of_names(facts)),
        "left out of every session are the system prompt, the question and the tools' own answers; "
        "a mode with a turn more reads them once more",
        "calls of one session: each searches anew, and what it wrote and read is sent again with every later turn",
        "sizes below the catalog's own: its tools from light to heavy in even steps, menus from the builders; "
        f"how much shorter search answers are there was measured with at most {QUESTIONS} of the questions",
    )


def _withheld(facts: NoteFacts) -> Iterator[str]:
    """What the baseline lacks, also where that is too little to withhold anything."""
    baseline = facts.offer.menu(BASELINE).schemas
    tools = len(facts.offer.catalog)
    lacking = f"{baseline.missing:,} of {tools:,} tools of the baseline have no schema"
    if baseline.counted:
        if baseline.missing:
            yield f"{lacking}, so it is a little lighter here than it would be in use"
    elif baseline.missing > TOLERATED * tools:
        yield (
            f"savings are withheld: {lacking} (a stub is none; {TOLERATED:.0%} may lack one), "
            "so it is lighter here than it would be in use"
        )
    elif not baseline.real:
        yield "savings are withheld: no tool of the baseline has a parameter"
    else:
        yield (
            f"savings are withheld: {baseline.real:,} of {tools:,} tools of the baseline have parameters "
            f"({WITH_PARAMETERS:.0%} of those with a schema are wanted): the others seem to have lost theirs"
        )


def _menus(facts: NoteFacts) -> Iterator[str]:
    bare, slim = (facts.offer.menu(way) for way in (BASELINE, DIRECT_SLIM))
    if bare.schemas.missing and slim.tokens > bare.tokens:
        yield "direct_slim is heavier than the baseline: each tool without a schema gets the stub that clients want"
    yield "tokens are of the definitions; a session carries the instructions, too, on every turn"
    told = facts.offer.menu(BASELINE).instructions
    if told:
        yield f"the servers' own instructions ({told:,} tokens) are carried in sessions of the baseline"
    if len(facts.offer.catalog.servers) > 1:
        yield "baseline names are bare; direct_slim has them as the gateway serves them, server__tool"


def _of_questions(facts: NoteFacts) -> Iterator[str]:
    yield (
        "the baseline and direct_slim are taken to choose right every time, which favours them; "
        "elsewhere a choice is right where a right tool is shown, and each is paid, right or not; "
        "a question that needs several tools counts as right where any one of them is shown"
    )
    if facts.unanswerable:
        plural = "" if facts.unanswerable == 1 else "s"
        yield f"left out of the sessions: {facts.unanswerable:,} question{plural} that no tool can serve"
    read = sum(each.definition is not None for each in facts.asked[HEADLINE.mode])
    if read:
        yield (
            f"in {read:,} of {facts.questions:,} sessions of {HEADLINE.mode} the line of the right tool does not "
            "tell all of its required parameters: its definition is read, a turn more"
        )


def _of_names(facts: NoteFacts) -> Iterator[str]:
    why = (
        f"none of the {facts.unanswerable:,} questions has a right tool"
        if facts.unanswerable
        else "there are no questions (--golden FILE names some)"
    )
    yield f"{why}: no sessions; break-even is estimated, with the words of tools' names as queries"
