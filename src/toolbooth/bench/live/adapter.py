"""How an endpoint is searched and called, in data: templates × a question and a tool → requests."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple

Finds = Literal["search", "oracle"]
Role = Literal["search", "list", "definition"]
IdsIn = Literal["structured", "json", "lines"]

PLACEHOLDERS: Final = ("query", "server", "tool", "id", "arguments", "keywords")
OF_A_TOOL: Final = frozenset(PLACEHOLDERS[1:])  # known once a tool is chosen
_PLACEHOLDER: Final = re.compile(r"\{([A-Za-z_]\w*)\}")


class Named(NamedTuple):
    """One tool as an adapter speaks of it."""

    server: str
    tool: str


class Sent(NamedTuple):
    """One `tools/call`."""

    tool: str
    arguments: dict[str, Any]


@dataclass(frozen=True)
class Request:
    """Templates of a call; `{arguments}` alone is the whole object, the others are put into text.

    `{keywords}` are the same arguments as Python writes them in a call.
    """

    tool: str
    arguments: Any  # a map, or the whole of `{arguments}`

    @property
    def name(self) -> str:
        """As a person is told it: the called tool, without what is filled in."""
        return _PLACEHOLDER.sub(lambda found: f"<{found[1]}>", self.tool)

    def fill(self, words: Mapping[str, Any]) -> Sent:
        """With the words that are known."""
        return Sent(str(_filled(self.tool, words)), _filled(self.arguments, words))

    @property
    def needs(self) -> frozenset[str]:
        """The placeholders in it."""
        return frozenset(placeholders(self.tool)) | frozenset(placeholders(self.arguments))


@dataclass(frozen=True)
class Answered:
    """Where a search's answer names its tools: a JMESPath into data, or a pattern with one group for each line."""

    ids_in: IdsIn
    where: str


@dataclass(frozen=True)
class Step:
    """One request on the way to a tool. `unless_told`: only where the search's own line does not tell enough."""

    request: Request
    role: Role
    answered: Answered | None = None
    unless_told: bool = False

    @property
    def name(self) -> str:
        """As a report names it."""
        return self.request.name


@dataclass(frozen=True)
class Adapter:
    """One kind of endpoint. Without a search the right way is assumed: `finds` is `oracle`.

    `or_ids` is another spelling, for a tool whose first one is not in the menu.
    """

    name: str
    about: str
    finds: Finds
    ids: str
    steps: tuple[Step, ...]
    call: Request
    or_ids: str = ""

    def spelled(self, tool: Named) -> str:
        """The tool's name at this endpoint."""
        return str(_filled(self.ids, tool._asdict()))

    def spelled_else(self, tool: Named) -> str:
        """Its other name; empty where there is one spelling alone."""
        return str(_filled(self.or_ids, tool._asdict()))

    def words(
        self, query: str, tool: Named | None, arguments: Mapping[str, Any], id_: str = ""
    ) -> dict[str, Any]:
        """What the templates are filled with; `id_` where the tool is spelled the other way."""
        known: dict[str, Any] = {"query": query}
        if tool is not None:
            keywords = ", ".join(f"{name}={value!r}" for name, value in arguments.items())
            known |= {**tool._asdict(), "id": id_ or self.spelled(tool)}
            known |= {"arguments": dict(arguments), "keywords": keywords}
        return known


def placeholders(template: Any) -> Iterator[str]:
    """Every `{word}` in a template, in keys of maps, too."""
    if isinstance(template, str):
        yield from _PLACEHOLDER.findall(template)
    elif isinstance(template, Mapping):
        for key, value in template.items():
            yield from placeholders(key)
            yield from placeholders(value)
    elif isinstance(template, list):
        for item in template:
            yield from placeholders(item)


def _filled(template: Any, words: Mapping[str, Any]) -> Any:
    """Text is filled once: what a word brings is not looked through again."""
    if isinstance(template, str):
        alone = _PLACEHOLDER.fullmatch(template)
        if alone is not None and alone[1] in words:
            return words[alone[1]]
        return _PLACEHOLDER.sub(lambda found: str(words.get(found[1], found[0])), template)
    if isinstance(template, Mapping):
        return {str(_filled(key, words)): _filled(value, words) for key, value in template.items()}
    return [_filled(item, words) for item in template] if isinstance(template, list) else template
