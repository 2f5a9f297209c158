"""One tool before and after: every change of its raw object, its annotations and its cost.

An absent annotation hint equals its MCP default: a tool without hints may write and delete.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from toolbooth import catalog, economics, schema
from toolbooth.contracts.change import Change
from toolbooth.contracts.contract import ToolContract
from toolbooth.contracts.diff import rules, schema_notes
from toolbooth.contracts.diff.schema_changes import INPUT, OUTPUT, Direction, schema_changes
from toolbooth.contracts.scan.texts import texts_of

_KNOWN = ("title", "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
ANNOTATIONS_PATH = "/annotations"
Said = Mapping[str, Any]


class Hints(NamedTuple):
    """The hints that hold, declared or by default: an undeclared tool may write, delete and reach the open world."""

    read_only: bool
    destructive: bool
    idempotent: bool
    open_world: bool

    @classmethod
    def of(cls, annotations: Any) -> "Hints":
        """The hints that hold for these annotations; a read-only tool is idempotent and not destructive."""
        said = schema.mapping(annotations)
        read_only = said.get("readOnlyHint") is True
        return cls(
            read_only,
            not read_only and said.get("destructiveHint") is not False,
            read_only or said.get("idempotentHint") is True,
            said.get("openWorldHint") is not False,
        )


def hint_changes(server: str, tool: str, before: Any, after: Any) -> Iterator[Change]:
    """Changes of hints; an absent hint equals its default, and a declared one that is worse always counts."""
    for word, hint, gained in _moved(schema.mapping(before), schema.mapping(after)):
        values = schema.mapping(before).get(word), schema.mapping(after).get(word)
        rule = f"{hint}-gained" if gained else f"{hint}-lost"
        yield rules.change(rule, server, tool, f"{ANNOTATIONS_PATH}/{word}", *values, what=hint)
    old_words, new_words = (schema.mapping(each) for each in (before, after))
    if old_words.get("title") != new_words.get("title"):
        values = old_words.get("title"), new_words.get("title")
        yield rules.change("tool-title-changed", server, tool, f"{ANNOTATIONS_PATH}/title", *values)
    for word in sorted({*old_words, *new_words} - set(_KNOWN)):
        if old_words.get(word) != new_words.get(word):
            values = old_words.get(word), new_words.get(word)
            yield rules.change(
                "part-changed", server, tool, f"{ANNOTATIONS_PATH}/{word}", *values, what=rules.named(word)
            )


def _moved(before: Said, after: Said) -> Iterator[tuple[str, str, bool]]:
    """Each hint that changed, and whether it was gained."""
    old, new = Hints.of(before), Hints.of(after)
    if old.read_only != new.read_only:
        yield "readOnlyHint", "read-only", new.read_only
    gained = _meant_by_changers("destructiveHint", before, after, (old.destructive, new.destructive))
    if gained is not None:
        yield "destructiveHint", "destructive", gained
    gained = _meant_by_changers("idempotentHint", before, after, (old.idempotent, new.idempotent))
    if gained is not None:
        yield "idempotentHint", "idempotent", gained
    if old.open_world != new.open_world:
        yield "openWorldHint", "open-world", new.open_world


def _meant_by_changers(word: str, before: Said, after: Said, holds: tuple[bool, bool]) -> bool | None:
    """Whether a hint was gained (True), lost (False), or neither; it means something only for tools that write.

    By MCP it means nothing for a read-only tool, but one that newly declares itself destructive is still reported.
    """
    old, new = _as_written(word, before), _as_written(word, after)
    is_reader, was_reader = after.get("readOnlyHint") is True, before.get("readOnlyHint") is True
    if is_reader == was_reader:
        return new if old != new else None
    written = isinstance(after.get(word), bool)
    if old != new and (written or not is_reader) and (word in before or written) and _worse(word, new):
        return new
    # A tool that became read-only is also non-destructive and idempotent: that is one change, not three.
    return holds[1] if holds[0] != holds[1] and written and not is_reader else None


def _as_written(word: str, said: Said) -> bool:
    """The declared hint, else its default: destructive unless read-only, and not idempotent."""
    value = said.get(word)
    if isinstance(value, bool):
        return value
    return word == "destructiveHint" and said.get("readOnlyHint") is not True


def _worse(word: str, now: bool) -> bool:
    return now is (word == "destructiveHint")


# Keys of `_meta` that clients are known to act on: what they show, whom they let call, how a tool is found.
_ACTED_ON: Final = ("ui", "ui/", "openai/", "anthropic/", "mcpui.dev/")
_OWN_RULES: Final = (
    "name",
    "description",
    "inputSchema",
    "outputSchema",
    "annotations",
    "title",
    "icons",
    "_meta",
    "execution",
)
_LONGEST_WORD: Final = 80  # characters; the addresses of drafts have 50
_NO_TASKS: Final = "forbidden"  # what holds by MCP where a tool says nothing
_NO_INPUT: Final = {"type": "object"}
_RISKS: Final = {risk.value: risk.rank for risk in economics.Risk}


def tool_changes(before: ToolContract, after: ToolContract) -> Iterator[Change]:
    """Nothing where the two mean the same."""
    if before.digest != after.digest:
        found = list(_raw_changes(before, after))
        yield from found
        yield from _unreported_words(before, after, found)
    yield from _economics_changes(before, after)


def _raw_changes(before: ToolContract, after: ToolContract) -> Iterator[Change]:
    server, tool = after.server, after.name
    old, new = before.raw, after.raw
    yield from _description(server, tool, old.get("description"), new.get("description"))
    for word, rule in (("title", "tool-title-changed"), ("icons", "icons-changed")):
        if catalog.canonical(old.get(word)) != catalog.canonical(new.get(word)):
            yield rules.change(rule, server, tool, f"/{word}", old.get(word), new.get(word))
    inputs = [each.get("inputSchema") or _NO_INPUT for each in (old, new)]
    yield from _schemas(server, tool, inputs[0], inputs[1], INPUT)
    yield from _output(server, tool, old.get("outputSchema") or None, new.get("outputSchema") or None)
    yield from hint_changes(server, tool, old.get("annotations"), new.get("annotations"))
    yield from _meta(server, tool, schema.mapping(old.get("_meta")), schema.mapping(new.get("_meta")))
    yield from _execution(server, tool, old.get("execution"), new.get("execution"))
    for word in sorted({*old, *new} - set(_OWN_RULES)):
        if catalog.canonical(old.get(word)) != catalog.canonical(new.get(word)):
            yield rules.change(
                "part-changed", server, tool, f"/{word}", old.get(word), new.get(word), what=rules.named(word)
            )


def _unreported_words(before: ToolContract, after: ToolContract, found: list[Change]) -> Iterator[Change]:
    """New sentences that no rule covers, such as in `$id` or as the name of a definition.

    Validators ignore them and models do not; single words there are notation.
    """
    known = {each.text for each in texts_of(before.raw)}
    reported = {each.text for change_ in found for each in texts_of([change_.after, change_.path.split("/")])}
    unreported = {
        each.path: each.text
        for each in texts_of(after.raw)
        if _is_sentence(each.text)
        and each.text not in known
        and each.text not in reported
        and schema.escaped(each.text) not in reported
    }
    if unreported:
        yield rules.change(
            "wording-changed", after.server, after.name, "/", None, list(dict.fromkeys(unreported.values()))
        )


def _is_sentence(text: str) -> bool:
    return len(text.split()) > 1 or len(text) > _LONGEST_WORD


def _description(server: str, tool: str, old: Any, new: Any) -> Iterator[Change]:
    old, new = old or "", new or ""
    if old != new:
        same = (
            isinstance(old, str)
            and isinstance(new, str)
            and schema_notes.reflowed(old) == schema_notes.reflowed(new)
        )
        rule = "description-reflowed" if same else "description-changed"
        yield rules.change(rule, server, tool, "/description", old, new, what="the tool")


def _schemas(server: str, tool: str, old: Any, new: Any, direction: Direction) -> Iterator[Change]:
    found = list(schema_changes(server, tool, old, new, direction))
    yield from found
    moved = [each.path for each in found if each.rule in _WITH_WORDS]
    yield from schema_notes.note_changes(server, tool, old, new, direction, moved)


_WITH_WORDS: Final = (
    "input-removed",
    "optional-input-added",
    "required-input-added",
    "output-field-removed",
    "output-field-added",
    "output-field-unforeseen",
    "input-choices-narrowed",
    "input-choices-widened",
    "output-choices-narrowed",
    "output-choices-widened",
)


def _output(server: str, tool: str, old: Any, new: Any) -> Iterator[Change]:
    if old is not None and new is not None:
        yield from _schemas(server, tool, old, new, OUTPUT)
    elif old is not None or new is not None:
        rule = "output-schema-lost" if new is None else "output-schema-gained"
        yield rules.change(rule, server, tool, OUTPUT.place, old, new)


def _meta(server: str, tool: str, old: Any, new: Any) -> Iterator[Change]:
    for word in sorted({*old, *new}):
        if catalog.canonical(old.get(word)) != catalog.canonical(new.get(word)):
            acted = word == "ui" or word.startswith(_ACTED_ON[1:])
            rule = "meta-acted-on" if acted else "meta-changed"
            yield rules.change(
                rule,
                server,
                tool,
                schema.pointer(("_meta", word)),
                old.get(word),
                new.get(word),
                what=rules.named(word),
            )


def _execution(server: str, tool: str, old: Any, new: Any) -> Iterator[Change]:
    before, after = ({"taskSupport": _NO_TASKS, **schema.mapping(each)} for each in (old, new))
    if after["taskSupport"] == "required" != before["taskSupport"]:
        values = before["taskSupport"], after["taskSupport"]
        yield rules.change("task-required", server, tool, "/execution/taskSupport", *values)
    elif catalog.canonical(before) != catalog.canonical(after):
        yield rules.change("execution-changed", server, tool, "/execution", old, new)


def _economics_changes(before: ToolContract, after: ToolContract) -> Iterator[Change]:
    old, new = before.economics, after.economics
    server, tool = after.server, after.name
    if old.risk in _RISKS and new.risk in _RISKS and old.risk != new.risk:
        rule = "risk-escalated" if _RISKS[new.risk] > _RISKS[old.risk] else "risk-fell"
        yield rules.change(rule, server, tool, OUTPUT.place, old.risk, new.risk)
    if old.bounded != new.bounded:
        rule = "became-bounded" if new.bounded else "became-unbounded"
        yield rules.change(rule, server, tool, INPUT.place, old.bounded, new.bounded)
