"""The tool names in the answer of a search, the best first, and their catalog ids."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import jmespath  # type: ignore[import-untyped]
from jmespath.exceptions import JMESPathError  # type: ignore[import-untyped]

from toolbooth import catalog, limits
from toolbooth.bench.live.adapter import AdapterTool, AnswerFormat, EndpointAdapter

_SIGNS: Final = re.compile(r"[^a-z0-9]+")
_UNKNOWN: Final = "? "  # the prefix of a name that is not in the catalog


def names_in(answer: Mapping[str, Any], where: AnswerFormat) -> tuple[str, ...]:
    """As the endpoint spells them, each once; none if the answer has another form, as empty answers often do."""
    return tuple(dict.fromkeys(_picked(answer, where)))


def _picked(answer: Mapping[str, Any], where: AnswerFormat) -> Iterator[str]:
    if where.ids_in == "lines":
        yield from _from_lines(text_of(answer), where.where)
        return
    data = answer.get("structuredContent") if where.ids_in == "structured" else _json(text_of(answer))
    try:
        found = jmespath.search(where.where, data) if data is not None else None
    except JMESPathError:  # a function that does not accept this value
        return
    for name in found if isinstance(found, list) else [found]:
        if isinstance(name, str):
            yield name


def _from_lines(text: str, pattern: str) -> Iterator[str]:
    for line in text.splitlines()[: limits.ANSWER_LINES]:
        match = re.search(pattern, line[: limits.ANSWER_LINE])
        if match is not None and match[1]:
            yield match[1].strip()


def line_of(text: str, name: str) -> str:
    """The first line with this name; empty if there is none."""
    return next(
        (line for line in text.splitlines()[: limits.ANSWER_LINES] if name in line[: limits.ANSWER_LINE]), ""
    )


def text_of(answer: Mapping[str, Any]) -> str:
    """All its text, as a model reads it."""
    return "\n".join(catalog.texts_in(answer))


def _json(text: str) -> Any:
    try:
        return catalog.decode(text.encode("utf-8", "surrogatepass"))
    except catalog.NotJson:
        return None


class Spellings:
    """The catalog ids of the names that an endpoint uses; punctuation and case may differ if only one tool matches."""

    def __init__(self, adapter: EndpointAdapter, tools: Iterable[str]) -> None:
        known = {adapter.spelled(tool_name(tool)): tool for tool in tools}
        loose = Counter(_plain(name) for name in known)
        self._exact = known
        self._loose = {_plain(name): tool for name, tool in known.items() if loose[_plain(name)] == 1}

    def id_of(self, name: str) -> str:
        """The catalog id, or for an unknown tool a text that is not an id, so that it keeps its rank."""
        return self._exact.get(name) or self._loose.get(_plain(name)) or f"{_UNKNOWN}{name}"


def is_unknown_tool(tool_id: str) -> bool:
    """Whether the tool is not in the catalog."""
    return tool_id.startswith(_UNKNOWN)


def tool_name(tool_id: str) -> AdapterTool:
    """The parts of a catalog id `server.tool`; server names have no dots."""
    server, _, tool = tool_id.partition(".")
    return AdapterTool(server, tool)


def _plain(name: str) -> str:
    return _SIGNS.sub("_", name.lower()).strip("_")
