"""The input schemas of recorded tools are checked in full, in bounded work, as the reference library does."""

import random
from collections import Counter

import jsonschema  # type: ignore[import-untyped]
import pytest
from tests.catalogs import recorded_tools
from tests.unit.economics.random_schemas import near

from toolbooth.catalog import Tool
from toolbooth.gateway.arguments import check_arguments, judged
from toolbooth.gateway.arguments.check import build
from toolbooth.limits import MAX_JUDGING, MAX_VISITS

CALLS = 20


@pytest.fixture(scope="module")
def tools() -> list[Tool]:
    return recorded_tools()


def test_nearly_all_are_checked_in_full_and_none_not_at_all(tools: list[Tool]) -> None:
    verdicts = Counter(judged(tool) for tool in tools)
    assert verdicts["not"] == 0
    assert verdicts["partly"] <= 0.002 * len(tools)


def test_judging_takes_a_tenth_of_the_steps_that_it_may_take(tools: list[Tool]) -> None:
    loads = [build(tool.input_schema or {}).load for tool in tools]
    assert max(load.steps for load in loads) <= MAX_JUDGING / 10
    assert max(load.visits for load in loads) <= MAX_VISITS / 10


def test_verdicts_are_those_of_the_reference_library_and_every_refusal_says_what_is_wrong(
    tools: list[Tool],
) -> None:
    source = random.Random(1)
    verdicts: Counter[bool] = Counter()
    for tool in tools:
        schema = tool.input_schema or {}
        kind = jsonschema.validators.validator_for(schema, default=jsonschema.Draft202012Validator)
        for _ in range(CALLS if judged(tool) == "full" else 0):
            call = near(source, schema, schema)
            if isinstance(call, dict):
                problems = check_arguments(tool, call)
                assert (not problems) == kind(schema).is_valid(call), (tool.id, call)
                assert not any("do not fit" in problem.message for problem in problems)
                verdicts[not problems] += 1
    assert min(verdicts.values()) > 1_000
