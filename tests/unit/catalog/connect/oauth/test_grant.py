"""A grant knows when it ends, keeps its secrets out of sight, and survives its record."""

import json
import time
from dataclasses import replace
from typing import Any

import pytest
from mcp.shared.auth import OAuthToken
from msgspec import UnsetType

from toolbooth.catalog.connect.oauth.grant import (
    RECORD,
    Grant,
    grant_of,
    record_of,
    secrets_of,
)
from toolbooth.errors import ConfigError
from toolbooth.own_json import encode

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
    plain = json.loads(encode(record_of(GRANT)))
    assert not {"access_token", "refresh_token", "client", "secret"} & set(plain)
    assert plain["renews"] is True
    assert "CANARY" not in repr(replace(record_of(GRANT), secret=secrets_of(GRANT)))


def stored() -> dict[str, Any]:
    whole: dict[str, Any] = json.loads(encode(replace(record_of(GRANT), secret=secrets_of(GRANT))))
    return whole


def test_a_record_gives_the_same_grant_back() -> None:
    record = RECORD.read(json.dumps(stored()).encode())
    assert not isinstance(record.secret, UnsetType)
    assert grant_of(record, record.secret) == GRANT


@pytest.mark.parametrize(
    "damage",
    [
        {"version": 2},
        {"format": "else"},
        {"token_endpoint": 7},
        {"obtained_at": "soon"},
        {"url": None},
        {"expires_at": []},
        {"home": "CANARY"},
        {"secret": None},
        {"secret": []},
        {"secret": {}},
        {"secret": {"access_token": "x"}},
        {"secret": {"access_token": 1, "client": {}}},
    ],
)
def test_a_strange_record_is_no_grant_and_is_not_quoted(damage: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="remove it and sign in again") as refused:
        RECORD.read(json.dumps({**stored(), **damage}).encode())
    assert "CANARY" not in str(refused.value)
