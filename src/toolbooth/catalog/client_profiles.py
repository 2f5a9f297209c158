"""What a client does with the tools, texts and results of a server: what it defers, what it cuts, and from which size.

A client says who it is when it connects (`clientInfo`), so a running gateway can tell clients apart; a command knows
the client by the file that its config is in.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from toolbooth import limits

_NUMBER: Final = re.compile(r"\d+")
LongNames = Literal["kept", "cut", "middle cut", "left out"]


@dataclass(frozen=True)
class ClientProfile:
    """One client. A limit of None is one that it does not have, or that nobody has measured.

    `key` is what users write (`--client`), `name` is the client's name in `config/clients.py`, and `identities` are the
    names that it connects with. `observed` is the version that was run with a scripted provider (docs/clients.md);
    without one, the facts come from the client's own documents.
    """

    key: str
    name: str
    identities: tuple[str, ...] = ()
    observed: str = ""
    searches: bool = False  # it defers tools by itself, and lets its model search them
    always_loads: bool = False  # it honours `_meta: {"anthropic/alwaysLoad": true}`
    # What its config says of a server whose tools it must not defer, and since which version (docs/design/wrapping.md)
    loading: Mapping[str, Any] = field(default_factory=dict, hash=False)
    loading_since: str = ""
    result_tokens: int | None = None  # a longer result is cut, or turned into a file
    result_chars: int | None = None  # and so is one of more characters, with the model that keeps the fewest
    description_chars: int | None = None  # a longer description is cut
    name_chars: int = 64  # of a tool's name, with the prefix that the client puts before it
    name_prefix: str = (
        ""  # what it puts before a tool's name; `{server}` is the name of the server in its config
    )
    name_signs: str = "a-zA-Z0-9_-"  # of which it makes names; every other one becomes `_`
    long_names: LongNames = "kept"  # what becomes of a name that is longer than `name_chars`
    server_chars: int | None = None  # of the server's name, in lower case, that the prefix has room for
    namespaces: bool = (
        False  # the prefix is sent once, without its `__`, as a group that has the instructions
    )
    defers_servers: bool = (
        False  # of deferred tools it names the servers, each with the start of its instructions
    )
    instruction_chars: int | None = None  # longer instructions of a server are cut
    cut_mark: str = ""  # what it writes where it has cut
    search_from: int = 0  # tools; with fewer it defers none
    search_where: str = ""  # under which conditions it defers tools, in words
    direct_where: str = ""  # and under which it does not
    max_tools: int | None = None  # of all servers; what happens to the others is not documented
    documents: tuple[str, ...] = ()  # from which the facts come that were not observed

    def defers(self, version: object = None) -> bool:
        """Whether it was seen to defer our few tools whatever its config says; without a version, it is a current one.

        What only its documents say is shown, but decides nothing.
        """
        numbers = version_numbers(version)
        told = bool(self.loading) and (not numbers or numbers >= version_numbers(self.loading_since))
        return self.searches and not (told or self.search_from or self.documents)


PROFILES: Final = (
    ClientProfile(
        "claude-code",
        "Claude Code",
        ("claude-code",),
        observed="2.1.197",
        searches=True,
        always_loads=True,
        loading={"alwaysLoad": True},
        loading_since="2.1.121",
        result_tokens=25_000,
        result_chars=50_000,
        description_chars=2_048,
        name_prefix="mcp__{server}__",
        instruction_chars=2_048,
        cut_mark="… [truncated]",
        search_where="with Anthropic's own API host, or ENABLE_TOOL_SEARCH=true",
        direct_where="with ANTHROPIC_BASE_URL at another host, or ENABLE_TOOL_SEARCH=false",
    ),
    ClientProfile(
        "codex",
        "Codex",
        ("codex-mcp-client",),
        observed="0.169.0",
        searches=True,
        loading={"omit_tools_from": ["deferred"]},
        result_tokens=10_000,
        result_chars=12_000,
        name_prefix="mcp__{server}__",
        name_signs="a-zA-Z0-9_",
        namespaces=True,
        defers_servers=True,
        search_where="with models that it knows, such as gpt-5.5",
        direct_where="with other models",
    ),
    # Server and tool may have 59 characters together; the first turn has had names alone since January 2026.
    ClientProfile(
        "cursor",
        "Cursor",
        ("cursor-vscode",),
        searches=True,
        name_prefix="mcp_{server}_",
        long_names="left out",
        search_where="always",
        max_tools=80,
        documents=(
            "cursor.com/blog/dynamic-context-discovery",
            "github.com/Snowflake-Labs/mcp/issues/77",
            "github.com/ComposioHQ/composio/issues/2788",
        ),
    ),
    ClientProfile(
        "copilot",
        "Copilot CLI",
        ("github-copilot-developer",),
        searches=True,
        loading={"deferTools": "never"},
        name_prefix="{server}-",
        search_from=30,
        search_where="with Anthropic's models",
        direct_where="with models of other makers",
        documents=(
            "docs.github.com/copilot/concepts/agents/copilot-cli/tool-search",
            "github.com/github/copilot-cli/issues/4588",
        ),
    ),
    ClientProfile(
        "vscode",
        "VS Code",
        ("Visual Studio Code", "Visual Studio Code - Insiders"),
        searches=True,
        name_prefix="mcp_{server}_",
        long_names="cut",
        server_chars=13,
        search_from=128,
        search_where="in groups that the model opens",
        max_tools=128,
        documents=(
            "github.com/microsoft/vscode: mcpService.ts, mcpServer.ts",
            "github.com/microsoft/vscode-copilot-chat: virtualTools",
        ),
    ),
    ClientProfile(
        "gemini",
        "Gemini CLI",
        ("gemini-cli-mcp-client",),
        name_prefix="mcp_{server}_",
        name_chars=63,
        name_signs="a-zA-Z0-9_.:-",
        long_names="middle cut",
        documents=("github.com/google-gemini/gemini-cli: mcp-tool.ts, mcp-client.ts",),
    ),
)
UNKNOWN_CLIENT: Final = ClientProfile("", "")


def profile_of_identity(name: object) -> ClientProfile:
    """The profile of a client that connected under this name."""
    known = (profile for profile in PROFILES if name in profile.identities)
    return next(known, UNKNOWN_CLIENT) if isinstance(name, str) else UNKNOWN_CLIENT


def result_bytes(name: object) -> int:
    """The bytes of a result that this client surely shows whole; of an unknown one, what every known one does."""
    return _shown_bytes(profile_of_identity(name)) or _LEAST_RESULT


def _shown_bytes(profile: ClientProfile) -> int:
    """With room for our last line; a character is at least one byte. 0 if nothing was measured."""
    by_tokens = (profile.result_tokens or 0) * limits.CLIENT_TOKEN_BYTES
    by_chars = (profile.result_chars or 0) - limits.LAST_LINE_CHARS
    return min((size for size in (by_tokens, by_chars) if size > 0), default=0)


_LEAST_RESULT: Final = min(filter(None, map(_shown_bytes, PROFILES)))


def profile_named(written: str) -> ClientProfile | None:
    """The profile that a user means: by its key, or by the client's name."""
    wanted = written.strip().lower()
    return next((each for each in PROFILES if wanted in (each.key, each.name.lower())), None)


def version_numbers(version: object) -> tuple[int, ...]:
    """The numbers of a version, to compare it with another; empty if it has none."""
    return tuple(map(int, _NUMBER.findall(version)[:3])) if isinstance(version, str) else ()
