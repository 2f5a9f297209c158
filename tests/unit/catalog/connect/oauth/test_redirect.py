"""The listener on 127.0.0.1: one answer, with the right state, to the right name, and then it is closed."""

import socket

import anyio
import httpx2
import pytest

from toolbooth.catalog.connect.oauth.redirect import RedirectListener, listening, read_answer, state_of
from toolbooth.errors import BackendFault, BackendProtocolError, BackendRefused

pytestmark = pytest.mark.anyio


async def get(url: str, **headers: str) -> httpx2.Response:
    async with httpx2.AsyncClient() as client:
        return await client.get(url, headers=headers)


async def reported(listener: RedirectListener, *paths: str, **headers: str) -> list[httpx2.Response]:
    """What the browser is told while the listener waits for the state `right`."""
    pages: list[httpx2.Response] = []

    async def browse() -> None:
        base = listener.redirect_uri.removesuffix("/callback")
        for path in paths:
            pages.append(await get(base + path, **headers))

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(browse)
        result = await listener.wait_for("right")
        assert result.code == "abc"
    return pages


async def test_the_first_answer_counts_and_then_the_port_is_closed() -> None:
    async with listening() as listener:
        (page,) = await reported(listener, "/callback?code=abc&state=right&iss=https://as.example")
        assert page.status_code == 200
        assert "abc" not in page.text
        assert page.headers["referrer-policy"] == "no-referrer"
        with pytest.raises(httpx2.ConnectError):
            await get(listener.redirect_uri)


async def test_other_paths_and_methods_are_turned_away_and_do_not_count() -> None:
    async with listening() as listener:
        pages = await reported(
            listener, "/favicon.ico", "/", "/callback/x?code=no", "/callback?code=abc&state=right"
        )
        assert [page.status_code for page in pages] == [404, 404, 404, 200]


async def test_a_page_that_rebound_its_name_to_us_is_turned_away() -> None:
    async with listening() as listener:
        evil = listener.redirect_uri + "?code=evil&state=right"
        with anyio.fail_after(240):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(listener.wait_for, "right")
                page = await get(evil, host="evil.example")
                assert page.status_code == 404
                tasks.cancel_scope.cancel()


async def test_a_browser_that_connects_and_says_nothing_blocks_nobody() -> None:
    async with listening() as listener:
        port = int(listener.redirect_uri.split(":")[2].split("/")[0])
        with socket.create_connection(("127.0.0.1", port)):
            (page,) = await reported(listener, "/callback?code=abc&state=right")
        assert page.status_code == 200


async def test_only_this_machine_reaches_it() -> None:
    async with listening() as listener:
        assert listener.redirect_uri.startswith("http://127.0.0.1:")


@pytest.mark.promise("auth:state")
async def test_a_wrong_state_ends_the_sign_in() -> None:
    async with listening() as listener:
        with anyio.fail_after(240):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(get, listener.redirect_uri + "?code=abc&state=wrong")
                with pytest.raises(BackendProtocolError, match="wrong state"):
                    await listener.wait_for("right")


@pytest.mark.parametrize(
    ("query", "kind", "words"),
    [
        ("code=abc", BackendProtocolError, "wrong state"),
        ("code=abc&state=", BackendProtocolError, "wrong state"),
        ("code=abc&state=right&state=right", BackendProtocolError, "wrong state"),
        ("code=abc&state=%C3%A9", BackendProtocolError, "wrong state"),
        ("error=access_denied", BackendProtocolError, "wrong state"),
        ("error=access_denied&state=right", BackendRefused, "refused: access_denied"),
        ("error=x%1b[2J&error_description=%0Aboom&state=right", BackendRefused, "refused: x (boom)"),
        ("state=right", BackendProtocolError, "no code"),
        ("state=right&code=", BackendProtocolError, "no code"),
        ("", BackendProtocolError, "wrong state"),
    ],
)
def test_every_other_answer_is_one_clean_line(query: str, kind: type[BackendFault], words: str) -> None:
    answer = read_answer(query, "right")
    assert answer.result is None
    assert isinstance(answer.fault, kind)
    assert words in str(answer.fault)
    assert str(answer.fault).isprintable()


def test_without_a_state_of_ours_nothing_is_right() -> None:
    assert read_answer("code=abc&state=", "").result is None


def test_the_state_is_read_from_the_address_that_the_browser_gets() -> None:
    assert state_of("https://as.example/authorize?x=1&state=s%20t") == "s t"
    assert state_of("https://as.example/authorize") == ""


async def test_silent_connections_do_not_keep_the_browser_out() -> None:
    async with listening() as listener:
        port = int(listener.redirect_uri.split(":")[2].split("/")[0])
        silent = [await anyio.connect_tcp("127.0.0.1", port) for _ in range(100)]
        (page,) = await reported(listener, "/callback?code=abc&state=right")
        assert page.status_code == 200
        assert len(listener._unheard) <= 32
        for each in silent:
            await each.aclose()
