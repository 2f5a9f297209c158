"""The examples of agents in `examples/embed`, as programs: with their scripted model, and with a key and an address."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.parts import part
from tests.provider_server import Calls, Says, provider_server

ROOT = Path(__file__).parents[2]
KEY = "sk-example-of-a-test"
EXAMPLES = ("pydantic_ai_agent", "langchain_agent", "openai_agents")


def said(example: str, home: Path, *question: str, **environ: str) -> str:
    """What an example prints; the packages of its framework are a part of the tests."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples" / "embed" / f"{example}.py"), *question],
        capture_output=True,
        text=True,
        env={
            "HOME": str(home),
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(part("agent-frameworks")),
            **environ,
        },
        cwd=home,
        timeout=240,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.strip()


@pytest.mark.promise("embed:examples")
@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_runs_without_a_key(example: str, tmp_path: Path) -> None:
    assert said(example, tmp_path) == "The ticket is LF-251."


@pytest.mark.promise("embed:examples")
@pytest.mark.parametrize("example", EXAMPLES)
def test_with_a_key_and_an_address_an_example_asks_that_provider(example: str, tmp_path: Path) -> None:
    asked = {"name": "tickets.list_tickets", "arguments": {"per_page": 1}}
    script = [Says(calls=[Calls("call_tool", asked)]), Says("There are 250.")]
    with provider_server(script) as server:
        given = {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": server.openai_url, "OPENAI_MODEL": "gpt-5"}
        assert said(example, tmp_path, "How many tickets are there?", **given) == "There are 250."
    first, second = server.requests
    assert KEY in first.headers["authorization"]
    assert first.body["model"] == "gpt-5"
    assert "How many tickets are there?" in first.raw.decode()
    named = [(each.get("function") or each)["name"] for each in first.body["tools"]]
    assert named == ["search_tools", "call_tool", "read_result"]
    assert "Servers: tickets." in json.dumps(first.body)
    assert "LF-250" in second.raw.decode()
