"""A grant knows when it ends, keeps its secrets out of sight, and survives its record."""

import time
from dataclasses import replace
from typing import Any

import pytest
from mcp.shared.auth import OAuthToken

from toolbooth.catalog.connect.oauth.grant import Grant, plain_part, read_grant, secret_part

GRANT = Grant(
    url="https://a.example/mcp?key=CANARY",
    token_endpoint="https://as.example/token",
    access_token="CANARY-access",
    client={"client_id": "me", "client_secret": "CANARY-client"},
    refresh_token="CANARY-refresh",
    resource="https://a.example/mcp?key=CANARY",
)


def lasting(seconds: float, passed: float) -> Grant:
    now = time.time()
    return replace(GRANT, obtained_at=now - passed, expires_at=now - passed + seconds)


def test_a_token_is_renewed_a_minute_before_its_end() -> None:
    assert not lasting(3600, 3500).is_due()
    assert lasting(3600, 3550).is_due()
    assert not lasting(3600, 3550).is_over()
    assert lasting(3600, 3601).is_over()


def test_a_short_token_is_not_due_from_its_first_second() -> None:
    assert not lasting(30, 1).is_due()
    assert lasting(30, 28).is_due()


def test_a_token_without_an_end_is_never_due() -> None:
    assert not GRANT.is_due()
    assert not GRANT.is_over()
    assert GRANT.with_token(OAuthToken(access_token="x", expires_in=0)).expires_at is None


def test_what_a_refresh_leaves_out_stays() -> None:
    old = replace(GRANT, scope="tools")
    new = old.with_token(OAuthToken(access_token="n", expires_in=60))
    assert (new.access_token, new.refresh_token, new.scope) == ("n", "CANARY-refresh", "tools")
    rotated = old.with_token(OAuthToken(access_token="n", refresh_token="r2", scope="less"))
    assert (rotated.refresh_token, rotated.scope) == ("r2", "less")


def test_no_secret_shows_in_a_grant_or_in_its_plain_part() -> None:
    assert "CANARY" not in repr(GRANT)
    plain = plain_part(GRANT)
    assert not {"access_token", "refresh_token", "client"} & set(plain)
    assert plain["renews"] is True


def test_a_record_gives_the_same_grant_back() -> None:
    assert read_grant(plain_part(GRANT), secret_part(GRANT)) == GRANT


@pytest.mark.parametrize(
    "damage",
    [
        {"version": 2},
        {"format": "else"},
        {"token_endpoint": 7},
        {"obtained_at": "soon"},
        {"url": None},
        {"expires_at": []},
    ],
)
def test_a_strange_record_is_no_grant(damage: dict[str, Any]) -> None:
    assert read_grant({**plain_part(GRANT), **damage}, secret_part(GRANT)) is None


@pytest.mark.parametrize("secret", [None, [], {}, {"access_token": "x"}, {"access_token": 1, "client": {}}])
def test_a_record_without_its_secrets_is_no_grant(secret: object) -> None:
    assert read_grant(plain_part(GRANT), secret) is None
