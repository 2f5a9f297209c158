"""Principals, and the answer of the authorizer that everyone has without config."""

from toolbooth.access import LOCAL_USER, OPEN, Principal
from toolbooth.catalog import Tool


def test_a_principal_is_shown_by_its_name_or_else_by_its_id() -> None:
    assert Principal("key:1f", "ci").label == "ci"
    assert LOCAL_USER.label == "local"


def test_without_config_everyone_may_use_every_tool() -> None:
    assert OPEN.may(Principal("key:1f"), Tool("files", "read", "", {}, None, None, {}))
