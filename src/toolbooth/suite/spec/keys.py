"""The table of all keys of a suite. The reader checks with it, and editors get it as a JSON Schema."""

from dataclasses import dataclass
from typing import Any, Final

from toolbooth.catalog.config import SERVER_KEYS, Document
from toolbooth.catalog.config.key_table import (
    COUNT,
    FILLED,
    FLAG,
    SECONDS,
    Each,
    Items,
    Key,
    KeyPath,
    KeyRule,
    Keys,
    Leaf,
    Schema,
    one_of,
)
from toolbooth.suite.gates import GATES
from toolbooth.suite.gates.budget import DOLLARS
from toolbooth.suite.matchers import BadPattern, found_in
from toolbooth.suite.spec import script, suite


@dataclass(frozen=True)
class OneOrMore:
    """A value, or a list of such values."""

    rule: KeyRule

    def check(self, document: Document, value: object, at: KeyPath) -> None:
        if isinstance(value, list):
            if not value:
                raise document.mistake("the list is empty; leave the key out instead", at)
            Items(self.rule).check(document, value, at)
        else:
            self.rule.check(document, value, at)

    def schema(self) -> Schema:
        one = self.rule.schema()
        return {"anyOf": [one, {"type": "array", "items": one, "minItems": 1}]}


TEXT: Final = Leaf("text", lambda value: isinstance(value, str), {"type": "string"})
WHOLE: Final = Leaf(
    "a whole number",
    lambda value: isinstance(value, int) and not isinstance(value, bool),
    {"type": "integer"},
)
NOT_NEGATIVE: Final = Leaf(
    "a number of 0 or more",
    lambda value: isinstance(value, int | float) and not isinstance(value, bool) and value >= 0,
    {"type": "number", "minimum": 0},
)
TIMES: Final = Leaf(
    "a whole number of 0 or more",
    lambda value: isinstance(value, int) and not isinstance(value, bool) and value >= 0,
    {"type": "integer", "minimum": 0},
)


def _is_pattern(value: object) -> bool:
    try:
        return isinstance(value, str) and not found_in(value)("")
    except BadPattern:
        return False


PATTERN: Final = Leaf(
    "a pattern without look-around or back-references that does not match everywhere",
    _is_pattern,
    {"type": "string", "minLength": 1},
)
_PRICE: Final = Keys(
    {
        "input": Key(NOT_NEGATIVE, "Dollars for a million input tokens."),
        "output": Key(NOT_NEGATIVE, "Dollars for a million output tokens."),
    }
)
# How an agent is run: set in `defaults`, in an agent, or in a test, which takes precedence.
AGENT: Final[dict[str, Key]] = {
    "model": Key(
        OneOrMore(FILLED),
        "`anthropic:…`, `openai:…`, `google:…`, `ollama:…`, a bare name such as claude-…, or a key-free model: "
        "scripted, lexical, replay. A list makes one cell per model.",
    ),
    "surface": Key(
        OneOrMore(one_of(*suite.SURFACES)),
        "What the agent sees: direct (all tools, the default), or a surface of the gateway. A list makes one cell "
        "per surface.",
    ),
    "servers": Key(Items(FILLED), "The servers by name (default: all servers of the suite)."),
    "system_prompt": Key(TEXT, "The system prompt."),
    "instructions": Key(FLAG, "Whether the model also reads the servers' instructions (default true)."),
    "max_turns": Key(COUNT, f"The most model calls of one run (default {suite.MAX_TURNS})."),
    "timeout": Key(SECONDS, f"The most seconds of one run (default {suite.TIMEOUT:g})."),
    "runs": Key(COUNT, "How often each cell runs (default 1)."),
    "base_url": Key(FILLED, "The URL of an OpenAI-compatible provider."),
    "api_key_env": Key(FILLED, "The environment variable with the key, if it is not the usual one."),
    "temperature": Key(NOT_NEGATIVE, "The sampling temperature."),
    "max_tokens": Key(COUNT, "The most output tokens of one model call."),
    "retries": Key(TIMES, "How often to retry if a provider is busy or fails."),
    "price": Key(_PRICE, "Prices in dollars, for a model without a known price."),
}
TEST: Final[dict[str, Key]] = {
    "prompt": Key(TEXT, "What a user would ask."),
    "script": Key(script.SCRIPT, "The calls that `model: scripted` makes, turn by turn."),
    **{name: Key(kind.rule, kind.says) for name, kind in GATES.items()},
}
_NAME: Final = Key(FILLED, "A unique name.")
TOP: Final = Keys(
    {
        "name": Key(FILLED, "What the suite is about."),
        "version": Key(Leaf("1", lambda value: value == 1, {"const": 1}), "The format: 1."),
        "servers": Key(Each(SERVER_KEYS), "MCP servers, each under its name, as in toolbooth.yaml."),
        "config": Key(
            OneOrMore(FILLED),
            "Config files of any client that define servers, relative to this file's folder.",
        ),
        "cassettes": Key(
            FILLED,
            "The folder of recordings, relative to this file's folder (default cassettes/NAME OF THIS FILE).",
        ),
        "redact": Key(
            Items(PATTERN),
            "Patterns of text that is never recorded, in addition to what looks like a secret.",
        ),
        "budget": Key(
            DOLLARS, "The most that a run of this suite may cost, in dollars; more is refused (exit code 5)."
        ),
        "seed": Key(WHOLE, "The seed of the order in which cells run (default 0)."),
        "concurrency": Key(COUNT, "How many runs are made at the same time (default 4)."),
        "defaults": Key(Keys(AGENT), "Defaults for all agents and tests."),
        "agents": Key(
            Items(Keys({"name": _NAME, **AGENT, **TEST})),
            "Agents. An agent with gates is itself a test; the others are used by tests that name them.",
        ),
        "tests": Key(
            Items(
                Keys(
                    {
                        "name": _NAME,
                        "type": Key(one_of("agent"), "The kind of test: agent."),
                        "agent": Key(FILLED, "The name of one of `agents`."),
                        **AGENT,
                        **TEST,
                    }
                )
            ),
            "Tests.",
        ),
    }
)


def suite_schema() -> dict[str, Any]:
    """The JSON Schema for editors, from the same table that the reader uses."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "*.toolbooth.yaml",
        "description": "A suite of agent tests for `toolbooth test`.",
        **TOP.schema(),
    }
