"""A text → sentences that put themselves above what the model was told before, or give it another role."""

import re
from collections.abc import Iterator
from typing import Final

from toolbooth.contracts.finding import Level
from toolbooth.contracts.scan.passage import Passage
from toolbooth.contracts.scan.phrases import PhraseBook, phrases
from toolbooth.contracts.scan.prose import phrase_hits
from toolbooth.contracts.scan.rule import Hit, text_rule
from toolbooth.contracts.scan.words import Words

_NOT: Final = "not|never|dont|cannot"
_DROP: Final = "ignore|disregard|forget"
_EARLIER: Final = "previous|previously|prior|earlier|above|preceding"
_TOLD: Final = "instruction|instructions|prompt|prompts|guideline|guidelines|directive|directives|told"
_OVERRIDE: Final = "override|overrides|overriding|supersede|supersedes|superseding"
OVERRIDES: Final = PhraseBook(
    phrases(
        Level.HIGH,
        "it tells the model to drop what it was told before",
        f"{_DROP}|bypass|discard 3 {_EARLIER} 3 {_TOLD}",
        f"{_DROP} 2 {_TOLD} 3 {_EARLIER}",
        f"{_DROP} 3 your|developer 2 instructions|prompt|guidelines|training|policies",
        f"{_DROP} 2 system 0 prompt|instructions",
        f"{_OVERRIDE} 3 {_EARLIER} 3 instructions|prompts|guidelines|directives",
        "no 0 longer 2 bound|restricted 2 instructions|prompt|guidelines|rules|policies|your",
        unless=_NOT,
    ),
    phrases(Level.HIGH, "it asks for a jailbreak", "jailbreak|jailbroken 6 you|your|mode|assistant|model"),
    phrases(
        Level.MEDIUM,
        "it puts itself above what keeps a model safe",
        "bypass|bypasses|disable|ignore 3 safety|content|security 2 filters|restrictions|policies|guardrails",
        unless=_NOT,
    ),
    phrases(
        Level.MEDIUM,
        "it puts itself above other instructions",
        f"{_OVERRIDE} 3 your 2 instructions|guidelines|directives|persona|role",
        "precedence|priority 1 over 4 instructions|directives",
        unless=_NOT,
    ),
    phrases(
        Level.MEDIUM,
        "it gives the model new instructions",
        "your 0 instructions 2 updated|changed|replaced|overridden|superseded",
        "new|updated|real 0 instructions|directive 3 you",
        "your 2 new 1 instructions|task|goal|objective|role|persona|mission",
    ),
    phrases(
        Level.MEDIUM,
        "it gives the model another role",
        "you 0 are 0 now 1 a|an|the|in|no|free|unrestricted|acting|operating",
        "from 0 now 0 on 1 you|your",
    ),
    phrases(Level.LOW, "it gives the model another role", "assume|adopt|take 3 role|persona 1 of"),
    phrases(
        Level.NOTE,
        "it tells the model what it is",
        "you 0 are 0 a|an 3 assistant|agent|expert|model",
        unless="if|when",
    ),
)
_BROKEN: Final = PhraseBook(
    phrases(
        Level.HIGH,
        "it tells the model to drop what it was told before, in words broken up as if to pass a filter",
        f"{_DROP} 2 {_EARLIER} 1 {_TOLD}",
        unless=_NOT,
    )
)
_SLOTS: Final = tuple(frozenset(words.split("|")) for words in (_DROP, _EARLIER, _TOLD))
_SENTENCE_ENDS: Final = re.compile(r"[.!?。！？\n]++")
_SPACED: Final = re.compile(r"(?<!\w)[a-z](?: [a-z](?!\w)){3,24}+", re.IGNORECASE)


@text_rule(
    "overrides-instructions",
    Level.HIGH,
    "A definition has no say in what a model was told elsewhere; one that tells it to forget that is an attack.",
)
def overrides_instructions(passage: Passage) -> Iterator[Hit]:
    yield from phrase_hits(passage, OVERRIDES)
    if not passage.kind.is_name:
        yield from _broken_up(passage)


def _broken_up(passage: Passage) -> Iterator[Hit]:
    """`Ignore. previous. instructions`, `I g n o r e previous …`: a model reads on where a sentence seems to end."""
    spaced = _SPACED.search(passage.plain) is not None
    if not spaced and any(slot.isdisjoint(passage.words.known) for slot in _SLOTS):
        return
    closed_up = _SPACED.sub(lambda run: run[0].replace(" ", ""), passage.plain)
    words = Words(_SENTENCE_ENDS.sub(" ", closed_up))
    for each, span in _BROKEN.found_in(words):
        yield Hit(each.level, each.message, words.quoted(span))
