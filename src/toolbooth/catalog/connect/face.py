"""Who asks: what a server is told of its client, in the handshake or with every request."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from toolbooth import __version__


@dataclass(frozen=True)
class Face:
    """Name, version and capabilities of a client; Toolbooth's own offers nothing."""

    info: Mapping[str, Any] = field(default_factory=lambda: {"name": "toolbooth", "version": __version__})
    capabilities: Mapping[str, Any] = field(default_factory=dict)


OWN_FACE = Face()
