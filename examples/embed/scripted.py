"""What the examples share: the config, and a model that follows a script where no key is set.

With `OPENAI_API_KEY` (and `OPENAI_BASE_URL` for another provider) the examples ask a real model. Without a key they ask
the scripted provider of this repository's tests, on loopback: no network, and the tools are called all the same.
"""

import json
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

MODEL = os.environ.get("OPENAI_MODEL", "gpt-5-mini")
QUESTION = " ".join(sys.argv[1:]) or "Open a ticket: the booking page is slow. What is its key?"
# Any config of an MCP client works: this object, the path of a file, or several
CONFIG = {"mcpServers": {"tickets": {"command": sys.executable, "args": ["-m", "toolbooth.demo", "tickets"]}}}


@contextmanager
def model_at_hand() -> Iterator[None]:
    """The real model if there is a key for it, else the script."""
    if os.environ.get("OPENAI_API_KEY"):
        yield
        return
    sys.path.append(str(Path(__file__).parents[2]))
    from tests.provider_server import Calls, Says, provider_server

    def last_words(asked: Any) -> Says:
        keys = re.findall(r"LF-\d+", json.dumps(asked.body))
        return Says(f"The ticket is {keys[-1]}.")

    title = {"title": "The booking page is slow"}
    script = [
        Says(calls=[Calls("search_tools", {"query": "create a ticket"})]),
        Says(calls=[Calls("call_tool", {"name": "tickets.create_ticket", "arguments": title})]),
        last_words,
    ]
    with provider_server(script) as server:
        os.environ.update(OPENAI_API_KEY="none", OPENAI_BASE_URL=server.openai_url)
        yield
