"""Every key that a suite may have, as one table: the reader checks with it, and editors get its JSON Schema."""

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
    Keys,
    Leaf,
    Path,
    Rule,
    Schema,
    one_of,
)
from toolbooth.suite.gates import GATES
from toolbooth.suite.gates.budget import DOLLARS
from toolbooth.suite.linear_regex import NoPattern, found_in
from toolbooth.suite.spec.script import SCRIPT
from toolbooth.suite.spec.suite import MAX_TURNS, TIMEOUT

SURFACES: Final = ("direct", "search", "full", "code")


@dataclass(frozen=True)
class OneOrMore:
    """A value, or a list of such."""

    rule: Rule

    def check(self, document: Document, value: object, at: Path) -> None:
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
    except NoPattern:
        return False


PATTERN: Final = Leaf(
    "a pattern without look-around or back-references that does not fit everywhere",
    _is_pattern,
    {"type": "string", "minLength": 1},
)
_PRICE: Final = Keys(
    {
        "input": Key(NOT_NEGATIVE, "Dollars for a million input tokens."),
        "output": Key(NOT_NEGATIVE, "Dollars for a million output tokens."),
    }
)
# How an agent is run: in `defaults`, in an agent, or in a single test, which counts most.
AGENT: Final[dict[str, Key]] = {
    "model": Key(
        OneOrMore(FILLED),
        "`anthropic:…`, `openai:…`, `google:…`, `ollama:…`, a bare name such as claude-…, or a key-free model: "
        "scripted, lexical, replay. A list makes one cell of each.",
    ),
    "surface": Key(
        OneOrMore(one_of(*SURFACES)),
        "What the agent sees: direct (every tool, the default), or a surface of the gateway. A list makes one cell "
        "of each.",
    ),
    "servers": Key(Items(FILLED), "The servers by name; all of the suite by default."),
    "system_prompt": Key(TEXT, "What the model is told first."),
    "instructions": Key(FLAG, "Whether it also reads what servers say of themselves (default true)."),
    "max_turns": Key(COUNT, f"Model calls of one run at most (default {MAX_TURNS})."),
    "timeout": Key(SECONDS, f"Seconds of one run at most (default {TIMEOUT:g})."),
    "runs": Key(COUNT, "How often each cell runs (default 1)."),
    "base_url": Key(FILLED, "The address of an OpenAI-compatible provider."),
    "api_key_env": Key(FILLED, "The environment variable that holds the key, where it is not the usual one."),
    "temperature": Key(NOT_NEGATIVE, "Sampling temperature."),
    "max_tokens": Key(COUNT, "Output tokens of one model call at most."),
    "retries": Key(TIMES, "Tries after the first where a provider is busy or fails."),
    "price": Key(_PRICE, "Dollars, where no price is known for the model."),
}
TEST: Final[dict[str, Key]] = {
    "prompt": Key(TEXT, "What a user would ask."),
    "script": Key(SCRIPT, "The calls that `model: scripted` makes, turn by turn."),
    **{name: Key(kind.rule, kind.says) for name, kind in GATES.items()},
}
_NAME: Final = Key(FILLED, "A name of its own.")
TOP: Final = Keys(
    {
        "name": Key(FILLED, "What the suite is about."),
        "version": Key(Leaf("1", lambda value: value == 1, {"const": 1}), "The format: 1."),
        "servers": Key(Each(SERVER_KEYS), "MCP servers, each under its name, as in toolbooth.yaml."),
        "config": Key(
            OneOrMore(FILLED), "Config files of any client that name servers, from this file's folder."
        ),
        "cassettes": Key(
            FILLED, "The folder of recordings, from this file's folder (default cassettes/NAME OF THIS FILE)."
        ),
        "redact": Key(
            Items(PATTERN), "Patterns of what must never be recorded, beside what looks like a secret."
        ),
        "budget": Key(
            DOLLARS, "The most that a run of this suite may cost in dollars; more is refused (exit 5)."
        ),
        "seed": Key(WHOLE, "The seed of the order in which cells run (default 0)."),
        "concurrency": Key(COUNT, "Runs at the same time (default 4)."),
        "defaults": Key(Keys(AGENT), "What counts for every agent and test that does not say otherwise."),
        "agents": Key(
            Items(Keys({"name": _NAME, **AGENT, **TEST})),
            "Agents. One with gates is a test by itself; others are for tests that name them.",
        ),
        "tests": Key(
            Items(
                Keys(
                    {
                        "name": _NAME,
                        "type": Key(one_of("agent"), "The kind of test: agent."),
                        "agent": Key(FILLED, "Which of `agents` runs it."),
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
    """For editors, from the same table that the reader checks with."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "*.toolbooth.yaml",
        "description": "A suite of agent tests for `toolbooth test`.",
        **TOP.schema(),
    }
