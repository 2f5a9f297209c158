"""The structure of an answer that is cut, as clients accept it."""

from typing import Any

import orjson
import pytest

from toolbooth import limits
from toolbooth.catalog import Tool
from toolbooth.catalog.config import Reduction
from toolbooth.catalog.connect import RawResult
from toolbooth.gateway.offload import close_workers, in_worker
from toolbooth.gateway.reduce import ReduceOptions, fit
from toolbooth.gateway.reduce.answer import fit_apart
from toolbooth.gateway.reduce.output_shape import OutputShape, listed_schema, shape_of

ROW = {
    "type": "object",
    "properties": {"id": {"type": "integer"}, "text": {"type": "string"}},
    "required": ["id", "text"],
}
CLOSED: dict[str, Any] = {
    "type": "object",
    "properties": {"rows": {"type": "array", "items": ROW}},
    "required": ["rows"],
    "additionalProperties": False,
}
ROWS = {"rows": [{"id": n, "text": "some words of a row"} for n in range(200)]}


def tool(**raw: Any) -> Tool:
    return Tool.from_raw("s", {"name": "t", "inputSchema": {"type": "object"}, **raw})


def structure(value: Any, shape: OutputShape | None) -> Any:
    result = {"content": [{"type": "text", "text": "see the structure"}], "structuredContent": value}
    return fit(result, ReduceOptions(Reduction(), shape=shape), lambda _: "r" * 22).result[
        "structuredContent"
    ]


def test_what_is_left_out_is_named_at_the_top_where_the_schema_has_room() -> None:
    shown = structure(ROWS, OutputShape(listed_schema(CLOSED)))
    assert shown["rows"] == ROWS["rows"][:3]
    assert shown["not_shown"].startswith("[197 of 200 items not shown: read_result(ref='rrr")
    assert structure(ROWS, OutputShape(CLOSED)) == ROWS, "a root without room"


def test_without_a_schema_it_is_cut_as_behind_call_tool() -> None:
    assert structure(ROWS, None)["rows"][3]["not_shown"]


@pytest.mark.parametrize("schema", [{}, {"type": "object"}, {**CLOSED, "additionalProperties": True}])
def test_a_schema_with_room_is_listed_as_it_is(schema: dict[str, Any]) -> None:
    assert listed_schema(schema) is schema


@pytest.mark.parametrize("closing", ["additionalProperties", "unevaluatedProperties"])
@pytest.mark.parametrize("rest", [False, {"type": "number"}])
def test_a_closed_root_gets_room_for_one_text(closing: str, rest: object) -> None:
    listed = listed_schema({"type": "object", closing: rest})
    assert listed == {"type": "object", closing: rest, "properties": {"not_shown": {"type": "string"}}}
    assert listed_schema(listed) is listed


def test_the_structure_of_an_app_is_for_its_page() -> None:
    shape = shape_of(tool(_meta={"ui": {"resourceUri": "ui://page"}}))
    assert shape is not None
    assert structure(ROWS, shape) == ROWS
    assert shape_of(tool()) is None


def test_a_schema_is_compiled_once_for_a_tool() -> None:
    one = tool(outputSchema=CLOSED)
    assert shape_of(one) is shape_of(one)


def test_a_schema_that_cannot_be_checked_leaves_the_structure_whole() -> None:
    assert structure(ROWS, OutputShape({"type": "object", "$ref": "https://example.com/schema"})) == ROWS


def test_it_goes_to_a_worker_process_after_it_was_used_here() -> None:
    shape = OutputShape(listed_schema(CLOSED))
    assert shape.accepts({"rows": []})
    many = {"rows": ROWS["rows"] * (limits.PROCESS_ASIDE // 5_000)}
    raw = RawResult(orjson.dumps({"content": [], "structuredContent": many}))
    try:
        found = in_worker(fit_apart, raw, ReduceOptions(Reduction(), shape=shape))
    finally:
        close_workers()
    assert found.fitted.result["structuredContent"]["rows"] == ROWS["rows"][:3]
    assert len(found.kept) == 1
