"""What stands in an exam is not learned from, and the proof of it can fail."""

import pytest
from training.sources import Exam, Source
from training.split import ExamQuestions, ExamTools, Leak, honest, normal, prove

from toolbooth.catalog import Tool

SAID = "Create a new issue in a repository of the tracker"
EXAM = Exam(
    "tracker",
    (
        Tool("tracker", "create_issue", SAID),
        Tool("tracker", "ping", ""),
        Tool("tracker", "list_all", "List all users"),
    ),
    ("Open a ticket about the broken login", "ping it"),
)


def source(name: str, description: str = "", server: str = "other") -> Source:
    return Source(f"{server}.{name}", Tool(server, name, description), "")


OTHER = source("merge_branch", "Merge one branch of a repository into another one")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("createIssue", "create issue"),
        ("create_issue", "create issue"),
        ("Create-Issue!", "create issue"),
        ("  create   ISSUE ", "create issue"),
        ("s3Get2Objects", "s3 get2 objects"),
        ("", ""),
        ("…", ""),
    ],
)
def test_names_are_compared_as_words_in_lower_case(text: str, words: str) -> None:
    assert normal(text) == words


@pytest.mark.parametrize(
    ("name", "description"),
    [
        ("create_issue", SAID),
        ("something_else", SAID),
        ("something_else", f"  {SAID.upper()}!! "),
        ("createIssue", "Create a new issue in a repository of the tracker, with labels"),
        ("Create-Issue", "Creates a new issue in some repository of the tracker"),
        ("create_issue", ""),
        ("create_issue", "???"),
        ("ping", "Ask the server whether it is alive"),
        ("Ping", ""),
        ("list_all", "List all users"),
    ],
)
def test_a_tool_of_an_exam_is_known_in_another_version(name: str, description: str) -> None:
    assert ExamTools([EXAM]).hold(source(name, description).tool)


@pytest.mark.parametrize(
    ("name", "description"),
    [
        ("merge_branch", "Merge one branch of a repository into another one"),
        ("create_issue", "Print a stock certificate for shareholders"),
        ("create_issue_comment", "Say something below an issue"),
        ("createissues", "Say something below an issue"),
        ("merge_branch", ""),
        ("show_people", "List all users"),  # three words: anybody's
    ],
)
def test_another_tool_is_not_taken_for_one_of_an_exam(name: str, description: str) -> None:
    assert not ExamTools([EXAM]).hold(source(name, description).tool)


def test_a_name_with_an_abbreviation_is_the_same_in_both_spellings() -> None:
    assert normal("getHTTPResponse") == normal("get_http_response")


def test_honest_drops_what_an_exam_holds_and_keeps_the_order() -> None:
    last = source("zip_folder", "Pack a folder into one archive")
    leaked = [source("create_issue", SAID), source("other_name", SAID), source("ping", "Are you there?")]
    assert honest([OTHER, *leaked, last], [EXAM]) == [OTHER, last]


def test_honest_keeps_each_definition_once() -> None:
    again = source("mergeBranch", "merge one branch of a repository into another one.", "third")
    elsewhere = source("merge_branch", "Merge two cells of a table", "fourth")
    assert honest([OTHER, again, elsewhere, OTHER], [EXAM]) == [OTHER, elsewhere]


def test_every_exam_counts() -> None:
    empty = Exam("empty", (), ())
    assert honest([source("create_issue", SAID)], [empty, EXAM, empty]) == []
    assert honest([source("create_issue", SAID)], [empty]) == [source("create_issue", SAID)]
    assert honest([], [EXAM]) == []


@pytest.mark.parametrize(
    "text",
    [
        "Open a ticket about the broken login",
        "open a ticket about the broken LOGIN?!",
        "  Open a ticket,\nabout 'the broken login' ...",
        "Ping it.",
    ],
)
def test_a_question_of_an_exam_is_known_in_other_case_and_punctuation(text: str) -> None:
    assert ExamQuestions([EXAM]).hold(text)


@pytest.mark.parametrize(
    "text", ["Open a ticket", "about the broken login open a ticket", "Open a ticket about a login"]
)
def test_another_request_is_not_taken_for_a_question(text: str) -> None:
    assert not ExamQuestions([EXAM]).hold(text)


def test_the_proof_passes_what_is_honest() -> None:
    prove([OTHER], ["Merge my branches", OTHER.tool.description], [EXAM])
    prove([], [], [EXAM])


@pytest.mark.parametrize(
    "leaked", [source("create_issue", SAID), source("createISSUE", SAID.upper()), source("PING")]
)
def test_the_proof_fails_for_a_tool_of_an_exam(leaked: Source) -> None:
    with pytest.raises(Leak, match=leaked.key):
        prove([OTHER, leaked], ["Merge my branches"], [EXAM])


@pytest.mark.promise("search:model-split")
@pytest.mark.parametrize(
    "leaked", [EXAM.queries[0], EXAM.queries[0].upper(), "open a ticket: about the broken login."]
)
def test_the_proof_fails_for_a_question_of_an_exam(leaked: str) -> None:
    with pytest.raises(Leak, match="a question of an exam"):
        prove([OTHER], ["Merge my branches", leaked], [EXAM])


def test_the_proof_reads_all_that_a_generator_gives() -> None:
    with pytest.raises(Leak):
        prove(iter([OTHER]), (text for text in ("Merge my branches", "PING it")), [EXAM])


def test_what_honest_leaves_can_be_proved() -> None:
    sources = [OTHER, *(source(tool.name, tool.description) for tool in EXAM.tools)]
    with pytest.raises(Leak):
        prove(sources, [], [EXAM])
    prove(honest(sources, [EXAM]), [], [EXAM])


def test_a_tool_that_says_what_an_exam_asks_is_left_out() -> None:
    asked = EXAM.queries[0]
    tells = source("another_name", f"{asked}. Returns nothing.", "fifth")
    assert honest([OTHER, tells], [EXAM]) == [OTHER]
    with pytest.raises(Leak):
        prove([tells], [], [EXAM])
