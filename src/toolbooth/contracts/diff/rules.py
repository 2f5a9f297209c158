"""The table of diff rules: what can change between two contracts, its severity and its sentence.

`change` fills the sentence of a rule with short forms of the values that differ.
"""

import json
from typing import Any, Final, NamedTuple

from toolbooth.contracts.change import Change, Severity

_B, _R, _S, _C = Severity.BREAKING, Severity.RISKY, Severity.SAFE, Severity.COSMETIC


class ChangeRule(NamedTuple):
    """`sentence` names `{what}` changed and, where it helps, `{before}`, `{after}`, `{keyword}` or a `{detail}`."""

    id: str
    severity: Severity
    sentence: str


_TABLE: Final = (
    # -- servers, and what they offer beside tools
    ChangeRule("server-added", _R, "the server is new and brings {detail}"),
    ChangeRule("server-removed", _B, "the server is gone with {detail}"),
    ChangeRule("instructions-changed", _R, "the server's instructions changed: models act on them"),
    ChangeRule("server-title-changed", _C, "the server's title changed"),
    ChangeRule("server-version-changed", _C, "the server's version is {after}; it was {before}"),
    ChangeRule("prompt-added", _R, "prompt {what} is new: text that goes into conversations"),
    ChangeRule("prompt-removed", _B, "prompt {what} is gone"),
    ChangeRule("prompt-argument-required", _B, "prompt {what} now requires {after}"),
    ChangeRule("prompt-changed", _R, "the description of prompt {what} changed"),
    ChangeRule("resource-added", _R, "resource {what} is new: text that may go into conversations"),
    ChangeRule(
        "resource-removed",
        _R,
        "resource {what} is gone: resources come and go, but a client may still read it",
    ),
    ChangeRule("resource-changed", _R, "the description of resource {what} changed"),
    ChangeRule("template-added", _R, "resource template {what} is new: text that may go into conversations"),
    ChangeRule("template-removed", _B, "resource template {what} is gone: reads through it fail"),
    ChangeRule("template-changed", _R, "the description of resource template {what} changed"),
    ChangeRule("offer-title-changed", _C, "the title, icons or _meta of {what} changed"),
    # -- tools
    ChangeRule("tool-removed", _B, "the tool is gone: calls of it fail"),
    ChangeRule("tool-unusable", _B, "the tool is still listed, but its definition cannot be used: {detail}"),
    ChangeRule(
        "tool-renamed", _B, "the tool is now called {after}; it was {before}: calls by the old name fail"
    ),
    ChangeRule("tool-added", _R, "the tool is new: nobody has reviewed it"),
    ChangeRule("description-changed", _R, "the tool's description changed: models act on it"),
    ChangeRule(
        "description-reflowed",
        _C,
        "only spaces and line breaks changed in the description of {what}",
    ),
    ChangeRule("tool-title-changed", _C, "the tool's title changed"),
    ChangeRule("icons-changed", _C, "the tool's icons changed"),
    ChangeRule("meta-changed", _C, "{what} in _meta changed: no model reads it"),
    ChangeRule("meta-acted-on", _R, "{what} in _meta changed: clients act on it"),
    ChangeRule("task-required", _B, "the tool can now only be called as a task"),
    ChangeRule("execution-changed", _R, "the execution settings of the tool changed"),
    ChangeRule("part-changed", _R, "{what} changed; Toolbooth does not know this part of the definition"),
    ChangeRule("output-schema-lost", _R, "the tool no longer declares an output schema"),
    ChangeRule("output-schema-gained", _S, "the tool now declares an output schema"),
    # -- hints; open-world: no call fails, but by MCP the tool may now return text that strangers wrote
    ChangeRule("read-only-lost", _B, "the tool is no longer declared read-only"),
    ChangeRule("read-only-gained", _S, "the tool is now declared read-only"),
    ChangeRule("destructive-gained", _B, "the tool may now delete or overwrite data"),
    ChangeRule("destructive-lost", _S, "the tool is now declared non-destructive"),
    ChangeRule("idempotent-lost", _B, "the tool is no longer declared idempotent"),
    ChangeRule("idempotent-gained", _S, "the tool is now declared idempotent"),
    ChangeRule(
        "open-world-gained",
        _R,
        "the tool may now reach the open world: data may leave, and untrusted text may come in",
    ),
    ChangeRule("open-world-lost", _S, "the tool is now declared closed-world"),
    # -- economics and budgets
    ChangeRule(
        "risk-escalated", _B, "answers may take more of the context: the risk is {after}; it was {before}"
    ),
    ChangeRule("risk-fell", _S, "answers take less of the context: the risk is {after}; it was {before}"),
    ChangeRule("became-unbounded", _R, "the size of its answers is no longer bounded"),
    ChangeRule("became-bounded", _S, "the size of its answers is now bounded"),
    ChangeRule(
        "tool-grew",
        _R,
        "the definition takes {after} tokens; it was {before}: it grew by more than is allowed",
    ),
    ChangeRule("tool-over-budget", _R, "the definition takes {after} tokens, and {before} are allowed"),
    ChangeRule(
        "server-over-budget", _R, "the server's definitions take {after} tokens, and {before} are allowed"
    ),
    ChangeRule("total-over-budget", _R, "all definitions take {after} tokens, and {before} are allowed"),
    ChangeRule("answer-over-budget", _R, "an answer may take about {after} tokens, and {before} are allowed"),
    # -- inputs: a valid call must stay valid
    ChangeRule("input-removed", _B, "{what} is no longer an input"),
    ChangeRule("required-input-added", _B, "{what} is a new input, and required"),
    ChangeRule("optional-input-added", _S, "{what} is a new input, and optional"),
    ChangeRule("input-required", _B, "{what} is now required"),
    ChangeRule("input-optional", _S, "{what} is no longer required"),
    ChangeRule("input-type-changed", _B, "{what} now accepts {after}; it was {before}"),
    ChangeRule("input-type-narrowed", _B, "{what} now accepts {detail}; it was {before}"),
    ChangeRule("input-type-widened", _S, "{what} now accepts {after}; it was {before}"),
    ChangeRule("input-null-narrowed", _B, "{what} no longer accepts null"),
    ChangeRule("input-null-widened", _S, "{what} now also accepts null"),
    ChangeRule("input-enum-narrowed", _B, "{what} accepts fewer values: {detail}"),
    ChangeRule("input-enum-widened", _S, "{what} accepts more values: {detail}"),
    ChangeRule(
        "input-bounds-narrowed", _B, "{what} accepts fewer numbers: {keyword} is {after}; it was {before}"
    ),
    ChangeRule(
        "input-bounds-widened", _S, "{what} accepts more numbers: {keyword} is {after}; it was {before}"
    ),
    ChangeRule(
        "limit-tightened", _S, "{what} also bounds the answer: now at most {after} items; it was {before}"
    ),
    ChangeRule(
        "input-length-narrowed", _B, "{what} accepts fewer texts: {keyword} is {after}; it was {before}"
    ),
    ChangeRule(
        "input-length-widened", _S, "{what} accepts more texts: {keyword} is {after}; it was {before}"
    ),
    ChangeRule("input-pattern-narrowed", _B, "{what} must now match {after}"),
    ChangeRule("input-pattern-widened", _S, "{what} no longer has to match {before}"),
    ChangeRule("input-format-narrowed", _B, "{what} must now have the format {after}"),
    ChangeRule("input-format-widened", _S, "{what} no longer has to have the format {before}"),
    ChangeRule(
        "input-items-narrowed", _B, "{what} accepts fewer lists: {keyword} is {after}; it was {before}"
    ),
    ChangeRule("input-items-widened", _S, "{what} accepts more lists: {keyword} is {after}; it was {before}"),
    ChangeRule(
        "input-keys-narrowed", _B, "{what} accepts fewer objects: {keyword} is {after}; it was {before}"
    ),
    ChangeRule(
        "input-keys-widened", _S, "{what} accepts more objects: {keyword} is {after}; it was {before}"
    ),
    ChangeRule("input-closed", _B, "{what} accepts fewer inputs that it does not name: {detail}"),
    ChangeRule("input-opened", _S, "{what} accepts more inputs that it does not name: {detail}"),
    ChangeRule("input-choices-narrowed", _B, "{what} accepts less: {detail}"),
    ChangeRule("input-choices-widened", _S, "{what} accepts more: {detail}"),
    ChangeRule(
        "input-unclear",
        _B,
        "{what} changed, and it is undecidable whether every valid call is still valid",
    ),
    # -- outputs: readers of answers must not meet values that did not occur before
    ChangeRule("output-field-removed", _B, "{what} is no longer in the answer"),
    ChangeRule("output-field-added", _S, "{what} is new in the answer"),
    ChangeRule(
        "output-field-unforeseen",
        _R,
        "{what} is new in an answer that allowed no further fields: strict readers refuse it",
    ),
    ChangeRule("output-field-optional", _B, "{what} may now be missing from the answer"),
    ChangeRule("output-field-required", _S, "{what} is now always in the answer"),
    ChangeRule("output-type-changed", _B, "{what} is now {after}; it was {before}"),
    ChangeRule("output-type-widened", _B, "{what} may now be {after}; it was {before}"),
    ChangeRule("output-type-narrowed", _S, "{what} is now {detail}; it was {before}"),
    ChangeRule("output-null-widened", _B, "{what} may now be null"),
    ChangeRule("output-null-narrowed", _S, "{what} is no longer null"),
    ChangeRule("output-enum-widened", _B, "{what} may have new values: {detail}"),
    ChangeRule("output-enum-narrowed", _S, "{what} has fewer values: {detail}"),
    ChangeRule(
        "output-bounds-widened",
        _R,
        "{what} may be a number outside its former range: {keyword} is {after}; it was {before}",
    ),
    ChangeRule(
        "output-bounds-narrowed",
        _S,
        "{what} has a smaller range of numbers: {keyword} is {after}; it was {before}",
    ),
    ChangeRule(
        "output-length-widened",
        _R,
        "{what} may be a text of a new length: {keyword} is {after}; it was {before}",
    ),
    ChangeRule(
        "output-length-narrowed",
        _S,
        "{what} has a smaller range of lengths: {keyword} is {after}; it was {before}",
    ),
    ChangeRule("output-pattern-widened", _R, "{what} no longer has to match {before}"),
    ChangeRule("output-pattern-narrowed", _S, "{what} now matches {after}"),
    ChangeRule("output-format-widened", _R, "{what} no longer has to have the format {before}"),
    ChangeRule("output-format-narrowed", _S, "{what} now has the format {after}"),
    ChangeRule(
        "output-items-widened",
        _R,
        "{what} may be a list of a new kind: {keyword} is {after}; it was {before}",
    ),
    ChangeRule(
        "output-items-narrowed", _S, "{what} allows fewer lists: {keyword} is {after}; it was {before}"
    ),
    ChangeRule(
        "output-keys-widened",
        _R,
        "{what} may be an object of a new kind: {keyword} is {after}; it was {before}",
    ),
    ChangeRule(
        "output-keys-narrowed", _S, "{what} allows fewer objects: {keyword} is {after}; it was {before}"
    ),
    ChangeRule("output-opened", _R, "{what} allows more fields that it does not name: {detail}"),
    ChangeRule("output-closed", _S, "{what} allows fewer fields that it does not name: {detail}"),
    ChangeRule("output-choices-widened", _B, "{what} may be more: {detail}"),
    ChangeRule("output-choices-narrowed", _S, "{what} is less: {detail}"),
    ChangeRule(
        "output-unclear",
        _B,
        "{what} changed, and it is undecidable whether readers meet values that did not occur before",
    ),
    # -- texts in schemas, which models read and validators do not
    ChangeRule("parameter-description-changed", _R, "the description of {what} changed: models act on it"),
    ChangeRule(
        "output-description-changed", _R, "the description of {what} in the answer changed: models act on it"
    ),
    ChangeRule(
        "default-changed",
        _R,
        "the default of {what} is {after}; it was {before}",
    ),
    ChangeRule("note-changed", _R, "{keyword} of {what} changed: validators do not read it, models do"),
    ChangeRule("schema-title-changed", _C, "the title of {what} changed"),
    ChangeRule(
        "wording-changed", _C, "text in the notation of the definition changed; no validator reads it"
    ),
    ChangeRule("order-changed", _C, "{keyword} of {what} has another order"),
)
RULES: Final = {rule.id: rule for rule in _TABLE}


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
