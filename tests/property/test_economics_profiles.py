"""Profiles grow with what they are given, and a summary is the sum of its profiles."""

from hypothesis import given, strategies as st

from toolbooth.economics import profile_response, static_profile, summarize

names = st.lists(st.text(max_size=40), max_size=30)
bounds = st.one_of(st.none(), st.integers(0, 10**9))


@given(names, st.integers(0, 10**6), st.integers(0, 10**6))
def test_a_larger_limit_or_cap_never_lowers_the_worst_case(fields: list[str], one: int, other: int) -> None:
    small, large = sorted((one, other))
    for first, second in (
        (static_profile("t", fields, small), static_profile("t", fields, large)),
        (static_profile("t", fields, None, small), static_profile("t", fields, None, large)),
    ):
        assert first.max_tokens <= second.max_tokens
        assert first.risk <= second.risk


@given(names, bounds, bounds)
def test_a_tool_is_bounded_exactly_when_something_bounds_it(
    fields: list[str], limit: int | None, cap: int | None
) -> None:
    profile = static_profile("t", fields, limit, cap)
    assert profile.bounded == (limit is not None or cap is not None)
    assert ("bound-collection" in [each.rule for each in profile.recommendations]) != profile.bounded
    assert profile.min_tokens == 20 + sum(field.tokens for field in profile.fields)


@given(st.lists(st.tuples(st.text(max_size=8), names, bounds, bounds), max_size=8))
def test_a_summary_adds_up(tools: list[tuple[str, list[str], int | None, int | None]]) -> None:
    profiles = [static_profile(*tool) for tool in tools]
    summary = summarize(profiles)
    assert summary.tool_count == len(profiles)
    assert summary.total_max_tokens == sum(profile.max_tokens for profile in profiles)
    assert summary.overall_risk == max((profile.risk for profile in profiles), default="low")
    assert len(summary.unbounded_tool_names) == sum(not profile.bounded for profile in profiles)


@given(st.lists(st.text(max_size=200), max_size=8), st.integers(0, 10))
def test_overhead_and_data_make_up_the_whole(texts: list[str], overhead: int) -> None:
    profile = profile_response("t", None, [{"type": "text", "text": text} for text in texts], overhead)
    assert profile.overhead_tokens + profile.data_tokens == profile.estimated_tokens
    assert (profile.overhead_ratio is None) == (profile.data_tokens == 0 and profile.overhead_tokens > 0)
    assert sum(block.overhead for block in profile.blocks) == min(overhead, len(texts))
