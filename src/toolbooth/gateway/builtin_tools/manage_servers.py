"""`manage_servers`: a checked request about the servers behind the menu."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from toolbooth import errors
from toolbooth.gateway.builtin_tools.definition import OBJECT, TEXT, BuiltinArguments, BuiltinTool, choice

NAME: Final = "manage_servers"
_LOOKING: Final = ("status",)
_CHANGING: Final = ("register", "deregister")
_KNOWN: Final = ("action", "server", "config")


@dataclass(frozen=True)
class ManageRequest:
    """`status` of one server or all; `register` one with a config entry as clients write it; `deregister` one."""

    action: str
    server: str | None = None
    config: Mapping[str, Any] = field(default_factory=dict, hash=False)


def read_manage_request(given: object, may_change: bool) -> ManageRequest:
    """Check the call; changes are refused unless the config allows them."""
    arguments = BuiltinArguments(NAME, given, _KNOWN)
    action = arguments.one_of("action", (*_LOOKING, *_CHANGING), "status")
    if action != "register" and isinstance(given, Mapping) and given.get("config") is not None:
        raise errors.WrongArguments("`config` is for action register only")
    if action not in _CHANGING:
        return ManageRequest(action, arguments.optional_text("server"))
    if not may_change:
        raise errors.WrongArguments(
            f"{action} is not allowed here; the user can allow it with `gateway: {{manage_servers: true}}`"
            " in toolbooth.yaml"
        )
    server = arguments.text("server", '"name"')
    config = given.get("config") if isinstance(given, Mapping) else None
    if action == "register" and not (
        isinstance(config, Mapping) and ("command" in config or "url" in config)
    ):
        raise arguments.wrong("config", 'an object with "command" or "url", as in a client\'s mcpServers')
    return ManageRequest(action, server, config if isinstance(config, Mapping) else {})


def manage_servers_tool(may_change: bool) -> BuiltinTool:
    """The tool of the menu; what the config does not allow is not offered."""
    if not may_change:
        return BuiltinTool(NAME, "State of the servers behind this menu.", {"server": TEXT}, also=_KNOWN)
    parameters = {"action": choice(*_LOOKING, *_CHANGING), "server": TEXT, "config": OBJECT}
    return BuiltinTool(
        NAME,
        "State of the servers behind this menu; add or remove one. config: as in mcpServers.",
        parameters,
        ("action",),
        read_only=False,
    )
