"""Risk tiers, bounds and sentences beyond the vectors."""

from typing import Any

import pytest

from toolbooth.economics import Risk, Thresholds, profile_response, static_profile, summarize
from toolbooth.errors import InvalidBound, UserMistake


def test_risks_are_ordered_by_how_bad_they_are_and_not_by_their_letters() -> None:
    assert sorted(set(Risk)) == [Risk.LOW, Risk.MEDIUM, Risk.HIGH, Risk.CRITICAL]
    assert Risk.CRITICAL > Risk.LOW
    assert Risk.LOW >= "low"
    assert Risk.MEDIUM <= "high"


@pytest.mark.parametrize("thresholds", [(1, 1, 2), (5, 4, 6), (-1, 2, 3), (1, 3, 2)])
def test_thresholds_that_do_not_rise_are_refused(thresholds: tuple[int, int, int]) -> None:
    with pytest.raises(InvalidBound, match="rising") as caught:
        Thresholds(*thresholds)
    assert isinstance(caught.value, UserMistake)
    assert isinstance(caught.value, ValueError)


def test_stricter_thresholds_raise_the_risk() -> None:
    assert static_profile("t", ["id"], 10, thresholds=Thresholds(10, 20, 30)).risk is Risk.CRITICAL


@pytest.mark.parametrize(("name", "limit", "cap"), [("agent_limit", -1, None), ("egress_max_bytes", 1, -1)])
def test_a_negative_bound_is_refused_by_name(name: str, limit: int, cap: int | None) -> None:
    with pytest.raises(InvalidBound, match=name):
        static_profile("t", [], limit, cap)


@pytest.mark.parametrize("bound", [1.5, 2.0, True, "3", float("nan")])
def test_a_bound_that_is_no_whole_number_is_refused_by_name(bound: Any) -> None:
    with pytest.raises(InvalidBound, match="agent_limit"):
        static_profile("t", ["a"], bound)
    with pytest.raises(InvalidBound, match="egress_max_bytes"):
        static_profile("t", ["a"], None, bound)
    with pytest.raises(InvalidBound, match="overhead_blocks"):
        profile_response("t", None, [], bound)


def test_one_text_is_not_read_as_a_field_for_each_letter() -> None:
    with pytest.raises(InvalidBound, match="list of names"):
        static_profile("t", "abc")


def test_negative_overhead_blocks_are_refused() -> None:
    with pytest.raises(InvalidBound, match="overhead_blocks"):
        profile_response("t", None, [], -1)


def test_each_recommendation_is_one_sentence_with_the_line_to_write() -> None:
    profile = static_profile("files.{list}", [f"items{n}" for n in range(20)])
    assert [each.rule for each in profile.recommendations] == [
        "bound-collection",
        "cap-payload",
        "collection-without-limit",
        "too-many-fields",
    ]
    assert 'tools: {"files.{list}": {limit: 50}}' in profile.recommendations[0].message
    assert all(each.message.endswith(".") for each in profile.recommendations)


def test_a_summary_puts_the_tool_before_its_recommendation() -> None:
    summary = summarize([static_profile("big", ["rows"] * 20)])
    assert summary.recommendations[0].startswith("[big] ")
    assert summary.unbounded_tool_names == ("big",)


def test_a_tokenizer_replaces_the_estimate() -> None:
    profile = profile_response(
        "t", None, [{"type": "text", "text": "one two"}], count=lambda text: len(text.split())
    )
    assert profile.estimated_tokens == 2


def test_pictures_cost_no_text_and_embedded_resources_do() -> None:
    blocks: list[dict[str, Any]] = [
        {"type": "image", "data": "A" * 7000},
        {"type": "resource", "resource": {"uri": "file:///a", "text": "x" * 35}},
    ]
    profile = profile_response("t", "a", blocks)
    assert [block.tokens for block in profile.blocks] == [0, 10]
    assert len(profile.blocks) == 2


def test_an_advisory_is_its_id_and_knows_its_sentence() -> None:
    advisory = profile_response("t", None, [{"type": "text", "text": "x" * 30_000}]).advisory
    assert advisory == "overload"
    assert advisory is not None
    assert advisory.rule == "overload"
    assert advisory.message.endswith(".")
