"""How a call is checked depends on its size, so that no call takes long."""

from toolbooth.gateway.arguments.checker import build
from toolbooth.limits import MAX_CHECK_FRAMES, MAX_CHECK_WORK

PATTERN = {"properties": {"x": {"type": "string", "pattern": "^a"}, "y": {"type": "string"}}}


def test_a_long_text_meets_no_pattern_but_all_the_rest() -> None:
    checker = build(PATTERN)
    assert checker.for_call({"x": "b"}) is checker
    plain = checker.for_call({"y": "b" * MAX_CHECK_WORK})
    assert plain is checker.without_patterns
    assert plain is not None
    assert plain.validator is not None
    assert plain.validator.is_valid({"x": "b"})
    assert not plain.validator.is_valid({"x": 5})


def test_more_work_than_a_call_is_worth_is_left_to_the_backend() -> None:
    checker = build({"properties": {"x": {"items": {"allOf": [{"type": "string"}] * 99}}}})
    assert checker.load.visits == 100
    assert checker.for_call({"x": ["a"]}) is checker
    assert checker.for_call({"x": ["a"] * (MAX_CHECK_WORK // 100)}) is None


def test_a_call_is_checked_only_as_deep_as_the_engine_may_recurse() -> None:
    checker = build({"properties": {"c": {"$ref": "#"}}, "allOf": [{"type": "object"}] * 99})
    call: dict[str, object] = {}
    for _ in range(MAX_CHECK_FRAMES // checker.load.visits - 1):
        call = {"c": call}
    assert checker.for_call(call) is checker
    assert checker.for_call({"c": call}) is None
