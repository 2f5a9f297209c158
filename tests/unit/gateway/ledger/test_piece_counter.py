"""Counting in pieces gives what counting at once gives."""

import json
import random

import pytest

from toolbooth.gateway.ledger.piece_counter import PieceCounter
from toolbooth.tokens import count

ROWS = [{"id": number, "name": f"row {number}", "tags": ["a1", "b 22"]} for number in range(300)]
TEXTS = {
    "json": json.dumps(ROWS),
    "minified": json.dumps(ROWS, separators=(",", ":")),
    "lines": "\n".join(f"  {number}: a line, and\t some more\r\n\n" for number in range(400)),
    "prose": "One day, the 3rd of May 2026, nobody's dog wasn't there.\n" * 200,
    "other scripts": "今日は2026年です。\nÉté ½ Ⅷ1 x²3\n" * 300,
}


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("piece", [64, 100, 1000])
def test_pieces_are_cut_only_where_no_token_reaches(name: str, piece: int) -> None:
    counter = PieceCounter(piece)
    assert counter(TEXTS[name]) == count(TEXTS[name])
    assert counter.exact


def test_random_texts_are_counted_exactly() -> None:
    rng = random.Random(7)
    signs = "ab Z09.,\"'{}\n\n\t  é漢½-_/\\"
    for _ in range(300):
        text = "".join(rng.choice(signs) for _ in range(400))
        counter = PieceCounter(40)
        counted = counter(text)
        assert counted == count(text) or not counter.exact, repr(text)


def test_a_text_without_a_seam_is_cut_all_the_same_and_that_is_said() -> None:
    counter = PieceCounter(100)
    text = "ab" * 1000
    assert abs(counter(text) - count(text)) <= 10
    assert not counter.exact
