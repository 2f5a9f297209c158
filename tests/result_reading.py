"""What an agent sees of a recorded answer to a question, and what one more `read_result` shows."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from tests.recorded_answers import AnswerQuestion, RecordedAnswer, answer, text_of
from toolbooth.catalog.config import Reduction
from toolbooth.errors import ToolboothError
from toolbooth.gateway.builtin_tools.call_tools import read_request
from toolbooth.gateway.reduce import ReduceOptions, fit
from toolbooth.gateway.results import ResultStore, read
from toolbooth.limits import READ_BYTES

SESSION = "an agent"


def read_back(store: ResultStore, session: str, given: Mapping[str, Any], cap: int) -> str:
    """One call of `read_result` with these arguments."""
    return read(store, session, read_request(given, cap))


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
        return read_back(store, SESSION, {"ref": ref, **how}, READ_BYTES)
    except ToolboothError as error:
        return str(error)
