"""A text → sentences that tell the model to keep something from the user."""

from collections.abc import Iterator
from typing import Final

from toolbooth.contracts.finding import Level
from toolbooth.contracts.scan.passage import Passage
from toolbooth.contracts.scan.phrases import PhraseBook, phrases
from toolbooth.contracts.scan.prose import phrase_hits
from toolbooth.contracts.scan.rule import Hit, text_rule

_NEVER: Final = "not|dont|never|without|avoid|cannot|mustnt|shouldnt"
_USER: Final = "user|users|human|humans|person|customer|operator|anyone|anybody|them|him"
_SAY: Final = (
    "mention|mentioning|reveal|revealing|disclose|disclosing|say|saying|discuss|discussing|explain|explaining"
)
_TELL: Final = "tell|telling|inform|informing|warn|warning"
_NOTIFY: Final = "notify|notifying|alert|alerting"
CONCEALS: Final = PhraseBook(
    phrases(
        Level.HIGH,
        "it tells the model to keep something from the user",
        f"{_NEVER} 2 {_TELL} 2 {_USER} 1 about|that|this|what|of|anything|how|why|these",
        f"{_NEVER} 2 {_TELL} 2 {_USER} 0 .",
        "without|avoid 1 telling|informing|warning|alerting 2 user|human",
        f"{_NEVER} 2 {_SAY} 0 this|it|that|these|anything 8 to 1 {_USER}",
        f"{_NEVER} 2 {_SAY}|{_TELL} 0 that 0 you|youre|youve",
        f"{_NEVER} 2 {_SAY} 1 this|these 1 instruction|instructions|step|requirement|note",
        f"hide|conceal|keep|hidden|concealed 3 this|it|these|that 3 from 1 {_USER}",
        "keep 2 secret|hidden 1 from 1 user|human",
        "user|human 1 must|should 0 not|never 2 know|notice|suspect|find|aware|realize",
        "so 4 user|human 2 not|doesnt|wont|never 1 notice|suspect|realize|know",
    ),
    phrases(
        Level.MEDIUM,
        "it tells the model to act without a word",
        "silently|quietly 1 read|send|include|append|copy|forward|execute|pass|collect|upload|transmit|call|invoke",
        "secretly|covertly|surreptitiously|stealthily",
        f"{_NEVER} 2 {_NOTIFY} 2 user|human 0 about|of 0 it|this",
    ),
    phrases(
        Level.LOW,
        "it tells the model what not to say",
        f"{_NEVER} 2 {_TELL} 2 {_USER}",
        f"{_NEVER} 2 {_SAY}|show|showing 6 to 1 {_USER}",
        f"{_NEVER} 2 {_NOTIFY} 3 {_USER}",
    ),
)


@text_rule(
    "conceals-from-user",
    Level.HIGH,
    "What a tool does is the user's business; a text that asks for silence about it has something to hide.",
)
def conceals_from_user(passage: Passage) -> Iterator[Hit]:
    yield from phrase_hits(passage, CONCEALS)
