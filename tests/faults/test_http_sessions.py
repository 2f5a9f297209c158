"""A client that opens a thousand sessions and never comes back, against `toolbooth serve --http`."""

from pathlib import Path

import pytest

from tests.faults.test_http_strangers import limited
from toolbooth.limits import MAX_HTTP_SESSIONS


@pytest.mark.promise("gateway:fair")
def test_sessions_that_are_never_used_keep_no_new_client_out(tmp_path: Path) -> None:
    with limited(tmp_path, 1024) as gateway:
        regular = gateway.client()
        assert regular.call("near.echo", "one").text == "echo says one"
        for _ in range(MAX_HTTP_SESSIONS + 20):
            gateway.client()
        assert gateway.client().call("near.echo", "two").text == "echo says two"
        assert regular.call("near.echo", "three").text == "echo says three", "who works keeps the session"
