"""Texts that carry data away: requests for what the model knows beyond the call, and data sent to an address."""

from collections.abc import Iterator
from typing import Final

from toolbooth.contracts.finding import Level
from toolbooth.contracts.scan import rule, texts
from toolbooth.contracts.scan.phrases import PhraseSet, phrase_hits, phrases

_NOT: Final = "not|never|dont|without|avoid"
_GIVE: Final = (
    "include|pass|provide|send|put|paste|copy|insert|attach|append|reveal|repeat|print|output|show|share|submit|fill|give"
    "|contain|contains|including|passing|providing|sending|revealing|repeating|printing|outputting|sharing"
)
_WHOLE: Final = "full|entire|complete|whole|all|exact|verbatim|previous|recent"
_WORDS: Final = "message|messages|prompt|prompts|words|request|query|question|input|utterance"
IN_PROSE: Final = PhraseSet(
    phrases(
        Level.HIGH,
        "it asks for the model's own prompt",
        f"{_GIVE} 4 your 2 system|developer|initial|original 1 prompt|instructions|message",
        f"{_GIVE} 2 system|developer 0 prompt|instructions 4 you 0 have|were",
        f"{_GIVE} 3 {_WHOLE} 2 system|developer 0 prompt",
        unless=_NOT,
    ),
    phrases(
        Level.HIGH,
        "it asks for keys that the model has seen",
        f"{_GIVE} 5 keys|tokens|credentials|secrets|passwords 3 from|in 1 your 1 "
        "context|memory|environment|conversation",
        unless=_NOT,
    ),
    phrases(
        Level.MEDIUM,
        "it asks for the conversation",
        f"{_GIVE} 4 {_WHOLE} 2 conversation|chat|dialogue|dialog|transcript",
        f"{_GIVE} 3 conversation|chat 0 history|transcript|log",
        "call|calling|invoke 4 with 8 conversation|chat 0 history|transcript|context",
        f"{_GIVE} 3 previous|prior|earlier|all 1 messages 5 conversation|chat|parameter|argument|field",
        unless=_NOT,
    ),
    phrases(
        Level.MEDIUM,
        "it asks for the model's reasoning, or for results of other tools",
        f"{_GIVE} 4 other|previous|all 1 tool|tools 1 results|outputs|responses|calls|answers",
        f"{_GIVE} 4 your 2 reasoning|thoughts|thinking",
        unless=_NOT,
    ),
    phrases(
        Level.MEDIUM,
        "it makes the model read a file and pass it on",
        "read|open|load|cat 6 pass|include|provide|put|send|paste|insert 2 content|contents 2 as|in|into|to",
        unless=_NOT,
    ),
    phrases(
        Level.MEDIUM,
        "it asks for the user's own words",
        f"user|users 4 {_WORDS} 8 verbatim|unchanged|unmodified",
        f"verbatim|exact|full|complete|entire 3 user|users 2 {_WORDS}",
        unless="can|could|may",
    ),
    phrases(Level.LOW, "it asks which model is reading it", "if 0 you 0 are 1 ai|llm|model|assistant|agent"),
)
IN_FIELDS: Final = PhraseSet(
    phrases(Level.MEDIUM, "an input for the conversation", "conversation|chat 0 history|transcript|log"),
    phrases(
        Level.MEDIUM,
        "an input for the model's reasoning, or for calls of other tools",
        "chain 0 of 0 thought|thoughts",
        "tool|tools 0 call|calls 0 history|log|results",
    ),
    phrases(
        Level.MEDIUM,
        "an input for a side channel",
        "side|hidden|secret 0 note|notes|channel",
        "sidenote|sidenotes|sidechannel",
    ),
)


@rule.text_rule(
    "asks-for-context",
    Level.HIGH,
    "A tool needs only its arguments; it has no reason to collect the prompt, the conversation or the reasoning.",
)
def asks_for_context(passage: rule.Passage) -> Iterator[rule.ScanHit]:
    yield from phrase_hits(passage, IN_FIELDS if passage.kind is texts.TextKind.FIELD else IN_PROSE)


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
        "it makes the model send private data to an address",
        f"{_SEND} 10 {_PRIVATE} 8 to|via|at 3 @|//",
        f"{_PRIVATE} 8 {_SEND} 4 to|via|at 3 @|//",
        f"{_ALL} 8 send|forward|post|upload|transmit|email|leak 8 to 3 @|//",
        "send|forward|copy 1 all|every 3 to 2 @|//",
        "send|sent|sending 1 copy|copies 3 to 2 //",
        unless=_NOT,
    ),
    phrases(
        Level.HIGH,
        "it makes the model send a copy to an address",
        "bcc|cc|ccing 4 @",
        "copy|copies|copied 2 to 2 @",
        f"{_ALL}|also|should|consider 5 include|add|notify|copy|copied|inform 2 @",
        "include|add 1 @ 4 cc|bcc|recipients",
        "@ 2 should|must 2 receive|copied|included",
        unless=_NO_EXAMPLE,
    ),
    phrases(Level.HIGH, "it makes the model change a recipient", f"{_CHANGE} 1 @"),
    phrases(
        Level.HIGH,
        "it asks to leak data",
        "exfiltrate|exfiltrating 6 data|files|credentials|keys|conversation|secrets",
        unless=_SPOKEN_OF,
    ),
    phrases(Level.MEDIUM, "it makes the model change a recipient", f"{_CHANGE} 0 this|following|proxy"),
    phrases(
        Level.MEDIUM,
        "it makes the model send something that nobody asked for",
        "before 1 responding|answering|replying 6 send|post|forward|upload|transmit",
        "always|whenever|every|also|must 4 add|include 3 bcc",
        unless=_NOT,
    ),
    phrases(
        Level.MEDIUM,
        "it mentions leaking data",
        "exfiltrate|exfiltrating",
        unless=_SPOKEN_OF,
    ),
)


@rule.text_rule(
    "sends-data-away",
    Level.HIGH,
    "A text that names private data and an address in one sentence wants the model to send the data there.",
)
def sends_data_away(passage: rule.Passage) -> Iterator[rule.ScanHit]:
    yield from phrase_hits(passage, SENDS)
