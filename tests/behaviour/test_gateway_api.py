"""The JSON paths of `toolbooth serve --http`: the tools as they were sent, and the ranking of the index."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.behaviour.gateway_process import GatewayProcess, SteeredServer, gateway_process, write_config

TOOLS, SEARCH, CALL = "/api/v1/tools", "/api/v1/index/search", "/api/v1/call"
BROKEN = {"command": "no-such-command-here"}


@pytest.fixture(scope="module")
def gateway() -> Iterator[GatewayProcess]:
    home = Path(tempfile.mkdtemp(prefix="tb-"))
    near = SteeredServer.at(home / "near")
    config = write_config(home / "servers.json", {"near": near.entry, "gone": BROKEN})
    with gateway_process(home, "--config", config) as running:
        yield running


@pytest.mark.promise("serve-http:api")
def test_the_first_question_waits_for_servers_that_have_not_listed_their_tools(
    gateway: GatewayProcess,
) -> None:
    answer = gateway.request("GET", TOOLS)
    assert answer.status == 200
    echo = next(tool for tool in answer.json["tools"] if tool["tool"] == "echo")
    assert echo == {
        "tool_id": "near:echo",
        "server": "near",
        "tool": "echo",
        "description": "The tool echo.",
        "schema": {"type": "object", "properties": {"text": {"type": "string"}}},
    }
    assert answer.json["servers"]["near"] == "up"
    assert answer.json["servers"]["gone"] in ("idle", "resting")


@pytest.mark.promise("serve-http:api")
def test_a_search_gives_the_ranking_that_an_agent_sees(gateway: GatewayProcess) -> None:
    answer = gateway.request("GET", f"{SEARCH}?q={quote('the tool echo')}&limit=2").json
    assert answer["query"] == "the tool echo"
    assert [set(each) for each in answer["results"]] == [{"tool_id", "server", "tool", "score"}] * 2
    assert answer["results"][0]["tool_id"] == "near:echo"
    assert answer["results"][0]["score"] >= answer["results"][1]["score"] > 0
    assert answer["took_ms"] > 0
    seen = gateway.client().find("the tool echo").splitlines()[:2]
    assert [line.partition("(")[0].replace(".", ":", 1) for line in seen] == [
        each["tool_id"] for each in answer["results"]
    ]


@pytest.mark.promise("serve-http:api")
@pytest.mark.parametrize(
    "asked",
    [
        "",
        "?q=",
        "?q=%20",
        "?q=a&q=b",
        "?q=a&limit=",
        "?q=a&limit=0",
        "?q=a&limit=51",
        "?q=a&limit=x",
        "?q=a&limit=%C2%B2",
        "?q=a&limit=1&limit=2",
        f"?q=a&limit={'9' * 5000}",
    ],
)
def test_a_wrong_question_is_one_line_and_400(gateway: GatewayProcess, asked: str) -> None:
    answer = gateway.request("GET", SEARCH + asked)
    assert answer.status == 400
    assert answer.json["error"].startswith("limit must be" if "limit" in asked else "q is missing")


@pytest.mark.promise("serve-http:call")
def test_a_call_over_the_api_is_answered_and_counted_as_any_other(gateway: GatewayProcess) -> None:
    answer = gateway.request("POST", CALL, {"name": "near.echo", "arguments": {"text": "hello"}})
    assert answer.status == 200
    assert answer.json == {"content": [{"type": "text", "text": "echo says hello"}]}
    recent = gateway.client().ask("resources/read", {"uri": "toolbooth://recent/1"})
    assert "near.echo ok" in recent.json["result"]["contents"][0]["text"]


@pytest.mark.promise("serve-http:call")
def test_a_wrong_call_over_the_api_says_what_is_wrong(gateway: GatewayProcess) -> None:
    wrong = gateway.request("POST", CALL, {"name": "near.echo", "arguments": {"text": 5}})
    assert (wrong.status, wrong.json["isError"], "text" in str(wrong.json)) == (200, True, True)
    unknown = gateway.request("POST", CALL, {"name": "near.ehco"})
    assert 'There is no tool "near.ehco". Nearest: near.echo' in str(unknown.json)


@pytest.mark.promise("serve-http:key")
def test_a_call_over_the_api_wants_the_key_and_comes_from_no_page(gateway: GatewayProcess) -> None:
    called = {"name": "near.echo", "arguments": {"text": "hello"}}
    assert gateway.request("POST", CALL, called, authorization="").status == 401
    assert gateway.request("POST", CALL, called, origin="https://evil.example").status == 403
    assert gateway.request("GET", CALL).status == 405


@pytest.mark.promise("serve-http:key")
@pytest.mark.parametrize("path", [TOOLS, f"{SEARCH}?q=echo"])
def test_the_api_wants_the_key_by_either_header_and_mcp_by_one(gateway: GatewayProcess, path: str) -> None:
    key = str(gateway.key)
    assert gateway.request("GET", path, authorization="").status == 401
    assert gateway.request("GET", path, authorization="", x_api_key="wrong").status == 401
    assert gateway.request("GET", path, authorization="Bearer wrong", x_api_key=key).status == 401
    assert gateway.request("GET", path, authorization="", x_api_key=key).status == 200
    assert gateway.request("POST", "/mcp", {}, authorization="", x_api_key=key).status == 401


@pytest.mark.promise("serve-http:strangers")
def test_pages_of_other_sites_do_not_read_the_tools(gateway: GatewayProcess) -> None:
    assert gateway.request("GET", TOOLS, origin="https://evil.example").status == 403


@pytest.mark.promise("serve-http:paths")
def test_another_path_of_the_api_names_those_that_are(gateway: GatewayProcess) -> None:
    answer = gateway.request("GET", "/api/v1/servers")
    assert (answer.status, TOOLS in answer.json["error"]["message"]) == (404, True)
    assert gateway.request("POST", TOOLS, {}).status == 405


def test_asking_opens_no_session(gateway: GatewayProcess) -> None:
    before = gateway.state["gateways"][0]["sessions"]
    gateway.request("GET", f"{SEARCH}?q=echo")
    assert gateway.state["gateways"][0]["sessions"] == before
