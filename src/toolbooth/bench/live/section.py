"""The report section of one endpoint: menu, steps, session and retrieval, each with its label.

The cost of a session follows the formula that our own surfaces are measured by.
"""

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Final, NamedTuple

from msgspec.structs import replace

from toolbooth import errors, figures
from toolbooth.bench.latency import spread
from toolbooth.bench.live.measure import MeasuredEndpoint
from toolbooth.bench.live.probe import AskedQuestion, Probe
from toolbooth.bench.report import EndpointSection, ModeCost, RetrievalSection, SessionCost, StepCost
from toolbooth.bench.retrieval import EngineRun, measure_retrieval
from toolbooth.bench.tokens import QuestionSession, SessionStep, count_schemas, savings, session_cost
from toolbooth.bench.tokens.offer import right_tools
from toolbooth.tokens import count, weigh


def session_of(name: str, probe: Probe) -> SessionCost | None:
    """Means over the answerable questions; None if none of them was answered."""
    sessions = [_session(each) for each in probe.asked if each.question.answerable]
    menu = weigh(probe.menu.tools, probe.encoding).total_tokens
    carried = menu + count(probe.menu.instructions or "", probe.encoding)
    return session_cost(name, carried, sessions) if sessions else None


def _session(asked: AskedQuestion) -> QuestionSession:
    right = right_tools(asked.question)
    steps = {role: _session_steps(asked, role) for role in ("list", "search", "definition")}
    return QuestionSession(
        SessionStep(asked.call),
        next(iter(steps["search"]), None),
        next(iter(steps["definition"]), None),
        shown=any(each in right for each in asked.shown),
        first=any(each in right for each in asked.shown[:1]),
        lists=steps["list"],
    )


def _session_steps(asked: AskedQuestion, role: str) -> tuple[SessionStep, ...]:
    return tuple(SessionStep(each.written, each.tokens) for each in asked.answers if each.step.role == role)


_ORACLE: Final = "it has no search, so the right tool is assumed; these figures are its best case"
_SOME: Final = 3


class EndpointRankings(NamedTuple):
    """Rankings from another source than the answers that a model reads: catalog ids by question id."""

    engine: str
    answers: Mapping[str, Sequence[str]]


def endpoint_section(
    measured: MeasuredEndpoint,
    ranked: EndpointRankings | None = None,
    beside: Sequence[StepCost] = (),
    notes: Sequence[str] = (),
) -> EndpointSection:
    """The figures of an endpoint; `ranked` replaces the rankings that the probe saw.

    Raises the fault of an endpoint that never listed its menu, and the mistake of a wrong adapter.
    """
    name, probe = measured.endpoint.name, measured.probe
    if measured.mistake is not None:
        raise measured.mistake
    if probe is None:
        raise measured.fault or errors.BackendTimeout("did not answer", name)
    baseline = weigh(probe.exam.catalog, probe.encoding).total_tokens if probe.exam.corpus else None
    return EndpointSection(
        name=name,
        adapter=probe.adapter.name,
        finds=probe.adapter.finds,
        baseline_tokens=baseline,
        mode=_mode(name, probe, baseline),
        steps=tuple(_steps(probe)),
        session=session_of(name, probe) if probe.exam.scored else None,
        retrieval=_retrieval(probe, ranked or _probe_rankings(name, probe)),
        list_ms=round(probe.list_ms, 3),
        partial=_partial(measured, probe),
        notes=(*_notes(measured, probe), *notes),
        beside=tuple(beside),
    )


def _partial(measured: MeasuredEndpoint, probe: Probe) -> str:
    if measured.fault is None:
        return ""
    asked, answered = len(probe.exam.questions), len(probe.asked)
    were = "was" if answered == 1 else "were"
    return f"{measured.fault.message}; {answered:,} of {figures.counted(asked, 'question')} {were} answered"


def _mode(name: str, probe: Probe, baseline: int | None) -> ModeCost:
    menu = weigh(probe.menu.tools, probe.encoding)
    said = count(probe.menu.instructions or "", probe.encoding)
    compared = baseline is not None and not _missing_schemas(probe)
    saved = savings(menu.total_tokens, baseline) if baseline is not None and compared else None
    return ModeCost(name, "", len(menu), menu.total_tokens, said, saved)


def _steps(probe: Probe) -> list[StepCost]:
    answers = [answer for each in probe.asked for answer in each.answers]
    found = []
    for step in probe.adapter.steps:
        own = [answer for answer in answers if answer.step is step]
        if own:
            tokens = [answer.tokens for answer in own]
            copies = fmean(answer.copy for answer in own)
            times = spread(answer.ms for answer in own)
            found.append(StepCost(step.name, len(own), fmean(tokens), max(tokens), copies, times))
    return found


def _probe_rankings(name: str, probe: Probe) -> EndpointRankings:
    """The rankings of the probe. An error on an unanswerable question is not a rejection, so it is left out."""
    said = [each for each in probe.asked if each.question.answerable or not _is_lost(each)]
    return EndpointRankings(name, {each.question.id: each.shown for each in said})


def _is_lost(asked: AskedQuestion) -> bool:
    return asked.failed and not asked.shown


def _retrieval(probe: Probe, ranked: EndpointRankings) -> RetrievalSection | None:
    """The section on retrieval; None without search, or if no answerable question was answered."""
    asked = [each.question for each in probe.asked if each.question.id in ranked.answers]
    scored = probe.exam.scored and probe.adapter.finds == "search"
    if not scored or not any(each.answerable for each in asked):
        return None
    found = measure_retrieval(probe.exam.pair(asked), EngineRun(ranked.engine, ranked.answers))
    lost = [each.question for each in probe.asked if each.question.answerable and _is_lost(each)]
    return _without_lost(found, sum(not ranked.answers.get(each.id, ("",)) for each in lost))


def _without_lost(found: RetrievalSection, lost: int) -> RetrievalSection:
    """An error finds nothing, but it rejects nothing either."""
    said = found.rejection
    if said is None:
        return found
    said = replace(said, answerable_rejected=said.answerable_rejected - lost)
    return replace(found, rejection=said)


def _missing_schemas(probe: Probe) -> str:
    """The side that lacks schemas, as a sentence; empty if both sides can be compared in percent."""
    sides = {"the corpus": probe.exam.catalog.tools, "the menu": probe.menu.tools}
    for side, tools in sides.items():
        found = count_schemas(tool.input_schema for tool in tools)
        if not found.counted:
            return (
                f"{found.missing:,} of {figures.counted(len(tools), 'tool')} of {side} "
                f"{_have(found.missing)} no schema"
            )
    return ""


def _not_in_menu(probe: Probe) -> list[str]:
    """The wanted tools that are missing from a menu that should have every tool."""
    wanted = {right_tools(each.question)[0]: bool(each.shown) for each in probe.asked}
    gone = [tool for tool, is_there in wanted.items() if not is_there]
    if probe.adapter.steps or not gone:
        return []
    some, are = ", ".join(sorted(gone)[:_SOME]), "is" if len(gone) == 1 else "are"
    return [f"{len(gone):,} of {figures.counted(len(wanted), 'wanted tool')} {are} not in its menu: {some}"]


def _have(amount: int) -> str:
    return "has" if amount == 1 else "have"


def _notes(measured: MeasuredEndpoint, probe: Probe) -> list[str]:
    exam, failed = probe.exam, [each for each in probe.asked if each.failed]
    notes = [*exam.notes]
    if probe.adapter.finds == "oracle":
        notes.append(_ORACLE)
        notes += _not_in_menu(probe)
    if measured.first_ms is not None and probe.adapter.steps:
        notes.append(
            f"the first question was also asked as a warm-up, in {measured.first_ms:,.0f} ms, which no figure includes"
        )
    if exam.corpus is not None and _missing_schemas(probe):
        notes.append(f"savings are withheld: {_missing_schemas(probe)}")
    if failed:
        notes.append(
            f"{len(failed)} of {figures.counted(len(probe.asked), 'question')} ended in an error, which "
            "counts as nothing "
            "found but not as a rejection"
        )
    if probe.unknown_names and exam.corpus is not None:
        some = ", ".join(sorted(probe.unknown_names)[:_SOME])
        notes.append(
            f"{figures.counted(len(probe.unknown_names), 'name')} in answers not in the corpus: {some}"
        )
    if probe.menu.set_aside:
        notes.append(f"entries of its menu that are not tools: {len(probe.menu.set_aside)}")
    return notes
