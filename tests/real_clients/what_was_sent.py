"""A request that a real client sent to its model, read as what the model sees of MCP servers."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from toolbooth.tokens import count

_DEFERRED: Final = re.compile(
    r"deferred tools are now available via ToolSearch\.[^\n]*:\n(.*?)(?:\n\n|\Z)", re.S
)
_CONNECTING: Final = re.compile(r"MCP servers are still connecting[^\n]*:\n(.*?)(?:\n\n|\Z)", re.S)
# Claude Code, and OpenCode
_INSTRUCTIONS: Final = (
    re.compile(r"# MCP Server Instructions\n\n[^\n]*\n\n(.*?)(?=\n\n?The following |\n\n?# |\Z)", re.S),
    re.compile(r"<mcp_instructions>\n(.*?)</mcp_instructions>", re.S),
)
_GEMINI_INSTRUCTIONS: Final = re.compile(
    r"instructions provided by the tool server '[^']*':\n---\[start[^\n]*\n(.*?)\n---\[end", re.S
)
_PREFIXES: Final = ("mcp_", "toolbooth_")  # OpenCode begins names with the server's own
_SPACES: Final = re.compile(r"Deferred tool namespaces:\n(.*?)</tools>", re.S)
_SPACE: Final = re.compile(r"^- (mcp__\w+)(?:: (.*?))?(?=\n- |\n?\Z)", re.S | re.M)
_DECLARED: Final = re.compile(r"^### `(mcp__\w+)`\n(.*?)(?=^###? |\Z)", re.S | re.M)
_SPACE_DECLARED: Final = re.compile(r"^## mcp__\w+\n(.*?)(?=^###? |\Z)", re.S | re.M)
_REF: Final = re.compile(r"""ref=\\?['"]([\w-]+)""")


@dataclass(frozen=True)
class Sent:
    """What one request says of MCP servers.

    `loaded` are the tools whose definitions the model sees, by full name. Of `deferred` ones it sees the name alone,
    and in Codex only the name of their server.
    `connecting` are servers whose tools are announced. `results` are the answers of tools, as the model reads them.
    """

    loaded: Mapping[str, Mapping[str, Any]]
    deferred: tuple[str, ...]
    connecting: tuple[str, ...]
    instructions: str
    results: tuple[str, ...]

    @property
    def refs(self) -> list[str]:
        """Refs of kept answers, in the order in which they were shown."""
        return [ref for text in self.results for ref in _REF.findall(text)]

    @property
    def tokens(self) -> int:
        """What the model pays for MCP at this turn: definitions, names of deferred tools, and instructions."""
        definitions = "\n".join(json.dumps(each, ensure_ascii=False) for each in self.loaded.values())
        return sum(map(count, (definitions, "\n".join(self.deferred), self.instructions)))


def what_was_sent(body: Mapping[str, Any]) -> Sent:
    """Read a request of Anthropic's Messages, OpenAI's Responses or Gemini's generateContent."""
    if "contents" in body:
        return _of_contents(body)
    return _of_responses(body) if "input" in body else _of_messages(body)


def _of_messages(body: Mapping[str, Any]) -> Sent:
    system = "\n\n".join(_system_texts(body))
    tools = [tool for tool in body.get("tools", ()) if tool.get("name", "").startswith(_PREFIXES)]
    named = [name for listed in _DEFERRED.findall(system) for name in listed.split("\n")]
    hidden = [tool["name"] for tool in tools if tool.get("defer_loading")]
    return Sent(
        {tool["name"]: tool for tool in tools if not tool.get("defer_loading")},
        tuple(name for name in dict.fromkeys((*named, *hidden)) if name.startswith("mcp__")),
        tuple(name for listed in _CONNECTING.findall(system) for name in listed.split("\n")),
        "\n".join(text for pattern in _INSTRUCTIONS for text in pattern.findall(system)).strip(),
        tuple(
            _text_of(block.get("content"))
            for message in body["messages"]
            for block in _blocks(message["content"])
            if block.get("type") == "tool_result"
        ),
    )


def _system_texts(body: Mapping[str, Any]) -> Iterator[str]:
    """System texts stand before the conversation, in messages of their own, and as reminders in the user's ones."""
    yield _text_of(body.get("system"))
    for message in body["messages"]:
        if message["role"] in ("system", "user"):
            yield "\n".join(
                block["text"] for block in _blocks(message["content"]) if block.get("type") == "text"
            )


def _of_responses(body: Mapping[str, Any]) -> Sent:
    """Codex offers tools in three ways, by model: as namespaces, behind `tool_search`, or in JavaScript's `tools`."""
    spaces = [tool for tool in _offered(body) if tool.get("type") == "namespace"]
    ours = [space for space in spaces if space["name"].startswith("mcp__")]
    loaded = {f"{space['name']}__{tool['name']}": tool for space in ours for tool in space["tools"]}
    nested = [
        tool.get("description", "") for space in spaces for tool in space["tools"] if tool["name"] == "exec"
    ]
    loaded |= {name: {"declared": said} for text in nested for name, said in _DECLARED.findall(text)}
    system = "\n".join(
        _text_of(item.get("content")) for item in body["input"] if item.get("role") == "developer"
    )
    hidden = [pair for listed in _SPACES.findall(system) for pair in _SPACE.findall(listed)]
    about = [space.get("description") or "" for space in ours]
    about += [said for text in nested for said in _SPACE_DECLARED.findall(text)]
    return Sent(
        loaded,
        tuple(name for name, _ in hidden),
        (),
        "\n".join([*about, *(said for _, said in hidden)]).strip(),
        tuple(
            _text_of(item.get("output"))
            for item in body["input"]
            if item.get("type") in ("function_call_output", "custom_tool_call_output")
        ),
    )


def _of_contents(body: Mapping[str, Any]) -> Sent:
    declared = [each for tool in body.get("tools", ()) for each in tool.get("functionDeclarations", ())]
    said = [body.get("systemInstruction", {}), *body["contents"]]
    parts = [part for content in said for part in content.get("parts", ())]
    answers = [part["functionResponse"]["response"] for part in parts if "functionResponse" in part]
    texts = "\n".join(part.get("text", "") for part in parts)
    return Sent(
        {tool["name"]: tool for tool in declared if tool["name"].startswith(_PREFIXES)},
        (),
        (),
        "\n".join(_GEMINI_INSTRUCTIONS.findall(texts)),
        tuple(str(next(iter(answer.values()), "")) for answer in answers),
    )


def _offered(body: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield from body.get("tools", ())
    for item in body["input"]:
        if item.get("type") in ("additional_tools", "tool_search_output"):
            yield from item["tools"]


def _blocks(content: Any) -> list[Mapping[str, Any]]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else list(content or ())


def _text_of(content: Any) -> str:
    return "\n".join(
        block["text"] if "text" in block else json.dumps(block, ensure_ascii=False)
        for block in _blocks(content)
    )
