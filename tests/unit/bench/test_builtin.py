"""The built-in corpus and golden set are frozen, fit each other, and want every tool."""

import hashlib
import re
from collections import Counter
from pathlib import Path

import pytest

from toolbooth.bench import GoldenQuestion, pair
from toolbooth.bench.corpus import BUILTIN_CORPUS, BUILTIN_GOLDEN, builtin_corpus, builtin_golden
from toolbooth.catalog import decode
from toolbooth.tokens import weigh

FROZEN = {
    BUILTIN_CORPUS: "d487f8bf075b16cf502c6fce71bf9ab78463bdf7dd6c3db8a5505d7dfec0b5b8",
    BUILTIN_GOLDEN: "9baeafe2faa9730530346996e84dff0ad73afb2dca1ff1202a352db81c7c033f",
}
KINDS = {"literal": 40, "paraphrased": 60, "several": 25, "unanswerable": 35}
BEST = 2


@pytest.mark.promise("bench:frozen")
@pytest.mark.parametrize("path", FROZEN, ids=lambda path: path.name)
def test_corpora_never_change_under_the_same_version(path: Path) -> None:
    """Where this fails, put the file back and make `corpus_2` or `golden_2` with a version of its own."""
    assert hashlib.sha256(path.read_bytes()).hexdigest() == FROZEN[path]


def test_the_two_fit_and_every_label_is_known() -> None:
    fitting = pair(builtin_corpus(), builtin_golden())
    assert (fitting.unknown, fitting.notes) == ((), ())
    assert (fitting.corpus.version, fitting.golden.version) == ("toolbooth-demo-1", "toolbooth-demo-golden-1")


def test_every_tool_has_a_description_a_schema_and_a_server_that_speaks_of_itself() -> None:
    catalog = builtin_corpus().catalog
    assert (len(catalog), len(catalog.servers)) == (69, 8)
    assert all(tool.description and tool.input_schema for tool in catalog)
    assert all(server.title and server.instructions and server.version for server in catalog.servers)


def test_the_file_has_the_shape_that_other_benchmarks_read() -> None:
    document = decode(BUILTIN_CORPUS.read_bytes())
    assert {"version", "generated_from", "tools"} == document.keys()
    assert all(entry["tool_id"] == f"{entry['server']}:{entry['tool']}" for entry in document["tools"])
    ids = [entry["tool_id"] for entry in document["tools"]]
    assert ids == sorted(set(ids))


def test_questions_are_of_four_kinds_and_each_is_asked_once() -> None:
    questions = builtin_golden().questions
    counts = Counter(question.kind for question in questions)
    assert counts.keys() == KINDS.keys()
    assert all(counts[kind] >= least for kind, least in KINDS.items())
    assert counts.most_common(1)[0][0] == "paraphrased"
    assert len({question.query.lower() for question in questions}) == len(questions)


def needs(question: GoldenQuestion) -> set[str]:
    return {label.group or label.tool_id for label in question.labels}


def test_the_labels_are_what_the_kind_says() -> None:
    for question in builtin_golden().questions:
        wanted = {"several": (2, 3), "unanswerable": (0,)}.get(question.kind, (1,))
        assert len(needs(question)) in wanted, question.id
        for need in needs(question):
            grades = [label.relevance for label in question.labels if need in (label.group, label.tool_id)]
            assert grades[0] == BEST, question.id
            assert set(grades[1:]) <= {1}, question.id


def test_every_tool_is_the_right_one_for_some_question() -> None:
    labels = [label for question in builtin_golden().questions for label in question.labels]
    wanted = {label.tool for label in labels if label.relevance == BEST}
    assert {tool.id for tool in builtin_corpus().catalog} == wanted


def stems(text: str) -> set[str]:
    return {re.sub(r"(?:es|s|ed|ing)$", "", word) for word in re.findall(r"[a-z]+", text.lower())}


def test_no_paraphrased_question_spells_the_name_of_its_tool() -> None:
    for question in builtin_golden().questions:
        for label in question.labels if question.kind == "paraphrased" else ():
            assert not stems(label.tool_id.partition(":")[2]) <= stems(question.query), question.id


def test_what_the_tools_weigh_is_known() -> None:
    """The baseline of every figure that is published of this corpus."""
    assert weigh(builtin_corpus().catalog).total_tokens == 7038
