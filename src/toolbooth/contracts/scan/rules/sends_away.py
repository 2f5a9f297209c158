"""A text → sentences that have data sent to an address, or a recipient changed, by the model itself."""

from collections.abc import Iterator
from typing import Final

from toolbooth.contracts.finding import Level
from toolbooth.contracts.scan.phrases import PhraseSet, phrase_hits, phrases
from toolbooth.contracts.scan.rule import Passage, ScanHit, text_rule

_NOT: Final = "not|never|dont|without|avoid"
_SPOKEN_OF: Final = (
    f"{_NOT}|could|can|may|attacker|attackers|attempt|attempts|detect|detects|prevent|prevents"
)
_NO_EXAMPLE: Final = "not|eg|example"
_SEND: Final = (
    "send|sent|sending|forward|forwarded|post|posted|upload|uploaded|transmit|email|emailed|leak|exfiltrate|copy"
    "|copied"
)
_PRIVATE: Final = (
    "conversation|transcript|credentials|credential|secrets|passwords|environment|contents|prompt|prompts|env|cookies"
    "|keys|history"
)
_ALL: Final = "must|always|every|all|each|any|whenever"
_CHANGE: Final = "change|replace|modify|redirect|substitute 3 recipient|recipients 6 to|with"
SENDS: Final = PhraseSet(
    phrases(
        Level.HIGH,
        "it has private data sent to an address of its own",
        f"{_SEND} 10 {_PRIVATE} 8 to|via|at 3 @|//",
        f"{_PRIVATE} 8 {_SEND} 4 to|via|at 3 @|//",
        f"{_ALL} 8 send|forward|post|upload|transmit|email|leak 8 to 3 @|//",
        "send|forward|copy 1 all|every 3 to 2 @|//",
        "send|sent|sending 1 copy|copies 3 to 2 //",
        unless=_NOT,
    ),
    phrases(
        Level.HIGH,
        "it has a copy sent to an address of its own",
        "bcc|cc|ccing 4 @",
        "copy|copies|copied 2 to 2 @",
        f"{_ALL}|also|should|consider 5 include|add|notify|copy|copied|inform 2 @",
        "include|add 1 @ 4 cc|bcc|recipients",
        "@ 2 should|must 2 receive|copied|included",
        unless=_NO_EXAMPLE,
    ),
    phrases(Level.HIGH, "it has the recipient of something changed", f"{_CHANGE} 1 @"),
    phrases(
        Level.HIGH,
        "it asks to leak data",
        "exfiltrate|exfiltrating 6 data|files|credentials|keys|conversation|secrets",
        unless=_SPOKEN_OF,
    ),
    phrases(Level.MEDIUM, "it has the recipient of something changed", f"{_CHANGE} 0 this|following|proxy"),
    phrases(
        Level.MEDIUM,
        "it has something sent that nobody asked for",
        "before 1 responding|answering|replying 6 send|post|forward|upload|transmit",
        "always|whenever|every|also|must 4 add|include 3 bcc",
        unless=_NOT,
    ),
    phrases(
        Level.MEDIUM,
        "it speaks of leaking data",
        "exfiltrate|exfiltrating",
        unless=_SPOKEN_OF,
    ),
)


@text_rule(
    "sends-data-away",
    Level.HIGH,
    "A text that names private data and an address in one sentence wants the model to carry the one to the other.",
)
def sends_data_away(passage: Passage) -> Iterator[ScanHit]:
    yield from phrase_hits(passage, SENDS)
