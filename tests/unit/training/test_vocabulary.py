"""Which pieces, whole words and phrases get a row."""

from itertools import pairwise

import pytest
from training.vocabulary import Vocabulary, make_vocabulary, words_of

from toolbooth.search.vocabulary import WordPieces

LETTERS = "abcdefghijklmnopqrstuvwxyz"
# As a teacher has them: its own marks, pieces of other scripts, the letters, then words by their frequency.
TEACHER = ["[PAD]", "[CLS]", "搜", "é", "!", *LETTERS, *(f"##{letter}" for letter in LETTERS)]
TEACHER += ["list", "send", "pull", "request", "zebra", "yacht", "##ing", "2024"]
FRUIT = "apple banana cherry damson elder figs grape hazel iris juniper kiwi lemon mango"
FILLER = FRUIT.split()


def groups() -> list[list[str]]:
    """Eight servers: all say `pull request`, three `grafana`, one `frobnicate` and `purple monkey` many times."""
    found = [[f"send a pull request {FILLER[at]} {FILLER[at + 1]}", *FILLER] for at in range(8)]
    for group in found[:3]:
        group += ["list grafana", "grafana list"]
    found[7] += ["frobnicate the purple monkey"] * 50
    return found


def texts() -> list[str]:
    return [text for group in groups() for text in group]


@pytest.fixture
def made() -> Vocabulary:
    return make_vocabulary(texts(), groups(), TEACHER, 500, 20)


def test_a_word_of_three_servers_gets_a_row(made: Vocabulary) -> None:
    assert "grafana" in made.pieces.rows
    assert made.pieces.of_word("grafana") == [made.pieces.rows["grafana"]]


def test_a_word_of_a_single_server_gets_none_however_often_it_says_it(made: Vocabulary) -> None:
    assert not {"frobnicate", "purple", "monkey"} & set(made.pieces.rows)
    assert len(made.pieces.of_word("frobnicate")) == len("frobnicate")


def test_two_servers_are_too_few() -> None:
    two = [["grafana board"], ["grafana board"]]
    assert "grafana" not in make_vocabulary(["grafana"], two, TEACHER, 500, 20).pieces.rows
    assert "grafana" in make_vocabulary(["grafana"], [*two, ["grafana"]], TEACHER, 500, 20).pieces.rows


def test_words_that_are_bound_get_a_row_as_a_phrase(made: Vocabulary) -> None:
    assert [piece for piece in made.pieces.rows if " " in piece] == ["pull request"]
    rows = made.pieces.rows
    assert made.pieces.of_text(["pull", "request"]) == [rows["pull"], rows["request"], rows["pull request"]]


def test_words_that_only_stand_together_by_chance_are_no_phrase() -> None:
    chance = [[f"{one} {other}" for one in FILLER[:4] for other in FILLER[:4]] for _ in range(8)]
    found = make_vocabulary(chance[0], chance, TEACHER, 500, 20).pieces.rows
    assert not [piece for piece in found if " " in piece]


def test_a_phrase_has_no_stop_word_and_no_digit() -> None:
    said = [[f"of the v2 api {word} {other}" for word, other in pairwise(FILLER)]] * 8
    flat = [text for group in said for text in group]
    phrases = {piece for piece in make_vocabulary(flat, said, TEACHER, 500, 99).pieces.rows if " " in piece}
    assert phrases
    assert not {word for phrase in phrases for word in phrase.split()} & {"of", "the", "v2"}


def test_no_more_phrases_than_wanted_and_the_best_bound_first() -> None:
    assert not [
        piece for piece in make_vocabulary(texts(), groups(), TEACHER, 500, 0).pieces.rows if " " in piece
    ]
    more = [[*group, "night train"] if at < 7 else group for at, group in enumerate(groups())]
    said = [text for group in more for text in group]
    for many, expected in ((1, ["pull request"]), (2, ["pull request", "night train"])):
        rows = make_vocabulary(said, more, TEACHER, 500, many).pieces.rows
        assert [piece for piece in rows if " " in piece] == expected


def test_pieces_of_other_scripts_and_marks_of_the_teacher_have_no_row(made: Vocabulary) -> None:
    assert not {"[PAD]", "[CLS]", "搜", "é", "!"} & set(made.pieces.rows)


def test_the_teachers_own_words_fill_up_and_its_unused_ends_do_not(made: Vocabulary) -> None:
    assert {"zebra", "yacht"} <= set(made.pieces.rows)
    assert not {"##ing", "2024"} & set(made.pieces.rows)


def test_rows_are_numbered_without_a_gap_and_keep_the_order_of_the_teacher(made: Vocabulary) -> None:
    assert list(made.pieces.rows.values()) == list(range(len(made.pieces.rows)))
    own = [piece for piece in made.pieces.rows if piece in TEACHER]
    assert own == [piece for piece in TEACHER if piece in own]


@pytest.mark.parametrize("size", [52, 60, 72, 73, 500])
def test_the_size_is_kept(size: int) -> None:
    found = make_vocabulary(texts(), groups(), TEACHER, size, 20)
    assert len(found.pieces.rows) == min(size, 73)
    assert len(found.counts) == len(found.pieces.rows)
    assert all(f"##{letter}" in found.pieces.rows and letter in found.pieces.rows for letter in LETTERS)


def test_where_room_is_short_the_commonest_words_stay() -> None:
    often = ["send zebra"] * 9 + ["list yacht"] * 2
    found = make_vocabulary(often, [], TEACHER, 2 * len(LETTERS) + 2, 0).pieces.rows
    assert set(found) - {*LETTERS, *(f"##{letter}" for letter in LETTERS)} == {"send", "zebra"}


def test_a_count_is_how_often_the_texts_hold_a_piece(made: Vocabulary) -> None:
    counts = dict(zip(made.pieces.rows, made.counts, strict=True))
    assert counts["grafana"] == 6
    assert counts["pull request"] == counts["send"] == 8
    assert counts["zebra"] == 0


def test_rare_words_are_whole_and_seldom(made: Vocabulary) -> None:
    rare = made.rare()
    assert {"zebra", "grafana", "send"} <= set(rare)
    assert not {"pull request", "a", "##a"} & set(rare)
    often = make_vocabulary(["send it"] * 20, [], TEACHER, 500, 0)
    assert "send" not in often.rare()
    assert "zebra" in often.rare()


def test_words_are_read_as_the_table_reads_them() -> None:
    pieces = WordPieces({"github": 0, "issue": 1})
    assert words_of("createGitHub_issue GitHub", pieces) == ["create", "git", "hub", "issue", "github"]
    assert words_of("", pieces) == []
