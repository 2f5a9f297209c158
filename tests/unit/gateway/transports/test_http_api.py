"""Calls as plain JSON: what a body must be, and what a call that cannot end is answered with."""

from typing import Any

import pytest
from starlette.applications import Starlette
from tests.unit.gateway.calls.http_call import post

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
    answer = await post(Starlette(routes=api_routes(view.gateway)), body)
    assert (answer["status"], words in answer["error"]) == (400, True)


async def test_a_call_is_cut_by_its_own_words_and_has_its_row(view: View) -> None:
    app = Starlette(routes=api_routes(view.gateway))
    long = {"name": "talk.sample", "arguments": {"times": 3_000}}
    cut = await post(app, long)
    assert "read_result(ref=" in str(cut)
    assert len(str(await post(app, {**long, "reduce": False}))) > len(str(cut))
    row = view.gateway.ledger.recent(1)[0]
    assert (row.server, row.tool, row.kind, row.outcome) == ("talk", "sample", "call", "ok")


async def test_a_server_that_asks_its_user_is_answered_for_nobody(view: View) -> None:
    app = Starlette(routes=api_routes(view.gateway))
    answer = await post(app, {"name": "talk__new.ask", "arguments": {"kind": "elicitation"}})
    assert (answer["status"], "does not offer" in answer["error"]) == (502, True)
