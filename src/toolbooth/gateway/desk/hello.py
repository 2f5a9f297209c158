"""A view → what a client is told when it arrives: capabilities, instructions, who we are."""

from typing import Any

from toolbooth import __version__
from toolbooth.gateway.view import View

SERVER_INFO = {"name": "toolbooth", "version": __version__}


def capabilities(view: View) -> dict[str, Any]:
    """The union of what we and the servers offer; where one is not known yet, all that a server may offer."""
    known = [view.gateway.capabilities.get(name) for name in view.gateway.backends]
    declared = [each for each in known if each is not None]
    unsure = len(declared) < len(known)
    offered: dict[str, Any] = {"tools": {"listChanged": True} if view.changes else {}}
    for name, features in _PASSED.items():
        if name in _OWN or unsure or any(name in each for each in declared):
            offered[name] = {
                feature: True
                for feature in features
                if unsure or any((each.get(name) or {}).get(feature) for each in declared)
            }
    return offered


_PASSED: dict[str, tuple[str, ...]] = {
    "resources": ("subscribe", "listChanged"),
    "prompts": ("listChanged",),
    "completions": (),
    "logging": (),
}
_OWN = {"resources", "prompts", "completions"}  # the gateway has some itself; they never change


def greeting(view: View) -> dict[str, Any]:
    """The part that the handshake and discover share."""
    text = view.instructions()
    return {"capabilities": capabilities(view), **({"instructions": text} if text else {})}
