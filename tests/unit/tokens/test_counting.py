"""Counting is exact, offline and cached."""

import pytest

from toolbooth.errors import UnknownEncoding
from toolbooth.tokens import check_encoding, count, encodings


def test_special_token_text_counts_as_ordinary_text() -> None:
    assert count("<|endoftext|>") == 7


def test_empty_text_costs_nothing() -> None:
    assert count("") == 0


def test_the_same_text_in_two_encodings_is_counted_apart() -> None:
    text = "Der schnelle braune Fuchs springt über den faulen Hund"
    assert count(text, "cl100k_base") != count(text, "o200k_base")
    assert count(text, "cl100k_base") == count(text, "cl100k_base")


@pytest.mark.parametrize("encoding", ["o200k_base", "llama3", "deepseek_v3", "qwen3", "mistral_v3", "gemma3"])
def test_other_vocabularies_of_the_tokenizer_count_too(encoding: str) -> None:
    assert 2 <= count("hello world", encoding) <= 4


def test_every_name_that_is_offered_can_be_used() -> None:
    assert "cl100k_base" in encodings()
    assert len(encodings()) > 20
    assert all(check_encoding(name) == name for name in ("qwen", "phi4", "kimi"))


def test_an_unknown_encoding_is_refused_with_near_names() -> None:
    with pytest.raises(UnknownEncoding, match="cl100k_base"):
        count("x", "cl100k")


def test_a_lone_surrogate_counts_as_the_replacement_character() -> None:
    assert count("\ud800") == count("\ufffd")
