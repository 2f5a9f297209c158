"""The vectors of the specification come out exactly."""

import json
from pathlib import Path
from typing import Any

import pytest

from toolbooth.economics import profile_response, static_profile, summarize

VECTORS = json.loads((Path(__file__).parents[2] / "data" / "economics.json").read_text(encoding="utf-8"))


def _profile(case: dict[str, Any]) -> Any:
    return static_profile(case["tool"], case["fields"], case["agent_limit"], case["egress_max_bytes"])


@pytest.mark.parametrize("case", VECTORS["static"], ids=lambda case: case["tool"])
def test_static_profile(case: dict[str, Any]) -> None:
    profile = _profile(case)
    expect = case["expect"]
    for name in ("tool_name", "min_tokens", "max_tokens", "bounded", "risk"):
        assert getattr(profile, name) == expect[name]
    assert [(f.name, f.tokens, f.collection) for f in profile.fields] == [
        (f["name"], f["tokens"], f["collection"]) for f in expect["fields"]
    ]
    assert [each.rule for each in profile.recommendations] == expect["recommendations"]


@pytest.mark.parametrize("case", VECTORS["response"], ids=lambda case: str(case["block_lengths"]))
def test_response_profile(case: dict[str, Any]) -> None:
    blocks = [{"type": "text", "text": "x" * length} for length in case["block_lengths"]]
    profile = profile_response("tool", "action", blocks, case["overhead_blocks"])
    for name, value in case["expect"].items():
        assert getattr(profile, name) == value


@pytest.mark.parametrize("case", VECTORS["aggregate"], ids=lambda case: str(len(case["profiles"])))
def test_summary(case: dict[str, Any]) -> None:
    summary = summarize(_profile(profile) for profile in case["profiles"])
    expect = dict(case["expect"])
    assert [f"[{each.tool}] {each.rule}" for each in summary.recommendations] == expect.pop("recommendations")
    assert all(each.startswith(f"[{each.tool}] ") for each in summary.recommendations)
    for name, value in expect.items():
        found = getattr(summary, name)
        assert (list(found) if isinstance(found, tuple) else found) == value
