"""Recorded answers: read from a file, assigned to the tools of a catalog, and the fields of their rows."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from toolbooth import limits
from toolbooth.catalog import Catalog, NotJson, decode
from toolbooth.economics import measured, output_fields, response, risk, tool_profile


class RecordedAnswer(NamedTuple):
    """One result as a server sent it, or as a trace recorded it. `server` is empty if unknown."""

    server: str
    tool: str
    result: Mapping[str, Any]
    origin: measured.Origin = "recorded"


@dataclass(frozen=True)
class Assigned:
    """Answers by tool id. `matched_servers` maps recorded server names to names here; `unmatched` fit no tool here."""

    by_tool: Mapping[str, Sequence[RecordedAnswer]] = field(default_factory=dict)
    matched_servers: Mapping[str, str] = field(default_factory=dict)
    unmatched: tuple[str, ...] = ()


def recorded_answers(document: Any) -> list[RecordedAnswer] | None:
    """Read one record or a list of records; None if it is something else. Error results are left out."""
    entries = document if isinstance(document, list) else [document]
    if not entries or not all(map(_is_record, entries)):
        return None
    return [
        RecordedAnswer(_text(entry.get("server")), _text(entry["tool"]), entry["result"])
        for entry in entries
        if entry["result"].get("isError") is not True
    ]


def assign(answers: Iterable[RecordedAnswer], catalog: Catalog) -> Assigned:
    """Assign answers to tools. An unknown server is matched to the one here with its tools and a similar name."""
    answers = list(answers)
    here = {server.server: {tool.name for tool in server.tools} for server in catalog.servers}
    named: defaultdict[str, set[str]] = defaultdict(set)
    for answer in answers:
        named[answer.server].add(answer.tool)
    matches = {server: _match(server, tools, here) for server, tools in named.items()}
    by_tool: defaultdict[str, list[RecordedAnswer]] = defaultdict(list)
    unmatched: dict[str, None] = {}
    for answer in answers:
        server = matches[answer.server]
        if server is not None and answer.tool in here[server]:
            by_tool[f"{server}.{answer.tool}" if server else answer.tool].append(answer)
        else:
            unmatched.setdefault(f"{answer.server}.{answer.tool}".removeprefix("."))
    renamed = {old: new for old, new in matches.items() if new is not None and old and old != new}
    return Assigned(dict(by_tool), renamed, tuple(unmatched))


def seen_of(answers: Sequence[RecordedAnswer], tool: str, thresholds: risk.Thresholds) -> tool_profile.Seen:
    """What recorded answers show about a tool. Answers from a server are preferred to those in traces."""
    given = [answer for answer in answers if answer.origin == "recorded"] or answers
    results = [answer.result for answer in given]
    return tool_profile.Seen(
        measured.measured_answers(given[0].origin, tool, results, thresholds), seen_fields(results)
    )


def _match(server: str, tools: set[str], here: Mapping[str, set[str]]) -> str | None:
    if server in here:
        return server
    fitting = [name for name, offered in here.items() if tools <= offered]
    alike = (
        fitting if len(here) == 1 or not server else [name for name in fitting if _are_alike(server, name)]
    )
    return alike[0] if len(alike) == 1 else None


def _are_alike(one: str, other: str) -> bool:
    """Whether names are similar: `filesystem`, `server-filesystem`. Unrelated servers share tools like `run_query`."""
    plain, longer = sorted((_plain(one), _plain(other)), key=len)
    return bool(plain) and plain in longer


def _plain(name: str) -> str:
    return "".join(character for character in name.lower() if character.isalnum())


def _is_record(entry: Any) -> bool:
    if not isinstance(entry, Mapping) or not _text(entry.get("tool")):
        return False
    result = entry.get("result")
    return isinstance(result, Mapping) and ("content" in result or "structuredContent" in result)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


_ITEMS: Final = 50  # items read of one list; the rows of a table are alike


def seen_fields(results: Iterable[Mapping[str, Any]]) -> tuple[str, ...] | None:
    """The lists of objects in answers, and the keys of their items, like `row_fields` of a schema; None without any."""
    names: dict[str, None] = {}
    for result in results:
        for value in _values(result):
            for name in _rows(value):
                if len(names) >= limits.MAX_OUTPUT_FIELDS:
                    return tuple(names)
                names.setdefault(name)
    return tuple(names) or None


def _values(result: Mapping[str, Any]) -> Iterator[Any]:
    """The structured content, or else the JSON in its texts."""
    structure = result.get("structuredContent")
    if isinstance(structure, Mapping | list):
        yield structure
        return
    for block in response.answer_blocks(result):
        try:
            value = decode(block["text"].encode("utf-8", "surrogatepass"))
        except NotJson:
            continue
        if isinstance(value, Mapping | list):
            yield value


def _rows(value: Any) -> Iterator[str]:
    if not isinstance(value, Mapping):
        yield from _of_items(value, 0)
        return
    for name, inner in value.items():
        found = list(_of_items(inner, 0))
        if found:
            yield from (str(name), *found)


def _fields(value: Any, depth: int) -> Iterator[str]:
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield str(name)
            yield from _of_items(inner, depth)
    else:
        yield from _of_items(value, depth)


def _of_items(value: Any, depth: int) -> Iterator[str]:
    """The keys of a list's items. A nested object counts as one field."""
    if isinstance(value, Sequence) and not isinstance(value, str) and depth < output_fields.MAX_DEPTH:
        for item in value[:_ITEMS]:
            yield from _fields(item, depth + 1)
