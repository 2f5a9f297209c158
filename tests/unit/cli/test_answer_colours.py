"""Green is kept for answers that something bounds."""

from toolbooth.catalog import Tool
from toolbooth.cli.doctor.tables import answers_text
from toolbooth.economics import answer_risk

ROWS = {"type": "array", "items": {"properties": {"id": {"type": "string"}}}}
LIMITED = {"type": "object", "properties": {"limit": {"type": "integer", "maximum": 5}}}


def test_only_a_bounded_tool_is_green() -> None:
    bounded = answers_text(answer_risk(Tool("s", "t", input_schema=LIMITED, output_schema=ROWS)))
    unbounded = answers_text(answer_risk(Tool("s", "t", output_schema=ROWS)))
    unknown = answers_text(answer_risk(Tool("s", "t")))
    assert [text.style for text in (bounded, unbounded, unknown)] == ["green", "yellow", "dim"]


def test_an_estimate_without_a_bound_says_what_it_assumes() -> None:
    many = {"type": "array", "items": {"properties": {f"field_{n}": {"type": "string"} for n in range(9)}}}
    assert (
        answers_text(answer_risk(Tool("s", "t", output_schema=ROWS))).plain == "≈700 at 100 rows, unbounded"
    )
    assert answers_text(answer_risk(Tool("s", "t", output_schema=many))).plain.startswith("high ≈")
    assert answers_text(answer_risk(Tool("s", "t"))).plain == "unknown, unbounded"
