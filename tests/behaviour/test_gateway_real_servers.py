"""The gateway in front of seven public servers at once, and the SDK's own client in front of the gateway."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp_types import ElicitResult

from tests.behaviour.gateway_client import GatewayClient, backend, connected, isolated_environ, write_config
from tests.server_process import free_port, running


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    (folder / "note.txt").write_text("seven servers", encoding="utf-8")
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    return folder


@pytest.fixture(scope="module")
def gateway(
    npm_bin: Path, npm_node: Path, pypi_bin: Path, project: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[GatewayClient]:
    home = tmp_path_factory.mktemp("home")
    env = {"PATH": f"{npm_node}:/usr/bin:/bin"}
    memory = {**env, "MEMORY_FILE_PATH": str(home / "memory.jsonl")}
    servers: dict[str, Any] = {
        "everything": {"command": str(npm_bin / "mcp-server-everything"), "env": env},
        "filesystem": {"command": str(npm_bin / "mcp-server-filesystem"), "args": [str(project)], "env": env},
        "memory": {"command": str(npm_bin / "mcp-server-memory"), "env": memory},
        "thinking": {"command": str(npm_bin / "mcp-server-sequential-thinking"), "env": env},
        "time": {"command": str(pypi_bin / "mcp-server-time")},
        "git": {"command": str(pypi_bin / "mcp-server-git")},
        "fetch": {"command": str(pypi_bin / "mcp-server-fetch"), "args": ["--allow-private-ips"]},
    }
    with connected(home, servers, "search", "old") as client:
        client.replies = {
            "roots/list": lambda _params: {"roots": [{"uri": project.as_uri()}]},
            "sampling/createMessage": lambda _params: {
                "role": "assistant",
                "content": {"type": "text", "text": "sampled words"},
                "model": "m",
            },
            "elicitation/create": lambda _params: {"action": "accept", "content": {"name": "Ada"}},
        }
        yield client


def call(
    client: GatewayClient, tool: str, meta: dict[str, Any] | None = None, **arguments: Any
) -> dict[str, Any]:
    params = {"name": "call_tool", "arguments": {"name": tool, "arguments": arguments}}
    return client.result("tools/call", params if meta is None else {**params, "_meta": meta})


def text_of(result: dict[str, Any]) -> str:
    return "\n".join(item["text"] for item in result["content"] if item["type"] == "text")


@pytest.mark.promise("gateway:real-servers")
@pytest.mark.parametrize(
    ("query", "tool"),
    [
        ("echo back a message", "everything.echo"),
        ("read the contents of a text file", "filesystem.read_text_file"),
        ("create entities in the knowledge graph", "memory.create_entities"),
        ("think through a problem step by step", "thinking.sequentialthinking"),
        ("what time is it in Tokyo", "time.get_current_time"),
        ("show the working tree status", "git.git_status"),
        ("fetch a web page", "fetch.fetch"),
    ],
)
def test_a_request_in_plain_words_finds_the_tool_among_all_servers(
    gateway: GatewayClient, query: str, tool: str
) -> None:
    found = gateway.result("tools/call", {"name": "search_tools", "arguments": {"query": query}})
    assert f"{tool}(" in text_of(found)


@pytest.mark.promise("gateway:real-servers")
def test_every_server_is_called_through_one_gateway(gateway: GatewayClient, project: Path) -> None:
    assert text_of(call(gateway, "everything.get-sum", a=2, b=3)).count("5")
    file = str(project / "note.txt")
    assert "seven servers" in text_of(call(gateway, "filesystem.read_text_file", path=file))
    entity = {"name": "Ada", "entityType": "person", "observations": ["wrote the first program"]}
    call(gateway, "memory.create_entities", entities=[entity])
    assert "first program" in text_of(call(gateway, "memory.search_nodes", query="Ada"))
    thought: dict[str, Any] = {
        "thought": "one",
        "nextThoughtNeeded": False,
        "thoughtNumber": 1,
        "totalThoughts": 1,
    }
    assert "thoughtNumber" in text_of(call(gateway, "thinking.sequentialthinking", **thought))
    assert "Asia/Tokyo" in text_of(call(gateway, "time.get_current_time", timezone="Asia/Tokyo"))
    assert "note.txt" in text_of(call(gateway, "git.git_status", repo_path=str(project)))


@pytest.mark.promise("gateway:tasks")
def test_a_public_servers_task_asks_and_answers_through_the_gateway(gateway: GatewayClient) -> None:
    since, own = len(gateway.heard), gateway.replies
    chosen: dict[str, Any] = {"action": "accept", "content": {"interpretation": "snake"}}
    gateway.replies = {**own, "elicitation/create": lambda _params: chosen}
    topic = {"topic": "python", "ambiguous": True}
    try:
        result = call(gateway, "everything.simulate-research-query", {"progressToken": "r"}, **topic)
    finally:
        gateway.replies = own
    assert "# Research Report: python (snake)" in text_of(result)
    steps = [each["message"] for each in gateway.received("notifications/progress", since)]
    assert any("Synthesizing" in each or "interpretation" in each for each in steps)


def test_a_page_is_fetched_through_the_gateway(gateway: GatewayClient) -> None:
    with page("<html><body><main><h1>Parrots</h1><p>They talk a lot.</p></main></body></html>") as url:
        assert "They talk a lot" in text_of(call(gateway, "fetch.fetch", url=url))


@pytest.mark.promise("gateway:real-servers")
def test_resources_prompts_and_completion_of_a_public_server_pass(gateway: GatewayClient) -> None:
    resources = gateway.result("resources/list")["resources"]
    uri = next(each["uri"] for each in resources if each["uri"].startswith("demo://resource/static"))
    assert gateway.result("resources/read", {"uri": uri})["contents"][0]["uri"] == uri
    dynamic = gateway.result("resources/read", {"uri": "demo://resource/dynamic/text/7"})["contents"][0]
    assert "Resource 7" in dynamic["text"]
    names = {each["name"] for each in gateway.result("prompts/list")["prompts"]}
    assert {"everything__args-prompt", "everything__completable-prompt", "fetch__fetch"} <= names
    prompt = gateway.result("prompts/get", {"name": "everything__args-prompt", "arguments": {"city": "Oslo"}})
    assert "Oslo" in prompt["messages"][0]["content"]["text"]
    ref = {"type": "ref/prompt", "name": "everything__completable-prompt"}
    argument = {"name": "department", "value": "Eng"}
    completed = gateway.result("completion/complete", {"ref": ref, "argument": argument})["completion"]
    assert completed["values"] == ["Engineering"]


def test_an_image_of_a_public_server_stays_an_image(gateway: GatewayClient) -> None:
    kinds = [item["type"] for item in call(gateway, "everything.get-tiny-image")["content"]]
    assert kinds == ["text", "image", "text"]


@pytest.mark.promise("gateway:real-servers")
def test_a_long_running_tool_reports_its_progress(gateway: GatewayClient) -> None:
    since = len(gateway.heard)
    tool = "everything.trigger-long-running-operation"
    call(gateway, tool, {"progressToken": "mine"}, duration=0.4, steps=4)
    steps = gateway.received("notifications/progress", since)
    assert [(each["progress"], each["total"], each["progressToken"]) for each in steps] == [
        (step, 4, "mine") for step in (1, 2, 3, 4)
    ]


@pytest.mark.promise("gateway:real-servers")
def test_questions_of_a_public_server_reach_the_client(gateway: GatewayClient, project: Path) -> None:
    sampled = call(gateway, "everything.trigger-sampling-request", prompt="say something")
    assert "sampled words" in text_of(sampled)
    assert "Ada" in text_of(call(gateway, "everything.trigger-elicitation-request"))
    assert project.as_uri() in text_of(call(gateway, "everything.get-roots-list"))


# -- the SDK's client --------------------------------------------------------------------------------------
MODES = {"legacy": "2025-11-25", "auto": "2026-07-28"}


@contextmanager
def page(html: str) -> Iterator[str]:
    class Pages(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = not self.path.endswith("robots.txt")
            self.send_response(200 if found else 404)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(html.encode() if found else b"")

        def log_message(self, *_words: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Pages)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


async def use(client: Client) -> list[float]:
    """What an agent does: look at the menu, search, call, be asked; gives back the steps of progress."""
    steps: list[float] = []

    async def report(progress: float, total: float | None, message: str | None) -> None:
        steps.append(progress)

    tools = await client.list_tools()
    assert [tool.name for tool in tools.tools] == ["search_tools", "call_tool", "read_result"]
    found = await client.call_tool("search_tools", {"query": "ask"})
    assert "talk.ask" in found.content[0].text  # type: ignore[union-attr]
    arguments = {"name": "talk.ask", "arguments": {"kind": "elicitation", "rounds": 2}}
    asked = await client.call_tool("call_tool", arguments)
    heard = (asked.structured_content or {})["heard"]
    assert [each["content"] for each in heard] == [{"word": "yes"}] * 2
    await client.call_tool("call_tool", {"name": "talk.progress"}, progress_callback=report)
    prompts = await client.list_prompts()
    assert "greet" in {prompt.name for prompt in prompts.prompts}
    read = await client.read_resource("note://1")
    assert read.contents[0].text == "a note"  # type: ignore[union-attr]
    return steps


async def say_yes(context: Any, params: Any) -> ElicitResult:
    return ElicitResult(action="accept", content={"word": "yes"})


@pytest.mark.anyio
@pytest.mark.promise("gateway:sdk-client")
@pytest.mark.parametrize("mode", MODES)
async def test_the_sdks_client_works_on_stdio_in_all_protocol_versions(mode: str, tmp_path: Path) -> None:
    config = write_config(tmp_path, {"talk": backend("both")})
    words = ["-m", "toolbooth", "serve", "--no-daemon", "--config", str(config)]
    server = StdioServerParameters(command=sys.executable, args=words, env=isolated_environ(tmp_path))
    async with Client(server, mode=mode, elicitation_callback=say_yes) as client:
        assert client.protocol_version == MODES[mode]
        assert await use(client) == [1, 2, 3, 4]


@pytest.fixture(scope="module")
def http_gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    home = tmp_path_factory.mktemp("home")
    port = free_port()
    words = ["serve", "--http", "--port", str(port), "--no-key"]
    words += ["--config", str(write_config(home, {"talk": backend("both")}))]
    with running([sys.executable, "-m", "toolbooth", *words], port, isolated_environ(home)):
        yield f"http://127.0.0.1:{port}/mcp"


@pytest.mark.anyio
@pytest.mark.promise("gateway:sdk-client")
@pytest.mark.parametrize("mode", MODES)
async def test_the_sdks_client_works_over_http_in_all_protocol_versions(mode: str, http_gateway: str) -> None:
    async with Client(http_gateway, mode=mode, elicitation_callback=say_yes) as client:
        assert client.protocol_version == MODES[mode]
        assert await use(client) == [1, 2, 3, 4]


@pytest.mark.anyio
@pytest.mark.promise("gateway:right-session")
@pytest.mark.parametrize("theirs", ["old", "new"])
async def test_over_http_each_client_of_one_server_is_asked_its_own_questions(
    theirs: str, tmp_path: Path
) -> None:
    port = free_port()
    words = ["serve", "--http", "--port", str(port), "--no-key"]
    words += ["--config", str(write_config(tmp_path, {"talk": backend(theirs)}))]
    arguments = {"name": "talk.ask", "arguments": {"kind": "elicitation"}}

    def says(word: str) -> Any:
        async def answer(_context: Any, _params: Any) -> ElicitResult:
            return ElicitResult(action="accept", content={"word": word})

        return answer

    with running([sys.executable, "-m", "toolbooth", *words], port, isolated_environ(tmp_path)):
        url = f"http://127.0.0.1:{port}/mcp"
        async with (
            Client(url, mode="legacy", elicitation_callback=says("one")) as one,
            Client(url, mode="legacy", elicitation_callback=says("two")) as two,
            Client(url, mode="auto", elicitation_callback=says("three")) as three,
        ):
            for client, word in ((one, "one"), (two, "two"), (three, "three"), (one, "one")):
                asked = await client.call_tool("call_tool", arguments)
                heard = (asked.structured_content or {})["heard"]
                assert [each["content"] for each in heard] == [{"word": word}]
