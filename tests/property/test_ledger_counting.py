"""Any text: counted in pieces it has as many tokens as at once, or it is said that it may not."""

from hypothesis import given, settings, strategies as st

from toolbooth.gateway.ledger.piece_counter import PieceCounter
from toolbooth.tokens import count

BLANKS = (" ", "  ", "\n", "\r\n", "\t", "\u00a0", "\u2028", "\u0085", "\x1c")
WORDS = ("word", "12", "3456", "'s", "'LL", "e\u0301", "👩\u200d👧")
PARTS = st.sampled_from([*BLANKS, *WORDS, *'{"_。、é½Ⅷ²漢ßİſ٣🚀-/'])
TEXTS = st.lists(PARTS | st.text(max_size=4), max_size=120).map("".join)


@given(TEXTS, st.integers(8, 60))
@settings(max_examples=300, deadline=None)
def test_pieces_have_as_many_tokens_as_the_whole(text: str, piece: int) -> None:
    counter = PieceCounter(piece)
    assert counter(text) == count(text) or not counter.exact
