"""How an endpoint is searched and called, as data: request templates that are filled with a question and a tool."""

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


class AdapterTool(NamedTuple):
    """The server and tool of a template."""

    server: str
    tool: str


class FilledRequest(NamedTuple):
    """One `tools/call`."""

    tool: str
    arguments: dict[str, Any]


@dataclass(frozen=True)
class RequestTemplate:
    """The template of a call. `{arguments}` alone is the whole object; other placeholders become text.

    `{keywords}` are the same arguments as Python keywords.
    """

    tool: str
    arguments: Any  # a map, or the whole of `{arguments}`

    @property
    def name(self) -> str:
        """For people: the called tool with its placeholders."""
        return _PLACEHOLDER.sub(lambda found: f"<{found[1]}>", self.tool)

    def fill(self, words: Mapping[str, Any]) -> FilledRequest:
        """With the words that are known."""
        return FilledRequest(str(_filled(self.tool, words)), _filled(self.arguments, words))

    @property
    def needs(self) -> frozenset[str]:
        """The placeholders in it."""
        return frozenset(placeholders(self.tool)) | frozenset(placeholders(self.arguments))


@dataclass(frozen=True)
class AnswerFormat:
    """Where the answer of a search has the tools: a JMESPath into data, or a pattern with one group per line."""

    ids_in: IdsIn
    where: str


@dataclass(frozen=True)
class AdapterStep:
    """One request on the path to a tool.

    `unless_shown`: skipped if the search result shows enough of the tool.
    """

    request: RequestTemplate
    role: Role
    answered: AnswerFormat | None = None
    unless_shown: bool = False

    @property
    def name(self) -> str:
        """The name in reports."""
        return self.request.name


@dataclass(frozen=True)
class EndpointAdapter:
    """One kind of endpoint. If it has no search, `finds` is `oracle`: the right tool is assumed to be known.

    `or_ids` is another spelling for tools whose first spelling is not in the menu.
    """

    name: str
    about: str
    finds: Finds
    ids: str
    steps: tuple[AdapterStep, ...]
    call: RequestTemplate
    or_ids: str = ""

    def spelled(self, tool: AdapterTool) -> str:
        """The tool's name at this endpoint."""
        return str(_filled(self.ids, tool._asdict()))

    def spelled_else(self, tool: AdapterTool) -> str:
        """The other name; empty if there is only one spelling."""
        return str(_filled(self.or_ids, tool._asdict()))

    def words(
        self, query: str, tool: AdapterTool | None, arguments: Mapping[str, Any], id_: str = ""
    ) -> dict[str, Any]:
        """The values for the templates; `id_` is given if the tool has the other spelling."""
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
    """Fill a template once; placeholders inside filled values are not expanded."""
    if isinstance(template, str):
        alone = _PLACEHOLDER.fullmatch(template)
        if alone is not None and alone[1] in words:
            return words[alone[1]]
        return _PLACEHOLDER.sub(lambda found: str(words.get(found[1], found[0])), template)
    if isinstance(template, Mapping):
        return {str(_filled(key, words)): _filled(value, words) for key, value in template.items()}
    return [_filled(item, words) for item in template] if isinstance(template, list) else template
