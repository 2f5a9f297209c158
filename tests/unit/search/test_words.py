"""The word lists that ship with the search."""

import tomllib
from importlib.resources import files

from toolbooth.search.analysis import WORDS, stem, stop_words
from toolbooth.search.synonyms import synonyms


def test_synonyms_work_both_ways_and_no_word_is_its_own() -> None:
    for word, others in synonyms().items():
        assert word not in others
        assert all(word in synonyms()[other] for other in others)


def test_the_mixed_up_words_of_tool_users_are_there() -> None:
    for one, other in (("create", "add"), ("delete", "remove"), ("ticket", "issue"), ("file", "document")):
        assert stem(other) in synonyms()[stem(one)]


def test_no_row_has_a_stop_word_or_only_one_word() -> None:
    rows = tomllib.loads((WORDS / "synonyms.toml").read_text("utf-8"))
    for row in [*rows["verbs"], *rows["nouns"]]:
        assert len(row.split()) > 1
        assert not set(row.split()) & stop_words(), row


def test_the_table_and_the_word_lists_lie_in_the_package() -> None:
    folder = files("toolbooth.search")
    for name in (
        "model/model.safetensors",
        "model/tokenizer.json",
        "words/synonyms.toml",
        "words/stop_words.txt",
    ):
        assert (folder / name).is_file(), name
