"""What a model reads of an answer."""

import json

import pytest

from toolbooth.catalog.connect import RawResult
from toolbooth.gateway.ledger.visible_text import blocks_of

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
