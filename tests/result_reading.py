"""A recorded answer × a question → what an agent sees of it, and what one `read_result` more tells it."""

import re
from typing import Any, NamedTuple

from tests.recorded_answers import AnswerQuestion, RecordedAnswer, answer, text_of
from toolbooth.catalog.config import Reduction
from toolbooth.errors import ToolboothError
from toolbooth.gateway.builtin_tools.read_result import read
from toolbooth.gateway.reduce import ReduceOptions, fit
from toolbooth.gateway.results import ResultStore
from toolbooth.limits import READ_BYTES

SESSION = "an agent"


class ShownAnswer(NamedTuple):
    """What an agent is shown, whether that is all there is, and the ref by which it reads on."""

    text: str
    whole: bool
    ref: str


class AnsweredBy(NamedTuple):
    """By what an agent can answer: `shown`, `read` or nothing, and the text of the read."""

    by: str
    text: str


def show(store: ResultStore, given: RecordedAnswer, intent: str) -> ShownAnswer:
    """As the gateway would show it."""
    fitted = fit(given.result, ReduceOptions(Reduction(), intent), lambda text: store.keep(text, SESSION))
    text = text_of(fitted.result)
    return ShownAnswer(text, fitted.steps in ((), ("compact",)), ref_in(text))


def ref_in(text: str) -> str:
    """The ref that the last line of a cut answer names first; nothing where it is whole."""
    refs = re.findall(r"ref='([\w-]+)'", text.rpartition("\n")[2])
    return refs[0] if refs else ""


def ask(store: ResultStore, question: AnswerQuestion, intent: str) -> AnsweredBy:
    """Look first, then read once as a sensible agent does."""
    seen = show(store, answer(question.answer), intent)
    if seen.whole or question.is_answered_by_shown(seen.text):
        return AnsweredBy("shown", seen.text)
    text = look_up(store, seen.ref, question.read) if question.read else ""
    return AnsweredBy("read" if question.is_answered_by_read(text) else "", text)


def look_up(store: ResultStore, ref: str, how: Any) -> str:
    """One `read_result`; a refusal is what the agent reads then."""
    try:
        return read(store, SESSION, {"ref": ref, **how}, READ_BYTES)
    except ToolboothError as error:
        return str(error)
