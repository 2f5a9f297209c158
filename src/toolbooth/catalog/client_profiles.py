"""What a client does with the tools, texts and results of a server: what it defers, what it cuts, and from which size.

A client says who it is when it connects (`clientInfo`), so a running gateway can tell clients apart; a command knows
the client by the file that its config is in.
"""

import re
from dataclasses import dataclass
from typing import Final

from toolbooth import limits

_NUMBER: Final = re.compile(r"\d+")


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
    result_tokens: int | None = None  # a longer result is cut, or turned into a file
    description_chars: int | None = None  # a longer description is cut
    name_chars: int = 64  # of a tool's name, with the prefix that the client puts before it
    name_prefix: str = (
        ""  # what it puts before a tool's name; `{server}` is the name of the server in its config
    )


PROFILES: Final = (
    ClientProfile(
        "claude-code",
        "Claude Code",
        ("claude-code",),
        observed="2.1.197",
        searches=True,
        always_loads=True,
        result_tokens=25_000,
        description_chars=2_048,
        name_prefix="mcp__{server}__",
    ),
    ClientProfile(
        "codex",
        "Codex",
        ("codex-mcp-client",),
        observed="0.169.0",
        result_tokens=10_000,
        name_prefix="mcp__{server}__",
    ),
)
UNKNOWN_CLIENT: Final = ClientProfile("", "")


def profile_of_identity(name: object) -> ClientProfile:
    """The profile of a client that connected under this name."""
    known = (profile for profile in PROFILES if name in profile.identities)
    return next(known, UNKNOWN_CLIENT) if isinstance(name, str) else UNKNOWN_CLIENT


_LEAST_RESULT: Final = min(each.result_tokens for each in PROFILES if each.result_tokens is not None)


def result_bytes(name: object) -> int:
    """The bytes of a result that this client surely shows whole; of an unknown one, what every known one does."""
    tokens = profile_of_identity(name).result_tokens
    return (_LEAST_RESULT if tokens is None else tokens) * limits.CLIENT_TOKEN_BYTES


def profile_named(written: str) -> ClientProfile | None:
    """The profile that a user means: by its key, or by the client's name."""
    wanted = written.strip().lower()
    return next((each for each in PROFILES if wanted in (each.key, each.name.lower())), None)


def version_numbers(version: object) -> tuple[int, ...]:
    """The numbers of a version, to compare it with another; empty if it has none."""
    return tuple(map(int, _NUMBER.findall(version)[:3])) if isinstance(version, str) else ()
