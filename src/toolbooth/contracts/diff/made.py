"""A rule and what it is about → one change, with a sentence in which foreign values are short."""

import json
from collections.abc import Mapping
from typing import Any, Final

from toolbooth.contracts.change import Change
from toolbooth.contracts.diff.rules import RULES

SHORT: Final = 60  # characters of a value inside a sentence; the whole value stands beside it


def change(
    rule_id: str,
    server: str,
    tool: str = "",
    path: str = "",
    before: Any = None,
    after: Any = None,
    **words: str,
) -> Change:
    """`words` fill the sentence: `what`, `keyword`, `detail`; `before` and `after` do it by themselves."""
    rule = RULES[rule_id]
    said = {
        "what": "it",
        "keyword": "",
        "detail": "",
        "before": short(before),
        "after": short(after),
        **words,
    }
    message = rule.sentence.format_map(said)
    return Change(rule.id, rule.severity, server, tool, path, message, before, after)


def short(value: Any) -> str:
    """A value in a few characters; lists of words without their brackets."""
    if value is None:
        return "none"
    if isinstance(value, list) and value and all(isinstance(each, str) for each in value):
        text = ", ".join(value)
    else:
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= SHORT else text[: SHORT - 1] + "…"


def named(label: str) -> str:
    """A name as it stands in a sentence."""
    return f"`{short(label)}`"


def mapping(value: Any) -> Mapping[str, Any]:
    """An object of the wire, or an empty one where something else stands."""
    return value if isinstance(value, Mapping) else {}
