"""The table of rules: what can change between two contracts, how bad that is, and how it is said."""

from typing import Final, NamedTuple

from toolbooth.contracts.change import Severity

_B, _R, _S, _C = Severity.BREAKING, Severity.RISKY, Severity.SAFE, Severity.COSMETIC


class Rule(NamedTuple):
    """`sentence` names `{what}` changed and, where it helps, `{before}`, `{after}`, `{keyword}` or a `{detail}`."""

    id: str
    severity: Severity
    sentence: str


_TABLE: Final = (
    # -- servers, and what they offer beside tools
    Rule("server-added", _R, "the server is new and brings {detail}"),
    Rule("server-removed", _B, "the server is gone with {detail}"),
    Rule("instructions-changed", _R, "the server's instructions changed: models act on them"),
    Rule("server-title-changed", _C, "the server's title changed"),
    Rule("server-version-changed", _C, "the server's version is {after}, was {before}"),
    Rule("prompt-added", _R, "prompt {what} is new: text that goes into conversations"),
    Rule("prompt-removed", _B, "prompt {what} is gone"),
    Rule("prompt-argument-required", _B, "prompt {what} cannot be had without {after} now"),
    Rule("prompt-changed", _R, "prompt {what} is described otherwise"),
    Rule("resource-added", _R, "resource {what} is new: text that may go into conversations"),
    Rule("resource-removed", _R, "resource {what} is gone: resources come and go, but somebody may read it"),
    Rule("resource-changed", _R, "resource {what} is described otherwise"),
    Rule("template-added", _R, "resource template {what} is new: text that may go into conversations"),
    Rule("template-removed", _B, "resource template {what} is gone: what is read by it fails"),
    Rule("template-changed", _R, "resource template {what} is described otherwise"),
    Rule("offer-title-changed", _C, "the title, icons or _meta of {what} changed"),
    # -- tools
    Rule("tool-removed", _B, "the tool is gone: calls of it fail"),
    Rule("tool-unusable", _B, "the tool is still listed, but its definition cannot be used: {detail}"),
    Rule("tool-renamed", _B, "the tool is called {after} now, was {before}: calls by the old name fail"),
    Rule("tool-added", _R, "the tool is new: a door that nobody has looked at"),
    Rule("description-changed", _R, "the tool's description changed: models act on it"),
    Rule(
        "description-reflowed",
        _C,
        "the description of {what} has other blanks or line breaks, and the same words",
    ),
    Rule("tool-title-changed", _C, "the tool's title changed"),
    Rule("icons-changed", _C, "the tool's icons changed"),
    Rule("meta-changed", _C, "{what} in _meta changed: no model reads it"),
    Rule("meta-acted-on", _R, "{what} in _meta changed: clients act on it"),
    Rule("task-required", _B, "the tool can only be called as a task now"),
    Rule("execution-changed", _R, "how the tool is to be executed changed"),
    Rule("part-changed", _R, "{what} changed, a part of the definition that is not known here"),
    Rule("output-schema-lost", _R, "the tool no longer says what its answers look like"),
    Rule("output-schema-gained", _S, "the tool now says what its answers look like"),
    # -- hints; open-world: no call fails, but by MCP the tool may now reach strangers, whose text comes back
    Rule("read-only-lost", _B, "the tool no longer says that it changes nothing"),
    Rule("read-only-gained", _S, "the tool says that it changes nothing"),
    Rule("destructive-gained", _B, "the tool may destroy or overwrite things now"),
    Rule("destructive-lost", _S, "the tool says that it only adds and never destroys"),
    Rule("idempotent-lost", _B, "the tool no longer says that calling it twice does no more than once"),
    Rule("idempotent-gained", _S, "the tool says that calling it twice does no more than once"),
    Rule(
        "open-world-gained",
        _R,
        "the tool may reach the outside now: data may leave, and strangers' text come in",
    ),
    Rule("open-world-lost", _S, "the tool says that it stays inside a closed world"),
    # -- economics and budgets
    Rule("risk-escalated", _B, "answers may fill more of the context: the risk is {after}, was {before}"),
    Rule("risk-fell", _S, "answers fill less of the context: the risk is {after}, was {before}"),
    Rule("became-unbounded", _R, "nothing bounds the size of its answers any more"),
    Rule("became-bounded", _S, "the size of its answers is bounded now"),
    Rule("tool-grew", _R, "the definition takes {after} tokens, was {before}: more than it may grow by"),
    Rule("tool-over-budget", _R, "the definition takes {after} tokens, and {before} are allowed"),
    Rule("server-over-budget", _R, "the server's definitions take {after} tokens, and {before} are allowed"),
    Rule("total-over-budget", _R, "all definitions take {after} tokens, and {before} are allowed"),
    Rule("answer-over-budget", _R, "an answer may take about {after} tokens, and {before} are allowed"),
    # -- inputs: what was a right call must stay one
    Rule("input-removed", _B, "{what} is no longer an input"),
    Rule("required-input-added", _B, "{what} is a new input, and required"),
    Rule("optional-input-added", _S, "{what} is a new input, and optional"),
    Rule("input-required", _B, "{what} is required now"),
    Rule("input-optional", _S, "{what} is no longer required"),
    Rule("input-type-changed", _B, "{what} takes {after} now, was {before}"),
    Rule("input-type-narrowed", _B, "{what} takes {detail} now, was {before}"),
    Rule("input-type-widened", _S, "{what} takes {after} now, was {before}"),
    Rule("input-null-narrowed", _B, "{what} no longer takes null"),
    Rule("input-null-widened", _S, "{what} takes null, too"),
    Rule("input-enum-narrowed", _B, "{what} takes fewer values: {detail}"),
    Rule("input-enum-widened", _S, "{what} takes more values: {detail}"),
    Rule("input-bounds-narrowed", _B, "{what} takes fewer numbers: {keyword} is {after}, was {before}"),
    Rule("input-bounds-widened", _S, "{what} takes more numbers: {keyword} is {after}, was {before}"),
    Rule("limit-tightened", _S, "{what} also bounds the answer: at most {after} items now, was {before}"),
    Rule("input-length-narrowed", _B, "{what} takes fewer texts: {keyword} is {after}, was {before}"),
    Rule("input-length-widened", _S, "{what} takes more texts: {keyword} is {after}, was {before}"),
    Rule("input-pattern-narrowed", _B, "{what} has to match {after} now"),
    Rule("input-pattern-widened", _S, "{what} need not match {before} any more"),
    Rule("input-format-narrowed", _B, "{what} has to be of format {after} now"),
    Rule("input-format-widened", _S, "{what} need not be of format {before} any more"),
    Rule("input-items-narrowed", _B, "{what} takes fewer lists: {keyword} is {after}, was {before}"),
    Rule("input-items-widened", _S, "{what} takes more lists: {keyword} is {after}, was {before}"),
    Rule("input-keys-narrowed", _B, "{what} takes fewer objects: {keyword} is {after}, was {before}"),
    Rule("input-keys-widened", _S, "{what} takes more objects: {keyword} is {after}, was {before}"),
    Rule("input-closed", _B, "{what} is stricter about inputs that it does not name: {detail}"),
    Rule("input-opened", _S, "{what} is looser about inputs that it does not name: {detail}"),
    Rule("input-choices-narrowed", _B, "{what} takes less: {detail}"),
    Rule("input-choices-widened", _S, "{what} takes more: {detail}"),
    Rule(
        "input-unclear",
        _B,
        "{what} changed, and it cannot be told whether every call that was right still is",
    ),
    # -- outputs: who reads answers must not meet what was not there to be met
    Rule("output-field-removed", _B, "{what} is no longer in the answer"),
    Rule("output-field-added", _S, "{what} is new in the answer"),
    Rule(
        "output-field-unforeseen",
        _R,
        "{what} is new in the answer, which allowed no further fields: strict readers refuse it",
    ),
    Rule("output-field-optional", _B, "{what} may be missing from the answer now"),
    Rule("output-field-required", _S, "{what} is always in the answer now"),
    Rule("output-type-changed", _B, "{what} is {after} now, was {before}"),
    Rule("output-type-widened", _B, "{what} may be {after} now, was {before}"),
    Rule("output-type-narrowed", _S, "{what} is {detail} now, was {before}"),
    Rule("output-null-widened", _B, "{what} may be null now"),
    Rule("output-null-narrowed", _S, "{what} is never null now"),
    Rule("output-enum-widened", _B, "{what} may have values that it never had: {detail}"),
    Rule("output-enum-narrowed", _S, "{what} has fewer values: {detail}"),
    Rule(
        "output-bounds-widened",
        _R,
        "{what} may be a number that it never was: {keyword} is {after}, was {before}",
    ),
    Rule("output-bounds-narrowed", _S, "{what} is one of fewer numbers: {keyword} is {after}, was {before}"),
    Rule(
        "output-length-widened",
        _R,
        "{what} may be a text that it never was: {keyword} is {after}, was {before}",
    ),
    Rule("output-length-narrowed", _S, "{what} is one of fewer texts: {keyword} is {after}, was {before}"),
    Rule("output-pattern-widened", _R, "{what} need not match {before} any more"),
    Rule("output-pattern-narrowed", _S, "{what} matches {after} now"),
    Rule("output-format-widened", _R, "{what} need not be of format {before} any more"),
    Rule("output-format-narrowed", _S, "{what} is of format {after} now"),
    Rule(
        "output-items-widened",
        _R,
        "{what} may be a list that it never was: {keyword} is {after}, was {before}",
    ),
    Rule("output-items-narrowed", _S, "{what} is one of fewer lists: {keyword} is {after}, was {before}"),
    Rule(
        "output-keys-widened",
        _R,
        "{what} may be an object that it never was: {keyword} is {after}, was {before}",
    ),
    Rule("output-keys-narrowed", _S, "{what} is one of fewer objects: {keyword} is {after}, was {before}"),
    Rule("output-opened", _R, "{what} is looser about fields that it does not name: {detail}"),
    Rule("output-closed", _S, "{what} is stricter about fields that it does not name: {detail}"),
    Rule("output-choices-widened", _B, "{what} may be more: {detail}"),
    Rule("output-choices-narrowed", _S, "{what} is less: {detail}"),
    Rule(
        "output-unclear",
        _B,
        "{what} changed, and it cannot be told whether readers meet what was not there before",
    ),
    # -- words in schemas, which models read and validators do not
    Rule("parameter-description-changed", _R, "the description of {what} changed: models act on it"),
    Rule(
        "output-description-changed", _R, "the description of {what} in the answer changed: models act on it"
    ),
    Rule(
        "default-changed",
        _R,
        "the default of {what} is {after}, was {before}",
    ),
    Rule("note-changed", _R, "{keyword} of {what} changed: validators do not read it, models do"),
    Rule("schema-title-changed", _C, "the title of {what} changed"),
    Rule("wording-changed", _C, "words in the notation of the definition changed: validators pass over them"),
    Rule("order-changed", _C, "{keyword} of {what} has another order"),
)
RULES: Final = {rule.id: rule for rule in _TABLE}
