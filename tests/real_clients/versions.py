"""The versions of the real clients that are installed."""

import json

from tests.parts import part
from tests.real_clients.clients import REAL_CLIENTS


def installed_versions() -> dict[str, str]:
    """Package → version, of the clients that tests run."""
    folder = part("cli-agents") / "node_modules"
    return {
        client.package: json.loads((folder / client.package / "package.json").read_text(encoding="utf-8"))[
            "version"
        ]
        for client in REAL_CLIENTS
    }
