"""Texts that claim authority over the user's decisions, over other tools, or over what users are told."""

from collections.abc import Iterator
from typing import Final

from toolbooth.contracts.finding import Level
from toolbooth.contracts.scan.phrases import PhraseSet, phrase_hits, phrases
from toolbooth.contracts.scan.rule import Passage, ScanHit, text_rule

_NO: Final = "not|never|dont|cannot|no|nothing|none|wont"
_AGREE: Final = "confirmation|permission|consent|approval|authorization"
BYPASSES: Final = PhraseSet(
    phrases(
        Level.MEDIUM,
        "it tells the model not to ask the user",
        f"not|never|dont 1 ask|request|seek|require|wait 2 user|users 3 {_AGREE}",
        f"not|never|dont 1 ask|request|seek|wait 2 {_AGREE}",
    ),
    phrases(
        Level.MEDIUM,
        "it tells the model not to ask the user",
        "without 2 asking|consulting 1 user",
        f"without 2 user|users 1 {_AGREE}",
        unless=_NO,
        within=14,
    ),
    phrases(
        Level.MEDIUM,
        "it puts itself above what the user wants",
        "even 0 if|when|though 1 user 2 not|didnt|doesnt|says|said|specifies|specified|refuses|refused|objects|declines"
        "|wants|asks|asked|requests",
        "regardless|irrespective 0 of 1 what|whether 1 user 1 says|wants|asks|asked|requested|requests|said|specifies"
        "|specified|thinks",
    ),
    phrases(
        Level.LOW,
        "it asks for approval to be automatic",
        "automatically|auto 1 approve|approved|confirm|accept 4 tool|calls|call|permission|permissions",
    ),
)


@text_rule(
    "bypasses-user",
    Level.MEDIUM,
    "The user and the host decide whether the user is asked, not a tool.",
)
def bypasses_user(passage: Passage) -> Iterator[ScanHit]:
    yield from phrase_hits(passage, BYPASSES)


_CALL: Final = "call|called|use|used|invoke|invoked|run|execute|executed"
_EVERY: Final = "any|all|every|each"
_AT: Final = "whenever|when|before|after 3 use|using|call|calling|invoke|invoking"
_NOT_OTHERS: Final = "not|never|dont 2 use|call|invoke"
PRECEDENCE: Final = PhraseSet(
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
    "A tool cannot decide when the tools of other servers are called.",
)
def claims_precedence(passage: Passage) -> Iterator[ScanHit]:
    yield from phrase_hits(passage, PRECEDENCE)


_NEVER: Final = "not|dont|never|without|avoid|cannot|mustnt|shouldnt"
_USER: Final = "user|users|human|humans|person|customer|operator|anyone|anybody|them|him"
_SAY: Final = (
    "mention|mentioning|reveal|revealing|disclose|disclosing|say|saying|discuss|discussing|explain|explaining"
)
_TELL: Final = "tell|telling|inform|informing|warn|warning"
_NOTIFY: Final = "notify|notifying|alert|alerting"
CONCEALS: Final = PhraseSet(
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
        "it tells the model to act silently",
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
    "A user may know what a tool does; a text that asks for silence about it has something to hide.",
)
def conceals_from_user(passage: Passage) -> Iterator[ScanHit]:
    yield from phrase_hits(passage, CONCEALS)
