"""Look-alike tools for a catalog: tools that read like its own but do something else, made from a count and a seed."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import count as numbers
from random import Random
from typing import Any, Final, NamedTuple, TypeVar

from toolbooth import errors, limits
from toolbooth.catalog import Catalog, ServerTools, Tool, canonical

VERBS: Final = (
    ("get", "fetch", "retrieve", "load", "read", "show", "view", "describe"),
    ("list", "browse", "enumerate", "collect"),
    ("search", "find", "query", "lookup", "filter", "match"),
    ("create", "add", "make", "open", "new", "insert", "register", "post"),
    ("update", "edit", "change", "modify", "set", "patch", "write"),
    ("delete", "remove", "drop", "discard", "purge", "clear", "close", "cancel"),
    ("send", "submit", "deliver", "forward", "publish", "share", "push"),
    ("run", "execute", "start", "perform", "call", "trigger"),
    ("export", "download", "dump", "extract"),
    ("import", "upload", "ingest"),
    ("assign", "attach", "link", "bind"),
    ("check", "validate", "verify", "inspect", "test"),
)


class LookAlikeKind(NamedTuple):
    """`word` goes before the noun of the name, or `after` it. `where` begins the description, `limit` ends it."""

    word: str
    where: str
    limit: str
    parameter: str
    schema: Mapping[str, Any]
    after: bool = False


_TEXT: Final[Mapping[str, Any]] = {"type": "string"}
_NUMBER: Final[Mapping[str, Any]] = {"type": "integer", "minimum": 1}
_FLAG: Final[Mapping[str, Any]] = {"type": "boolean"}

LOOK_ALIKE_KINDS: Final = (
    LookAlikeKind(
        "archived", "Only in the cold archive", "Nothing in use today is reached.", "archive_year", _NUMBER
    ),
    LookAlikeKind(
        "draft", "Only for unpublished drafts", "What is published stays unseen.", "draft_id", _TEXT
    ),
    LookAlikeKind(
        "template", "Only for templates", "No real entry is read or changed.", "template_id", _TEXT
    ),
    LookAlikeKind(
        "legacy", "In the system that was switched off", "Current data is elsewhere.", "legacy_code", _TEXT
    ),
    LookAlikeKind(
        "sample", "On made-up sample data", "For training; no real data is there.", "sample_set", _TEXT
    ),
    LookAlikeKind(
        "trashed", "Only in the recycle bin", "What was not deleted is not there.", "bin_id", _TEXT
    ),
    LookAlikeKind(
        "simulated", "As a dry run", "Nothing happens, and no real answer comes.", "scenario", _TEXT
    ),
    LookAlikeKind(
        "scheduled", "Only for planned jobs", "What is there already is not seen.", "schedule_id", _TEXT
    ),
    LookAlikeKind(
        "partner", "In the copies of outside partners", "Our own data is not there.", "partner_id", _TEXT
    ),
    LookAlikeKind("audit", "For its audit log", "Who did what, not the data.", "audit_id", _TEXT, after=True),
    LookAlikeKind(
        "quarantined", "Only for what was held back as unsafe", "All else is unknown.", "case_id", _TEXT
    ),
    LookAlikeKind(
        "imported", "In the waiting room of imports", "What was taken in is not there.", "batch", _NUMBER
    ),
    LookAlikeKind("mirrored", "On last month's mirror", "It is never up to date.", "mirror", _TEXT),
    LookAlikeKind("locked", "Only for locked entries", "Open ones are refused.", "lock_id", _TEXT),
    LookAlikeKind(
        "pinned", "Only for what a user pinned", "All that is not pinned is left out.", "pin_board", _TEXT
    ),
    LookAlikeKind(
        "billing", "For its invoices", "What it costs, not what it is.", "invoice_number", _TEXT, after=True
    ),
    LookAlikeKind(
        "quota",
        "For its limits of use",
        "How much is allowed, not what is there.",
        "quota_id",
        _TEXT,
        after=True,
    ),
    LookAlikeKind(
        "permission", "For its rights of access", "Who may, not what is there.", "role", _TEXT, after=True
    ),
    LookAlikeKind(
        "webhook", "For its webhooks", "Where news is sent, not the data.", "endpoint", _TEXT, after=True
    ),
    LookAlikeKind(
        "retention",
        "For its rules of keeping",
        "How long it is kept, not what it is.",
        "rule_id",
        _TEXT,
        after=True,
    ),
    LookAlikeKind(
        "sandbox", "In the developers' test system", "Production is out of reach.", "sandbox_id", _TEXT
    ),
    LookAlikeKind(
        "cached", "In a cache of old answers", "The source itself is never asked.", "stale_ok", _FLAG
    ),
    LookAlikeKind(
        "regional", "In the branch office's own system", "Head office is not in it.", "branch", _TEXT
    ),
    LookAlikeKind(
        "translated", "Only for machine translations", "The original is not touched.", "language", _TEXT
    ),
)


_SERVER: Final = "workspace"
_STAND_IN: Final = Tool("", "get_record", "Get one record.")  # for a catalog without tools
_FAMILY: Final = {verb: family for family in VERBS for verb in family}
_WORD: Final = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")
_TRIES: Final = 12  # after this many taken names, names get one more word
_LONGEST_SCHEMA: Final = 4_000  # characters; a longer schema is replaced by the new parameter alone
_SENTENCE: Final = 160
_SHORT: Final = 8  # letters of a word in a name that is too long
_Item = TypeVar("_Item")


def look_alikes(catalog: Catalog, count: int, seed: int, taken: Collection[str] = ()) -> ServerTools:
    """Look-alike tools, equal for equal catalog and seed on every Python; a smaller count is a prefix of a larger one.

    No name is that of a real tool or one of `taken`.
    """
    if not 0 <= count <= limits.MAX_DISTRACTORS:
        raise errors.InvalidBound(
            f"the number of distractors must be from 0 to {limits.MAX_DISTRACTORS}, not {count}"
        )
    server = _free_server({each.server for each in catalog.servers})
    tools = sorted(catalog.tools, key=lambda tool: (tool.id, canonical(tool.raw))) or [_STAND_IN]
    draw = _Draw(f"{catalog.fingerprint}:{seed}")
    used = {_key(name) for name in (*taken, *(tool.name for tool in tools))}
    made = []
    for _ in range(count):
        raw = _new_one(tools, draw, used)
        used.add(_key(raw["name"]))
        made.append(Tool.from_raw(server, raw))
    return ServerTools(server, tuple(made), title="Workspace")


class _Draw:
    """Random choices that are the same everywhere: only `Random.random()` is guaranteed to stay the same."""

    def __init__(self, seed: str) -> None:
        self._random = Random(seed)  # noqa: S311 - no secret

    def below(self, end: int) -> int:
        return int(self._random.random() * end)

    def one(self, items: Sequence[_Item]) -> _Item:
        return items[self.below(len(items))]


def _free_server(taken: Collection[str]) -> str:
    names = (_SERVER if number == 1 else f"{_SERVER}-{number}" for number in numbers(1))
    return next(name for name in names if name not in taken)


def _key(name: str) -> str:
    return name.casefold()


def _new_one(tools: Sequence[Tool], draw: _Draw, used: Collection[str]) -> dict[str, Any]:
    """One tool with a free name: one kind of look-alike, then two kinds, and at last a number."""
    for attempt in numbers():
        tool = draw.one(tools)
        kinds = _kinds(draw)[: 1 if attempt < _TRIES else 2]
        number = draw.below(100 * attempt) if attempt >= 2 * _TRIES else None
        verb, rest = _parted(tool.name)
        other = draw.one(_FAMILY.get(verb, VERBS[0]))
        name = _name(tool.name, other, kinds, rest, number)
        if _key(name) not in used:
            return _raw_tool(name, tool, _reworded(tool, verb, other), kinds, draw)
    raise AssertionError("numbers do not end")


def _kinds(draw: _Draw) -> tuple[LookAlikeKind, LookAlikeKind]:
    """Two different kinds of look-alike."""
    first, step = draw.below(len(LOOK_ALIKE_KINDS)), draw.below(len(LOOK_ALIKE_KINDS) - 1)
    return LOOK_ALIKE_KINDS[first], LOOK_ALIKE_KINDS[(first + 1 + step) % len(LOOK_ALIKE_KINDS)]


def _parted(name: str) -> tuple[str, list[str]]:
    """The verb, if the name begins with a known one, and the other words."""
    words = [word.lower() for word in _WORD.findall(name)] or ["record"]
    known = words[0] in _FAMILY
    return (words[0], words[1:] or ["record"]) if known else ("", words)


def _name(
    model: str, verb: str, kinds: Sequence[LookAlikeKind], rest: Sequence[str], number: int | None
) -> str:
    """In the style of the real name (snake_case, kebab-case or camelCase), never longer than providers allow."""
    words = [verb, *(kind.word for kind in kinds if not kind.after), *rest]
    words += (kind.word for kind in kinds if kind.after)
    end = [] if number is None else [str(number)]
    while len("_".join([*words, *end])) > limits.MAX_FUNCTION_NAME:
        words = [word[:_SHORT] for word in words] if max(map(len, words)) > _SHORT else words[:-1]
    return _joined(model, [*words, *end])


def _joined(model: str, words: Sequence[str]) -> str:
    if "_" not in model and "-" in model:
        return "-".join(words)
    if "_" not in model and re.search(r"[a-z][A-Z]", model):
        return words[0] + "".join(word.capitalize() for word in words[1:])
    return "_".join(words)


def _raw_tool(
    name: str, tool: Tool, sentence: str, kinds: Sequence[LookAlikeKind], draw: _Draw
) -> dict[str, Any]:
    where = " and ".join(kind.where if kind is kinds[0] else kind.where.lower() for kind in kinds)
    return {
        "name": name,
        "description": f"{where}: {sentence}. {kinds[0].limit}",
        "inputSchema": _schema(tool.input_schema, kinds[0], draw),
    }


def _reworded(tool: Tool, verb: str, other: str) -> str:
    """The first sentence of the real description, with the other verb at its beginning."""
    first = re.split(r"[.\n]", tool.description.strip(), maxsplit=1)[0][:_SENTENCE].strip()
    words = first.split() or [verb or other, *_parted(tool.name)[1]]
    if words[0].lower().rstrip("s") == verb:
        return " ".join([other, *words[1:]])
    return " ".join([words[0].lower(), *words[1:]])


def _schema(real: Mapping[str, Any] | None, kind: LookAlikeKind, draw: _Draw) -> dict[str, Any]:
    """The real parameters without one that is optional, plus one that the real tool does not have."""
    own = {kind.parameter: {**kind.schema, "description": f"{kind.where}."}}
    properties = (real or {}).get("properties")
    if not isinstance(properties, Mapping) or len(canonical(real)) > _LONGEST_SCHEMA:
        return {"type": "object", "properties": own, "required": [kind.parameter]}
    required = [each for each in _texts((real or {}).get("required")) if each in properties]
    optional = sorted(properties.keys() - set(required))
    left_out = draw.one(optional) if optional else ""
    kept = {key: value for key, value in properties.items() if key != left_out}
    return {
        **(real or {}),
        "type": "object",
        "properties": {**kept, **own},
        "required": [*(each for each in required if each != kind.parameter), kind.parameter],
    }


def _texts(value: object) -> Iterator[str]:
    return (each for each in value if isinstance(each, str)) if isinstance(value, list) else iter(())
