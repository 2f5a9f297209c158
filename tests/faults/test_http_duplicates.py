"""Two requests of one id in one session over HTTP."""

import json
import sys
import threading
from pathlib import Path

import pytest

from tests.behaviour.gateway_process import HttpAnswer, gateway_process, until


@pytest.mark.promise("http:duplicate-id")
def test_a_second_request_of_an_open_id_is_refused_and_the_first_answered(tmp_path: Path) -> None:
    diary = tmp_path / "diary"
    server = [str(Path(__file__).with_name("bulky_server.py")), str(diary)]
    config = tmp_path / "servers.json"
    config.write_text(json.dumps({"mcpServers": {"s": {"command": sys.executable, "args": server}}}))
    with gateway_process(tmp_path, "--config", config) as gateway:
        client, answers = gateway.client(), list[HttpAnswer]()

        def call(size: int, seconds: float = 0) -> HttpAnswer:
            arguments = {"name": "s.bulk", "arguments": {"size": size, "seconds": seconds}}
            return client.ask("tools/call", {"name": "call_tool", "arguments": arguments}, number=7)

        first = threading.Thread(target=lambda: answers.append(call(5, 1.0)))
        first.start()
        until(diary.exists, "the first is at work")
        second = call(6)
        assert (second.status, second.json["id"], second.json["error"]["code"]) == (400, 7, -32600)
        assert "duplicate id" in second.json["error"]["message"]
        first.join()
        assert answers[0].text == "xxxxx"
        assert call(3).text == "xxx"
