"""A text → wishes for what the model knows beyond the call: its prompt, the conversation, the user's own words."""

from collections.abc import Iterator
from typing import Final

from toolbooth.contracts.finding import Level
from toolbooth.contracts.scan.phrases import PhraseSet, phrase_hits, phrases
from toolbooth.contracts.scan.rule import Passage, ScanHit, text_rule
from toolbooth.contracts.scan.texts import TextKind

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
        "it asks for what the model thought, or other tools answered",
        f"{_GIVE} 4 other|previous|all 1 tool|tools 1 results|outputs|responses|calls|answers",
        f"{_GIVE} 4 your 2 reasoning|thoughts|thinking",
        unless=_NOT,
    ),
    phrases(
        Level.MEDIUM,
        "it has the model read a file and hand it over",
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
    phrases(Level.LOW, "it asks which model it talks to", "if 0 you 0 are 1 ai|llm|model|assistant|agent"),
)
IN_FIELDS: Final = PhraseSet(
    phrases(Level.MEDIUM, "an input for the conversation", "conversation|chat 0 history|transcript|log"),
    phrases(
        Level.MEDIUM,
        "an input for what the model thought, or other tools did",
        "chain 0 of 0 thought|thoughts",
        "tool|tools 0 call|calls 0 history|log|results",
    ),
    phrases(
        Level.MEDIUM,
        "an input for something on the side",
        "side|hidden|secret 0 note|notes|channel",
        "sidenote|sidenotes|sidechannel",
    ),
)


@text_rule(
    "asks-for-context",
    Level.HIGH,
    "A tool needs its arguments; prompt, conversation and thoughts of the model are not its to collect.",
)
def asks_for_context(passage: Passage) -> Iterator[ScanHit]:
    yield from phrase_hits(passage, IN_FIELDS if passage.kind is TextKind.FIELD else IN_PROSE)
