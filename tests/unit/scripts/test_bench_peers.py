"""What `make bench-peers` puts behind every contender: the same tools, under names that all of them take."""

import io
import json
from pathlib import Path

import pytest
from scripts.bench_peers import sets
from scripts.bench_peers.contenders import PEERS
from scripts.bench_peers.corpus_server import serve, tools_of
from scripts.bench_peers.static_rows import direct
from tests.catalogs import PUBLIC

from toolbooth.bench.live import find_adapter


def test_the_built_in_corpus_stands_in_where_no_folder_is_named() -> None:
    assert sets.names(None) == ("builtin",)
    assert set(sets.names(PUBLIC)) == set(sets.SETS)


def test_every_server_gets_a_file_and_every_label_still_names_a_tool(tmp_path: Path) -> None:
    given = sets.load("builtin", tmp_path, few=5)
    assert len(given.pair.golden.questions) == 5
    assert given.pair.golden.unknown_tools({tool.id for tool in given.pair.corpus.catalog}) == ()
    for server, command in given.servers.items():
        served = {tool["name"] for tool in tools_of(command[-2], command[-1])}
        assert served == {tool.name for tool in given.pair.corpus.catalog if tool.server == server}


def test_names_that_a_config_would_change_are_changed_for_all(tmp_path: Path) -> None:
    corpus = tmp_path / "retrieval" / "corpus.json"
    corpus.parent.mkdir()
    tools = [
        {"tool_id": f"{server}:Do It", "server": server, "tool": "Do It", "description": "does it"}
        for server in ("Git - geropl", "Git-geropl")
    ]
    corpus.write_text(json.dumps({"version": "odd", "tools": tools}))
    labels = [{"tool_id": "Git-geropl:Do It", "relevance": 2}]
    golden = {"corpus_version": "odd", "queries": [{"id": "1", "query": "do it", "labels": labels}]}
    (corpus.parent / "golden.json").write_text(json.dumps(golden))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sets, "SETS", {"odd": sets.Files("corpus.json", "golden.json")})
        given = sets.load("odd", tmp_path, None, tmp_path)
    assert list(given.servers) == ["Git-geropl", "Git-geropl-2"]
    assert given.pair.golden.questions[0].labels[0].tool == "Git-geropl-2.Do It"


def test_the_corpus_server_speaks_mcp_and_answers_calls(tmp_path: Path) -> None:
    given = sets.load("builtin", tmp_path, few=1)
    server, command = next(iter(given.servers.items()))
    asked = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25"}},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
        {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "any"}},
        {"jsonrpc": "2.0", "id": 4, "method": "server/discover"},
    ]
    said = io.BytesIO()
    lines = io.BytesIO(b"".join(json.dumps(each).encode() + b"\n" for each in asked))
    serve(server, tools_of(command[-2], server), lines, said)
    first, listed, called, unknown = (json.loads(line) for line in said.getvalue().splitlines())
    assert first["result"]["serverInfo"]["name"] == server
    assert all(tool["inputSchema"]["type"] == "object" for tool in listed["result"]["tools"])
    assert called["result"]["content"][0]["text"] == "done"
    assert unknown["error"]["code"] == -32601


def test_every_contender_has_an_adapter_that_ships() -> None:
    assert len({peer.name for peer in PEERS}) == len(PEERS)
    for peer in PEERS:
        assert find_adapter(peer.adapter).name == peer.adapter


def test_without_a_gateway_every_definition_is_read_twice(tmp_path: Path) -> None:
    row = direct(sets.load("builtin", tmp_path, few=5).pair)
    assert row.session is not None
    assert row.session.paid == 2 * row.mode.tokens + row.session.call_envelope
    assert row.session.correct == row.session.questions
