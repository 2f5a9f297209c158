"""Expressions that a model wrote: what JMESPath says of them, and that none costs much."""

import json
from typing import Any

import jmespath  # type: ignore[import-untyped]
import pytest

from toolbooth.gateway.results.bounded_jmespath import PathTooCostly, bounded_text, evaluate, parse

DOCUMENT: dict[str, Any] = {
    "orders": [
        {
            "id": number,
            "name": f"order {number}",
            "tags": ["a", None, f"t{number % 3}"],
            "paid": number % 2 == 0,
        }
        for number in range(20)
    ],
    "one": 1,
    "true": True,
    "nested": [[1, [2]], [[3]], 4, None],
    "text": "some words",
}
LENGTH = len(json.dumps(DOCUMENT))
DOUBLED = " | ".join(["[@,@]"] * 60)


def value_of(expression: str, document: Any = DOCUMENT) -> Any:
    return evaluate(parse(expression), document, LENGTH).value


@pytest.mark.parametrize(
    "expression",
    [
        "orders[3]",
        "orders[-1].name",
        "orders[].tags[]",
        "orders[*].tags[*]",
        "orders[5:9].id",
        "orders[::-2].id",
        "orders[?id > `5` && paid].name",
        "orders[?contains(tags, 't1')].id",
        "orders[?tags == ['a', null, 't1']].id",
        "nested[]",
        "nested[*]",
        "nested[][]",
        "*.id",
        "orders[0].*",
        "{all: length(orders), first: orders[0].id}",
        "orders[].[id, name]",
        "sort_by(orders, &name)[].id",
        "max_by(orders, &id).name",
        "map(&id, orders)",
        "join(', ', orders[].name)",
        "to_string(orders[0])",
        "contains(text, 'words')",
        "contains(text, `5`)",
        "reverse(orders)[0].id",
        "orders[?!paid] | [0]",
        "one == true",
        "true != `1`",
        "nested == nested",
        "orders[0] == orders[1]",
        "missing || text",
        "merge(orders[0], {id: `7`})",
        "text[0]",
        "one[]",
        "`[1, 2]`",
    ],
)
def test_what_is_in_bounds_is_what_the_library_says(expression: str) -> None:
    if expression == "contains(text, `5`)":  # the library fails; a number is in no text
        assert value_of(expression) is False
    else:
        assert value_of(expression) == jmespath.search(expression, DOCUMENT)


@pytest.mark.parametrize(
    "expression",
    [
        " | ".join(["[@,@][]"] * 60),
        "map(&[@,@,@,@], [@,@,@,@][]) | " * 8 + "@",
        f"{DOUBLED} | to_string(@)",
        f"{{a: {DOUBLED}, b: {DOUBLED}}} | a == b",
        f"{{a: {DOUBLED}, b: [{DOUBLED}]}} | contains(b, a)",
        f"[{','.join(['@'] * 300)}] | [@,@,@,@][] | [@,@,@,@][] | join('', [].text)",
    ],
)
@pytest.mark.promise("result:path-bounded")
def test_what_grows_without_end_is_refused(expression: str) -> None:
    with pytest.raises(PathTooCostly):
        value_of(expression)


@pytest.mark.promise("result:path-bounded")
def test_what_is_small_in_memory_and_endless_on_paper_is_refused() -> None:
    found = evaluate(parse(DOUBLED), DOCUMENT, LENGTH)
    with pytest.raises(PathTooCostly):
        bounded_text(found)


@pytest.mark.promise("result:path-bounded")
@pytest.mark.parametrize(
    "use", ["join('', @)", "sort(@)", "max(@)", "sort_by(@, &@)", "[?@ == 'x']", "[0] < [1]"]
)
def test_one_long_text_many_times_is_refused_before_it_is_looked_at(use: str) -> None:
    long = ["x" * 4_000_000, "x" * 4_000_000]
    many = f"[{','.join(['@'] * 40)}][] | [{','.join(['@'] * 40)}][] | {use}"
    with pytest.raises(PathTooCostly):
        value_of(many, long)


def test_a_larger_document_may_take_more_steps() -> None:
    orders = [{"id": number} for number in range(40_000)]
    with pytest.raises(PathTooCostly):
        evaluate(parse("[?id == `5`]"), orders, 100)
    assert evaluate(parse("[?id == `5`]"), orders, 1_000_000).value == [{"id": 5}]


@pytest.mark.parametrize("expression", ["!" * 900 + "a", "(" * 990, "[" * 990, "[::0]", "a..b", "", "&"])
def test_what_is_no_expression_is_one_of_two_errors(expression: str) -> None:
    with pytest.raises((ValueError, RecursionError)):
        value_of(expression, [1])
