"""Records the suites in examples/ anew: key-free models as they are, priced ones against a provider on loopback.

    python -m scripts.record_examples [NAME ...]

This project has no keys: `token-efficiency` and `budget` are recorded through the real provider packages over HTTP, but
what answers there is a script (below), not a model. Usage is counted on what was really sent.
"""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tests.provider_formats import Calls, Says
from tests.provider_server import Asked, provider_server

from toolbooth.tokens import count

EXAMPLES = Path(__file__).parents[1] / "examples"
REVENUE = (
    Says(calls=(Calls("search", {"query": "quarterly revenue"}),)),
    Says(calls=(Calls("fetch", {"id": "doc-7"}),)),
    Says("Revenue of the third quarter was 4.2 million."),
)
TICKET = {"name": "tickets.create_ticket", "arguments": {"title": "The login page is blank"}}
BLANK_PAGE = (
    Says(calls=(Calls("search_tools", {"query": "open a ticket"}),)),
    Says(calls=(Calls("call_tool", TICKET),)),
    Says("I opened a ticket about the blank login page."),
)
STEPS = {"token-efficiency": REVENUE, "budget": BLANK_PAGE}


def by_turn(steps: tuple[Says, ...]) -> Callable[[Asked], Says]:
    """The step that follows the results in a request, however many runs are made at the same time."""

    def answer(asked: Asked) -> Says:
        text = asked.raw.decode()
        done = (
            text.count('"tool_result"') + text.count('"function_call_output"') + text.count('"role":"tool"')
        )
        step = steps[min(done, len(steps) - 1)]
        return Says(step.text, step.calls, input=count(text), output=count(step.text + str(step.calls)))

    return answer


def record(name: str) -> None:
    """Run `toolbooth test --record` on one example."""
    command = [sys.executable, "-m", "toolbooth", "test", f"{name}", "--record"]
    environ = {**os.environ, "PYTHONUTF8": "1"}
    with provider_server([by_turn(STEPS.get(name, ()))] * 100) as server:
        environ |= {"ANTHROPIC_BASE_URL": server.url, "OPENAI_BASE_URL": server.openai_url}
        environ |= dict.fromkeys(("ANTHROPIC_API_KEY", "OPENAI_API_KEY"), "no-real-key-on-loopback")
        subprocess.run(command, cwd=EXAMPLES, env=environ, check=True)


if __name__ == "__main__":
    for each in sys.argv[1:] or sorted(path.parent.name for path in EXAMPLES.glob("*/*.toolbooth.yaml")):
        record(each)
