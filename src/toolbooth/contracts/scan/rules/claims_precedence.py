"""A text → claims of a tool to go before, or stand in for, all others; advice on its own use is none."""

from collections.abc import Iterator
from typing import Final

from toolbooth.contracts.finding import Level
from toolbooth.contracts.scan.passage import Passage
from toolbooth.contracts.scan.phrases import PhraseBook, phrases
from toolbooth.contracts.scan.prose import phrase_hits
from toolbooth.contracts.scan.rule import Hit, text_rule

_CALL: Final = "call|called|use|used|invoke|invoked|run|execute|executed"
_EVERY: Final = "any|all|every|each"
_AT: Final = "whenever|when|before|after 3 use|using|call|calling|invoke|invoking"
_NOT_OTHERS: Final = "not|never|dont 2 use|call|invoke"
PRECEDENCE: Final = PhraseBook(
    phrases(
        Level.HIGH,
        "it steers the use of every server's tools",
        f"{_AT} 2 {_EVERY} 1 tool|tools 2 from|of|on 2 server|servers",
    ),
    phrases(
        Level.MEDIUM,
        "it wants to be called before everything else",
        f"{_AT} 1 {_EVERY} 1 tool|tools",
        f"always|must 4 {_CALL} 4 before 3 {_EVERY} 1 other 0 tool|tools",
        f"always|must 4 {_CALL} 3 this|it 4 before 2 {_EVERY} 1 "
        "response|responses|action|actions|request|message|reply|answer",
        f"always|must 4 {_CALL} 4 on|for|at|with|in|after|before 0 every|each 1 "
        "message|request|response|turn|conversation|prompt|interaction|question",
    ),
    phrases(
        Level.MEDIUM,
        "it keeps the model from other tools",
        f"instead 0 of 1 {_EVERY} 1 other 1 tool|tools",
        f"{_NOT_OTHERS} 2 other|another 0 tool|tools|server|servers",
        "other 0 tool|tools 0 are 1 deprecated|unsafe|broken|insecure|outdated|unreliable|compromised",
    ),
    phrases(
        Level.LOW,
        "it puts itself before other tools",
        f"{_NOT_OTHERS}|attempt|try 2 other|another 1 tool|tools|server|servers",
        "prefer|prioritize|prioritise|preferred|better 4 over|than 1 any|all|every 1 "
        "other|others|alternative|alternatives",
    ),
    phrases(Level.NOTE, "it asks to be called first", f"always|must|mandatory 4 {_CALL} 3 first|before"),
)


@text_rule(
    "claims-precedence",
    Level.HIGH,
    "One tool of one server has no say in when the tools of others are called.",
)
def claims_precedence(passage: Passage) -> Iterator[Hit]:
    yield from phrase_hits(passage, PRECEDENCE)
