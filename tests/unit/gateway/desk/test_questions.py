"""Requests on their way to a server, and a stateless server's questions to an older client."""

from typing import Any

import pytest
from tests.unit.gateway.desk.client import MemoryReach
from tests.unit.gateway.desk.conftest import MakeCaller

from toolbooth.gateway.desk.questions import carry_out, passed_on
from toolbooth.gateway.refusal import Refusal
from toolbooth.gateway.view import View

pytestmark = pytest.mark.anyio
RESERVED = "io.modelcontextprotocol/"
YES = {"action": "accept", "content": {"word": "yes"}}


def test_a_server_gets_the_callers_meta_without_what_belongs_to_one_connection() -> None:
    meta = {
        "progressToken": 1,
        f"{RESERVED}protocolVersion": "2026-07-28",
        f"{RESERVED}clientCapabilities": {},
        f"{RESERVED}logLevel": "info",
        "example.org/trace": [1],
    }
    passed = passed_on({"_meta": meta, "name": "outer", "arguments": {}}, name="inner")
    assert passed == {"name": "inner", "_meta": {f"{RESERVED}logLevel": "info", "example.org/trace": [1]}}


@pytest.mark.parametrize("meta", [None, {}, {"progressToken": 1}, "text", 5])
def test_meta_with_nothing_of_the_callers_own_is_left_out(meta: object) -> None:
    assert passed_on({"_meta": meta}, name="inner") == {"name": "inner"}


def test_a_retry_keeps_its_answers_and_its_state() -> None:
    retry = {"inputResponses": {"a": {}}, "requestState": "s"}
    assert passed_on({**retry, "other": 1}) == retry


async def ask(view: View, caller: Any, kind: str = "elicitation") -> Any:
    params = {"name": "ask", "arguments": {"kind": kind}}
    backend = view.gateway.backends["talk__new"]
    result = await carry_out(view.gateway.parking, backend, caller, "tools/call", params)
    return result if isinstance(result, dict) else result.value


async def test_an_older_client_is_asked_what_a_stateless_server_answers_with(
    view: View, caller: MakeCaller
) -> None:
    someone = caller()
    someone.reach = reach = MemoryReach({"elicitation/create": YES})
    assert (await ask(view, someone))["structuredContent"] == {"heard": [YES]}
    assert [method for method, _ in reach.asked] == ["elicitation/create"]


async def test_an_older_client_is_not_asked_what_it_does_not_offer(view: View, caller: MakeCaller) -> None:
    someone = caller(roots={})
    with pytest.raises(Refusal, match="elicitation/create, which this client does not offer"):
        await ask(view, someone)
    assert isinstance(someone.reach, MemoryReach)
    assert someone.reach.asked == []


async def test_an_older_clients_refusal_is_the_answer(view: View, caller: MakeCaller) -> None:
    with pytest.raises(Refusal, match="the person said no"):
        await ask(view, caller())
