"""Calls as plain JSON: what a body must be, and what a call that cannot end is answered with."""

from typing import Any

import pytest
from starlette.applications import Starlette
from tests.unit.gateway.calls.http_call import post

from toolbooth.access import Principal
from toolbooth.catalog import Tool
from toolbooth.gateway.surfaces.view import View
from toolbooth.gateway.transports.http_api import api_routes
from toolbooth.limits import MAX_HTTP_BODY

pytestmark = [pytest.mark.anyio, pytest.mark.promise("serve-http:call")]


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"{", "this is not JSON"),
        ([], "the body must be"),
        ({"arguments": {}}, "the body must be"),
        ({"name": 5}, "the body must be"),
        (b" " * (MAX_HTTP_BODY + 1), "a body may have"),
    ],
    ids=["half", "list", "no name", "number", "too long"],
)
async def test_a_body_that_is_no_call_is_refused(view: View, body: Any, words: str) -> None:
    answer = await post(Starlette(routes=api_routes(view)), body)
    assert (answer["status"], words in answer["error"]) == (400, True)


async def test_a_call_is_cut_by_its_own_words_and_has_its_row(view: View) -> None:
    app = Starlette(routes=api_routes(view))
    long = {"name": "talk.sample", "arguments": {"times": 3_000}}
    cut = await post(app, long)
    assert "read_result(ref=" in str(cut)
    assert len(str(await post(app, {**long, "reduce": False}))) > len(str(cut))
    row = view.gateway.ledger.recent(1)[0]
    assert (row.server, row.tool, row.kind, row.outcome) == ("talk", "sample", "call", "ok")


class Allows:
    """Everything but one tool."""

    def __init__(self, but: str = "") -> None:
        self._but = but

    def may(self, principal: Principal, tool: Tool) -> bool:  # noqa: ARG002
        return tool.id != self._but


@pytest.mark.promise("access:may")
async def test_a_cut_answer_is_read_on_with_the_same_key_while_its_tool_is_allowed(
    view: View, monkeypatch: pytest.MonkeyPatch
) -> None:
    app, (one, two) = Starlette(routes=api_routes(view)), (Principal("key-1", "A"), Principal("key-2", "B"))
    monkeypatch.setattr(view.gateway, "authorizer", Allows())
    cut = str(await post(app, {"name": "talk.sample", "arguments": {"times": 3_000}}, one))
    ref = cut.partition("read_result(ref=")[2].lstrip("\\'").partition("'")[0].rstrip("\\")
    read_on = {"name": "read_result", "arguments": {"ref": ref, "max_bytes": 60_000}}
    assert len(str(await post(app, read_on, one))) > len(cut)
    assert "there is no result" in str(await post(app, read_on, two))
    monkeypatch.setattr(view.gateway, "authorizer", Allows("talk.sample"))
    assert "there is no result" in str(await post(app, read_on, one))


async def test_a_server_that_asks_its_user_is_answered_for_nobody(view: View) -> None:
    app = Starlette(routes=api_routes(view))
    answer = await post(app, {"name": "talk__new.ask", "arguments": {"kind": "elicitation"}})
    assert (answer["status"], "does not offer" in answer["error"]) == (502, True)
