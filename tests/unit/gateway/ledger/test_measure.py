"""What a row says of an answer: the text that a model reads, exactly, and nothing else."""

import json
from typing import Any

import orjson
import pytest
from tests.unit.gateway.ledger.rows import answered, text

from toolbooth.catalog import Tool
from toolbooth.catalog.connect import RawResult
from toolbooth.gateway.ledger import EndedCall
from toolbooth.gateway.ledger.ledger import Menu, QueuedCall, SizeOnly
from toolbooth.gateway.ledger.measure import blocks_of, measure
from toolbooth.limits import MAX_LEDGER_NAME
from toolbooth.store import Row
from toolbooth.tokens import count, weigh


def measured(call: EndedCall) -> Row:
    return measure(QueuedCall(1.0, call, 0))


def raw(value: Any) -> RawResult:
    return RawResult(orjson.dumps(value))


def test_texts_and_embedded_resources_are_counted_and_pictures_are_not() -> None:
    result = {
        "content": [
            {"type": "text", "text": "Zürich is sunny"},
            {"type": "image", "data": "A" * 5000, "mimeType": "image/png"},
            {"type": "resource", "resource": {"uri": "x://y", "text": "a note"}},
            {"type": "resource", "resource": {"uri": "x://z", "blob": "B" * 5000}},
            {"type": "resource_link", "uri": "x://w", "name": "w"},
        ],
        "structuredContent": {"sunny": True},
    }
    for payload in (result, raw(result)):
        row = measured(answered(payload))
        assert row.bytes_before == len("Zürich is sunny".encode()) + len("a note")
        assert row.tokens_before == count("Zürich is sunny") + count("a note")
        assert not row.estimated


@pytest.mark.parametrize(
    ("words", "risk", "advisory"),
    [(10, "low", None), (3000, "medium", None), (7000, "high", "density"), (9000, "critical", "overload")],
)
def test_the_risk_is_that_of_the_answer_as_the_server_sent_it(
    words: int, risk: str, advisory: str | None
) -> None:
    row = measured(answered(text("word " * words), "three words left"))
    assert (row.risk, row.advisory) == (risk, advisory)
    assert row.tokens_before > words
    assert row.tokens_after == 3


def test_a_call_without_an_answer_has_no_risk() -> None:
    row = measured(answered(None, "there is no such tool", outcome="unknown_tool"))
    assert (row.risk, row.tokens_before, row.bytes_after) == (None, 0, len("there is no such tool"))


def test_a_menu_weighs_what_its_tools_weigh() -> None:
    tools = [
        {"name": "read_file", "description": "Read a file.", "inputSchema": {"type": "object"}},
        {"name": "list", "inputSchema": {"type": "object", "properties": {"path": {"type": "string"}}}},
    ]
    sent = Menu([Tool.from_raw("files", tools[0]), tools[1]])
    row = measured(answered(None, sent, kind="menu"))
    assert (row.tokens_after, row.risk, row.estimated) == (weigh(tools).total_tokens, None, False)
    assert sent.weight.tokens == row.tokens_after  # weighed once, however many sessions list it


@pytest.mark.parametrize(
    "strange",
    [
        {"content": "no list"},
        {"content": [None, 3, "x", {"type": "text", "text": 5}, {"type": "resource", "resource": "no"}]},
        {},
    ],
)
def test_a_strange_answer_still_has_its_row(strange: Any) -> None:
    for payload in (strange, raw(strange)):
        assert measured(answered(payload)).outcome == "ok"


def test_an_answer_that_cannot_be_read_is_estimated_from_its_size() -> None:
    row = measured(answered(RawResult(b'{"content": 1e999999, ' + b" " * 700)))
    assert row.estimated
    assert row.tokens_before >= 200


def test_an_answer_of_which_only_the_size_was_kept_is_estimated() -> None:
    row = measured(answered(SizeOnly(35_000), SizeOnly(350)))
    assert row.estimated
    assert (row.tokens_before, row.tokens_after) == (10_000, 100)
    assert (row.risk, row.advisory) == ("critical", "overload")


def test_names_are_bounded_and_can_be_written() -> None:
    row = measured(answered(tool="x" * 9999, server="lone \ud800 half"))
    assert len(row.tool) == MAX_LEDGER_NAME
    assert row.server.encode() == b"lone ? half"
    assert len(row.session) == 12


ROWS = {"rows": [{"id": number} for number in range(50)]}


@pytest.mark.parametrize("raw", [True, False])
def test_a_structure_is_read_where_it_says_much_more_than_the_text(raw: bool) -> None:
    fat = {"content": [{"type": "text", "text": "50 rows"}], "structuredContent": ROWS}
    alone = {"content": [], "structuredContent": ROWS}
    repeated = {"content": [{"type": "text", "text": json.dumps(ROWS)}], "structuredContent": ROWS}
    counts = [
        len(blocks_of(RawResult(json.dumps(each).encode()) if raw else each))
        for each in (fat, alone, repeated)
    ]
    assert counts == [2, 1, 1]
