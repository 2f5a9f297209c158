"""The shadow of a text, in which words are looked for."""

from hypothesis import given
from hypothesis import strategies as st

from toolbooth.gateway.results.shadow import shadow


def test_case_and_accents_are_gone() -> None:
    assert shadow("Grüße, ÉCOLE, Ｆull") == "gruße, ecole, full"
    assert shadow("PLAIN") == "plain"


def test_many_different_letters_are_folded_as_few_are() -> None:
    letters = "".join(map(chr, range(0xC0, 0x180)))
    assert shadow(letters) == "".join(map(shadow, letters))


@given(st.text() | st.text("İßﬁéǅ \ud800"))
def test_every_place_of_the_shadow_is_the_same_place_of_the_text(text: str) -> None:
    assert len(shadow(text)) == len(text)
