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
    ChangeRule("server-version-changed", _C, "the server's version is {after}, was {before}"),
    ChangeRule("prompt-added", _R, "prompt {what} is new: text that goes into conversations"),
    ChangeRule("prompt-removed", _B, "prompt {what} is gone"),
    ChangeRule("prompt-argument-required", _B, "prompt {what} cannot be had without {after} now"),
    ChangeRule("prompt-changed", _R, "prompt {what} is described otherwise"),
    ChangeRule("resource-added", _R, "resource {what} is new: text that may go into conversations"),
    ChangeRule(
        "resource-removed", _R, "resource {what} is gone: resources come and go, but somebody may read it"
    ),
    ChangeRule("resource-changed", _R, "resource {what} is described otherwise"),
    ChangeRule("template-added", _R, "resource template {what} is new: text that may go into conversations"),
    ChangeRule("template-removed", _B, "resource template {what} is gone: what is read by it fails"),
    ChangeRule("template-changed", _R, "resource template {what} is described otherwise"),
    ChangeRule("offer-title-changed", _C, "the title, icons or _meta of {what} changed"),
    # -- tools
    ChangeRule("tool-removed", _B, "the tool is gone: calls of it fail"),
    ChangeRule("tool-unusable", _B, "the tool is still listed, but its definition cannot be used: {detail}"),
    ChangeRule(
        "tool-renamed", _B, "the tool is called {after} now, was {before}: calls by the old name fail"
    ),
    ChangeRule("tool-added", _R, "the tool is new: a door that nobody has looked at"),
    ChangeRule("description-changed", _R, "the tool's description changed: models act on it"),
    ChangeRule(
        "description-reflowed",
        _C,
        "the description of {what} has other blanks or line breaks, and the same words",
    ),
    ChangeRule("tool-title-changed", _C, "the tool's title changed"),
    ChangeRule("icons-changed", _C, "the tool's icons changed"),
    ChangeRule("meta-changed", _C, "{what} in _meta changed: no model reads it"),
    ChangeRule("meta-acted-on", _R, "{what} in _meta changed: clients act on it"),
    ChangeRule("task-required", _B, "the tool can only be called as a task now"),
    ChangeRule("execution-changed", _R, "how the tool is to be executed changed"),
    ChangeRule("part-changed", _R, "{what} changed, a part of the definition that is not known here"),
    ChangeRule("output-schema-lost", _R, "the tool no longer says what its answers look like"),
    ChangeRule("output-schema-gained", _S, "the tool now says what its answers look like"),
    # -- hints; open-world: no call fails, but by MCP the tool may now reach strangers, whose text comes back
    ChangeRule("read-only-lost", _B, "the tool no longer says that it changes nothing"),
    ChangeRule("read-only-gained", _S, "the tool says that it changes nothing"),
    ChangeRule("destructive-gained", _B, "the tool may destroy or overwrite things now"),
    ChangeRule("destructive-lost", _S, "the tool says that it only adds and never destroys"),
    ChangeRule("idempotent-lost", _B, "the tool no longer says that calling it twice does no more than once"),
    ChangeRule("idempotent-gained", _S, "the tool says that calling it twice does no more than once"),
    ChangeRule(
        "open-world-gained",
        _R,
        "the tool may reach the outside now: data may leave, and strangers' text come in",
    ),
    ChangeRule("open-world-lost", _S, "the tool says that it stays inside a closed world"),
    # -- economics and budgets
    ChangeRule(
        "risk-escalated", _B, "answers may fill more of the context: the risk is {after}, was {before}"
    ),
    ChangeRule("risk-fell", _S, "answers fill less of the context: the risk is {after}, was {before}"),
    ChangeRule("became-unbounded", _R, "nothing bounds the size of its answers any more"),
    ChangeRule("became-bounded", _S, "the size of its answers is bounded now"),
    ChangeRule(
        "tool-grew", _R, "the definition takes {after} tokens, was {before}: more than it may grow by"
    ),
    ChangeRule("tool-over-budget", _R, "the definition takes {after} tokens, and {before} are allowed"),
    ChangeRule(
        "server-over-budget", _R, "the server's definitions take {after} tokens, and {before} are allowed"
    ),
    ChangeRule("total-over-budget", _R, "all definitions take {after} tokens, and {before} are allowed"),
    ChangeRule("answer-over-budget", _R, "an answer may take about {after} tokens, and {before} are allowed"),
    # -- inputs: what was a right call must stay one
    ChangeRule("input-removed", _B, "{what} is no longer an input"),
    ChangeRule("required-input-added", _B, "{what} is a new input, and required"),
    ChangeRule("optional-input-added", _S, "{what} is a new input, and optional"),
    ChangeRule("input-required", _B, "{what} is required now"),
    ChangeRule("input-optional", _S, "{what} is no longer required"),
    ChangeRule("input-type-changed", _B, "{what} takes {after} now, was {before}"),
    ChangeRule("input-type-narrowed", _B, "{what} takes {detail} now, was {before}"),
    ChangeRule("input-type-widened", _S, "{what} takes {after} now, was {before}"),
    ChangeRule("input-null-narrowed", _B, "{what} no longer takes null"),
    ChangeRule("input-null-widened", _S, "{what} takes null, too"),
    ChangeRule("input-enum-narrowed", _B, "{what} takes fewer values: {detail}"),
    ChangeRule("input-enum-widened", _S, "{what} takes more values: {detail}"),
    ChangeRule("input-bounds-narrowed", _B, "{what} takes fewer numbers: {keyword} is {after}, was {before}"),
    ChangeRule("input-bounds-widened", _S, "{what} takes more numbers: {keyword} is {after}, was {before}"),
    ChangeRule(
        "limit-tightened", _S, "{what} also bounds the answer: at most {after} items now, was {before}"
    ),
    ChangeRule("input-length-narrowed", _B, "{what} takes fewer texts: {keyword} is {after}, was {before}"),
    ChangeRule("input-length-widened", _S, "{what} takes more texts: {keyword} is {after}, was {before}"),
    ChangeRule("input-pattern-narrowed", _B, "{what} has to match {after} now"),
    ChangeRule("input-pattern-widened", _S, "{what} need not match {before} any more"),
    ChangeRule("input-format-narrowed", _B, "{what} has to be of format {after} now"),
    ChangeRule("input-format-widened", _S, "{what} need not be of format {before} any more"),
    ChangeRule("input-items-narrowed", _B, "{what} takes fewer lists: {keyword} is {after}, was {before}"),
    ChangeRule("input-items-widened", _S, "{what} takes more lists: {keyword} is {after}, was {before}"),
    ChangeRule("input-keys-narrowed", _B, "{what} takes fewer objects: {keyword} is {after}, was {before}"),
    ChangeRule("input-keys-widened", _S, "{what} takes more objects: {keyword} is {after}, was {before}"),
    ChangeRule("input-closed", _B, "{what} is stricter about inputs that it does not name: {detail}"),
    ChangeRule("input-opened", _S, "{what} is looser about inputs that it does not name: {detail}"),
    ChangeRule("input-choices-narrowed", _B, "{what} takes less: {detail}"),
    ChangeRule("input-choices-widened", _S, "{what} takes more: {detail}"),
    ChangeRule(
        "input-unclear",
        _B,
        "{what} changed, and it cannot be told whether every call that was right still is",
    ),
    # -- outputs: who reads answers must not meet what was not there to be met
    ChangeRule("output-field-removed", _B, "{what} is no longer in the answer"),
    ChangeRule("output-field-added", _S, "{what} is new in the answer"),
    ChangeRule(
        "output-field-unforeseen",
        _R,
        "{what} is new in the answer, which allowed no further fields: strict readers refuse it",
    ),
    ChangeRule("output-field-optional", _B, "{what} may be missing from the answer now"),
    ChangeRule("output-field-required", _S, "{what} is always in the answer now"),
    ChangeRule("output-type-changed", _B, "{what} is {after} now, was {before}"),
    ChangeRule("output-type-widened", _B, "{what} may be {after} now, was {before}"),
    ChangeRule("output-type-narrowed", _S, "{what} is {detail} now, was {before}"),
    ChangeRule("output-null-widened", _B, "{what} may be null now"),
    ChangeRule("output-null-narrowed", _S, "{what} is never null now"),
    ChangeRule("output-enum-widened", _B, "{what} may have values that it never had: {detail}"),
    ChangeRule("output-enum-narrowed", _S, "{what} has fewer values: {detail}"),
    ChangeRule(
        "output-bounds-widened",
        _R,
        "{what} may be a number that it never was: {keyword} is {after}, was {before}",
    ),
    ChangeRule(
        "output-bounds-narrowed", _S, "{what} is one of fewer numbers: {keyword} is {after}, was {before}"
    ),
    ChangeRule(
        "output-length-widened",
        _R,
        "{what} may be a text that it never was: {keyword} is {after}, was {before}",
    ),
    ChangeRule(
        "output-length-narrowed", _S, "{what} is one of fewer texts: {keyword} is {after}, was {before}"
    ),
    ChangeRule("output-pattern-widened", _R, "{what} need not match {before} any more"),
    ChangeRule("output-pattern-narrowed", _S, "{what} matches {after} now"),
    ChangeRule("output-format-widened", _R, "{what} need not be of format {before} any more"),
    ChangeRule("output-format-narrowed", _S, "{what} is of format {after} now"),
    ChangeRule(
        "output-items-widened",
        _R,
        "{what} may be a list that it never was: {keyword} is {after}, was {before}",
    ),
    ChangeRule(
        "output-items-narrowed", _S, "{what} is one of fewer lists: {keyword} is {after}, was {before}"
    ),
    ChangeRule(
        "output-keys-widened",
        _R,
        "{what} may be an object that it never was: {keyword} is {after}, was {before}",
    ),
    ChangeRule(
        "output-keys-narrowed", _S, "{what} is one of fewer objects: {keyword} is {after}, was {before}"
    ),
    ChangeRule("output-opened", _R, "{what} is looser about fields that it does not name: {detail}"),
    ChangeRule("output-closed", _S, "{what} is stricter about fields that it does not name: {detail}"),
    ChangeRule("output-choices-widened", _B, "{what} may be more: {detail}"),
    ChangeRule("output-choices-narrowed", _S, "{what} is less: {detail}"),
    ChangeRule(
        "output-unclear",
        _B,
        "{what} changed, and it cannot be told whether readers meet what was not there before",
    ),
    # -- words in schemas, which models read and validators do not
    ChangeRule("parameter-description-changed", _R, "the description of {what} changed: models act on it"),
    ChangeRule(
        "output-description-changed", _R, "the description of {what} in the answer changed: models act on it"
    ),
    ChangeRule(
        "default-changed",
        _R,
        "the default of {what} is {after}, was {before}",
    ),
    ChangeRule("note-changed", _R, "{keyword} of {what} changed: validators do not read it, models do"),
    ChangeRule("schema-title-changed", _C, "the title of {what} changed"),
    ChangeRule(
        "wording-changed", _C, "words in the notation of the definition changed: validators pass over them"
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
