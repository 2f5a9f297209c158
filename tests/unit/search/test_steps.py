"""A request → its steps."""

import pytest

from toolbooth.search import SearchEngine
from toolbooth.search.steps import steps_of

FIND, MAIL, DELETE = (
    "Find the latest invoices of Acme",
    "mail the summary to Anna",
    "delete the temporary folder",
)


@pytest.mark.parametrize("end", [".", "!", "?", ";"])
def test_a_task_is_cut_where_a_sentence_ends(end: str) -> None:
    assert steps_of(f"{FIND}{end} {MAIL}{end}") == [f"{FIND}{end}", f"{MAIL}{end}"]


def test_a_task_is_cut_where_a_line_ends() -> None:
    assert steps_of(f"{FIND}\n\n{MAIL}\n{DELETE}") == [FIND, MAIL, DELETE]


@pytest.mark.parametrize(
    "between",
    [
        " then ",
        ", then ",
        " and then ",
        ", and then, ",
        " finally ",
        ", afterwards ",
        " additionally, ",
        " and also ",
        ", next, ",
        " and lastly ",
        " after that ",
        ", and after  that, ",
        " THEN ",
    ],
)
def test_a_step_word_parts_two_steps_and_goes(between: str) -> None:
    assert steps_of(f"{FIND}{between}{MAIL}") == [FIND, MAIL]


def test_steps_keep_their_order() -> None:
    assert steps_of(f"{FIND} and then {MAIL}, finally {DELETE}") == [FIND, MAIL, DELETE]


@pytest.mark.parametrize("word", ["strengthen", "thence", "nextcloud", "alsop", "lengthen"])
def test_a_word_that_only_holds_a_step_word_is_no_step_word(word: str) -> None:
    assert steps_of(f"{FIND} {word} {MAIL}") == []


@pytest.mark.parametrize(
    "held",
    [
        '"Read this carefully. Then sign the second page"',
        "'Read this carefully. Then sign the second page'",
        "`Read this carefully; then sign the second page`",
        '"first line\nsecond line of the quoted note\nthird line"',
        "quarterly.report.final.pdf",
        "src/then.also/next.py",
        "next.config.js",
        "https://example.com/a.html?then=next.also",
        "3.14.15",
    ],
)
def test_quoted_text_file_names_and_numbers_are_never_cut(held: str) -> None:
    assert steps_of(f"Save the text {held} in the shared document") == []
    found = steps_of(f"Save the text {held} in the shared document. Then {MAIL}")
    assert len(found) == 2
    assert held in found[0]


def test_a_file_name_at_the_end_of_a_sentence_ends_it() -> None:
    assert steps_of("Read the settings file app.toml. Restart the web server") == [
        "Read the settings file app.toml.",
        "Restart the web server",
    ]


def test_an_apostrophe_begins_no_quotation() -> None:
    first, second = "Open the manager's budget sheet.", "Print the teams' holiday plan."
    assert steps_of(f"{first} {second}") == [first, second]


@pytest.mark.parametrize("before", ["(", "title="])
def test_quoted_text_is_not_cut_where_something_stands_before_it(before: str) -> None:
    assert steps_of(f'Save {before}"notes.txt is old. Then replace it completely" in the document') == []


@pytest.mark.parametrize(
    "text",
    [
        "Please do it. Find the latest invoices of Acme",
        "Find the latest invoices of Acme. Thank you!",
        "Hello! Thanks. Please. Find the latest invoices of Acme",
    ],
)
def test_a_part_that_says_too_little_is_no_step(text: str) -> None:
    assert steps_of(text) == []


def test_a_part_that_says_too_little_goes_with_its_neighbour() -> None:
    assert steps_of(f"Hello! {FIND}. Thanks. {MAIL}.") == [f"Hello! {FIND}. Thanks.", f"{MAIL}."]


@pytest.mark.parametrize(
    "text", ["", " \n ", ".", "then", "then then then", FIND, f"Then {FIND}", f"{FIND}."]
)
def test_one_step_or_none_is_no_task(text: str) -> None:
    assert steps_of(text) == []


def test_eight_steps_are_a_task_and_nine_a_document() -> None:
    each = [f"Send newsletter number {at} to customers." for at in range(9)]
    assert steps_of(" ".join(each[:8])) == each[:8]
    assert steps_of(" ".join(each)) == []


def test_a_mark_of_its_own_in_a_text_means_nothing() -> None:
    assert steps_of(f'\x000\x00 {FIND} "a. b" \x007\x00. {MAIL}') == [f'0  {FIND} "a. b"  7 .', MAIL]


@pytest.mark.promise("search:steps")
def test_the_tools_of_every_step_come_first(either: SearchEngine) -> None:
    found = either.search(
        "Check the weather forecast for Lisbon this weekend. Then send an email message to Anna about it. "
        "Finally read the complete contents of the file notes.txt"
    )
    assert {hit.tool.id for hit in found.hits[:3]} == {
        "weather.get_forecast",
        "mail.send_email",
        "files.read_file",
    }
