"""Whatever text is cut into steps: nothing but step words is lost, nothing is added, and nothing raises."""

import re

from hypothesis import example, given, strategies as st

from toolbooth.search.steps import steps_of

STEP_WORD = re.compile(
    "and|then|finally|afterwards|additionally|also|next|lastly|after|that", re.I
)  # and the words beside them that go with them
MOST = 8

WORDS = "find send delete invoices customers weather report.pdf 3.5 Anna's the to and that, after"
JOINTS = ["then", ", and then", "finally,", "also", "NEXT", "after that", ". ", "! ", "; ", "\n", "?"]
QUOTED = [
    '"Wait here. Then go on"',
    "'one; then two'",
    "`a. b`",
    '"',
    "'",
    "`",
    "\x00",
    "\x000\x00",
    "\x00١\x00",
]
pieces = st.one_of(st.sampled_from(WORDS.split()), st.sampled_from(JOINTS), st.sampled_from(QUOTED))
tasks = st.lists(pieces, max_size=60).map(" ".join)
texts = st.one_of(tasks, st.text(max_size=300))


def telling(text: str) -> list[str]:
    return [word for word in re.findall(r"\w+", text) if not STEP_WORD.fullmatch(word)]


@given(texts)
@example('"a""b"5"c". find send delete\x00 then "d" find send delete')
@example("find customers weather alſo send delete invoices")
def test_the_steps_hold_the_words_of_the_text_in_order_but_for_step_words(text: str) -> None:
    found = steps_of(text)
    if found:
        assert telling(" ".join(found)) == telling(text)


@given(texts)
def test_steps_are_none_or_several_and_each_says_something(text: str) -> None:
    found = steps_of(text)
    assert len(found) != 1
    assert len(found) <= MOST
    assert all(step == step.strip() and re.search(r"\w", step) for step in found)


@given(st.lists(st.sampled_from(QUOTED[:3]), min_size=1, max_size=4), st.sampled_from(JOINTS))
def test_a_quotation_stands_whole_in_one_step(quoted: list[str], joint: str) -> None:
    text = f"Find the latest invoices {' '.join(quoted)} {joint} mail the summary {quoted[0]} to Anna"
    found = steps_of(text) or [text]
    assert sum(step.count(each) for each in set(quoted) for step in found) == len(quoted) + 1
