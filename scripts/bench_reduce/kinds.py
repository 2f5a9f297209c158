"""The tokens of recorded answers before and after, and the share of their questions that can still be answered."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

from tests.recorded_answers import AnswerQuestion, RecordedAnswer, answers, questions
from tests.result_reading import ask, show

from toolbooth.gateway.results import ResultStore
from toolbooth.tokens import count


class Shares(NamedTuple):
    """Of all questions of a kind: answered by what is shown, also by one read, and by a plain cut of the same size.

    `read_tokens` is what those reads cost in all.
    """

    asked: int
    shown: int
    read: int
    cut: int
    read_tokens: int


def measure_kinds(_quick: bool) -> dict[str, Any]:
    """Without an intent, and with the one that an agent would pass."""
    return {
        title: _table(title, intent) for title, intent in (("without intent", False), ("with intent", True))
    }


def _table(title: str, intent: bool) -> dict[str, Any]:
    print(f"\nrecorded answers of real servers, {title}: cl100k tokens, and questions still answered")
    heads = f"{'asked':>8}{'shown':>7}{'+ 1 read':>10}{'60/40 cut':>11}{'a read':>9}"
    print(f"  {'kind':12}{'before':>10}{'after':>9}{'less':>7}{heads}")
    store, by_kind = ResultStore(), defaultdict(list)
    for each in answers():
        by_kind[each.kind].append(each)
    found = {kind: _kind(store, group, intent) for kind, group in by_kind.items()}
    found["all"] = {key: sum(row[key] for row in found.values()) for key in next(iter(found.values()))}
    for kind, row in found.items():
        _print(kind, row)
    return found


def _kind(store: ResultStore, group: Sequence[RecordedAnswer], intent: bool) -> dict[str, int]:
    asked = [each for each in questions() if each.answer in {one.name for one in group}]
    after = [_after(store, each, asked, intent) for each in group]
    before = sum(count(each.text) for each in group)
    return {"before": before, "after": sum(after), **_shares(store, asked, intent)._asdict()}


def _after(store: ResultStore, given: RecordedAnswer, asked: Sequence[AnswerQuestion], intent: bool) -> int:
    """Tokens shown; with intents the mean over those of its questions."""
    intents = [each.intent for each in asked if each.answer == given.name] if intent else []
    shown = [count(show(store, given, each).text) for each in intents or [""]]
    return round(sum(shown) / len(shown))


def _shares(store: ResultStore, asked: Sequence[AnswerQuestion], intent: bool) -> Shares:
    reported = [ask(store, each, each.intent if intent else "") for each in asked]
    shown, reads = (
        sum(each.by == "shown" for each in reported),
        [each.text for each in reported if each.by == "read"],
    )
    cut = sum(_survives_a_cut(store, each, each.intent if intent else "") for each in asked)
    return Shares(len(asked), shown, shown + len(reads), cut, sum(map(count, reads)))


def _survives_a_cut(store: ResultStore, question: AnswerQuestion, intent: str) -> bool:
    """60 % from its head and 40 % from its tail, at our length; without a way to read more."""
    given = next(each for each in answers() if each.name == question.answer)
    room = len(show(store, given, intent).text)
    if room >= len(given.text):
        return True
    head = int(room * 0.6)
    return question.is_answered_by_shown(
        given.text[:head] + "\n…\n" + given.text[len(given.text) - (room - head) :]
    )


def _print(kind: str, row: dict[str, int]) -> None:
    less = 100 * (1 - row["after"] / row["before"])
    shares = "".join(
        f"{100 * row[key] / max(1, row['asked']):{width}.0f}%"
        for key, width in (("shown", 6), ("read", 9), ("cut", 10))
    )
    read = round(row["read_tokens"] / max(1, row["read"] - row["shown"]))
    tokens = f"{row['before']:10,}{row['after']:9,}{less:6.0f}%"
    print(f"  {kind:12}{tokens}{row['asked']:8}{shares}{read or '-':>9}", flush=True)
