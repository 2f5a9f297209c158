"""The answer of a search → the names of tools in it, the best first; such names → ids of a catalog."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import jmespath  # type: ignore[import-untyped]
from jmespath.exceptions import JMESPathError  # type: ignore[import-untyped]

from toolbooth.bench.live.adapter import Adapter, Answered, Named
from toolbooth.catalog import NotJson, decode
from toolbooth.limits import ANSWER_LINE, ANSWER_LINES

_SIGNS: Final = re.compile(r"[^a-z0-9]+")
_STRANGE: Final = "? "  # before a name that is no tool of the catalog


def names_in(answer: Mapping[str, Any], where: Answered) -> tuple[str, ...]:
    """As the endpoint spells them, each once; none where the answer has another shape, as an empty one often has."""
    return tuple(dict.fromkeys(_picked(answer, where)))


def _picked(answer: Mapping[str, Any], where: Answered) -> Iterator[str]:
    if where.ids_in == "lines":
        yield from _from_lines(text_of(answer), where.where)
        return
    data = answer.get("structuredContent") if where.ids_in == "structured" else _json(text_of(answer))
    try:
        found = jmespath.search(where.where, data) if data is not None else None
    except JMESPathError:  # a function that does not take what came
        return
    for name in found if isinstance(found, list) else [found]:
        if isinstance(name, str):
            yield name


def _from_lines(text: str, pattern: str) -> Iterator[str]:
    for line in text.splitlines()[:ANSWER_LINES]:
        match = re.search(pattern, line[:ANSWER_LINE])
        if match is not None and match[1]:
            yield match[1].strip()


def line_of(text: str, name: str) -> str:
    """The line that shows this name first; empty where none does."""
    return next((line for line in text.splitlines()[:ANSWER_LINES] if name in line[:ANSWER_LINE]), "")


def text_of(answer: Mapping[str, Any]) -> str:
    """All its text, as a model reads it."""
    parts = answer.get("content")
    texts = (
        [part.get("text") for part in parts if isinstance(part, Mapping)] if isinstance(parts, list) else []
    )
    return "\n".join(text for text in texts if isinstance(text, str))


def _json(text: str) -> Any:
    try:
        return decode(text.encode("utf-8", "surrogatepass"))
    except NotJson:
        return None


class Spellings:
    """How an endpoint spells the tools of a catalog, read backwards; signs and case are forgiven where one fits."""

    def __init__(self, adapter: Adapter, tools: Iterable[str]) -> None:
        known = {adapter.spelled(named(tool)): tool for tool in tools}
        loose = Counter(_plain(name) for name in known)
        self._exact = known
        self._loose = {_plain(name): tool for name, tool in known.items() if loose[_plain(name)] == 1}

    def id_of(self, name: str) -> str:
        """The catalog's id; of a tool that is not in it, something that is no id: it keeps its rank."""
        return self._exact.get(name) or self._loose.get(_plain(name)) or f"{_STRANGE}{name}"


def is_stranger(tool_id: str) -> bool:
    """Whether this is no tool of the catalog."""
    return tool_id.startswith(_STRANGE)


def named(tool_id: str) -> Named:
    """`server.tool` of a catalog, whose server names have no dot."""
    server, _, tool = tool_id.partition(".")
    return Named(server, tool)


def _plain(name: str) -> str:
    return _SIGNS.sub("_", name.lower()).strip("_")
