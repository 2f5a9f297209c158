"""What a probe has seen → the section of one endpoint: menu, steps, session, retrieval, each with its label."""

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Final, NamedTuple

from msgspec.structs import replace

from toolbooth.bench.counted import counted
from toolbooth.bench.latency import spread
from toolbooth.bench.live.measure import Measured
from toolbooth.bench.live.probe import Asked, Probe
from toolbooth.bench.live.session import session_of
from toolbooth.bench.modes import count_schemas, savings
from toolbooth.bench.modes.offer import right_tools
from toolbooth.bench.report import EndpointSection, Mode, RetrievalSection, StepCost
from toolbooth.bench.retrieval import Run, measure_retrieval
from toolbooth.errors import BackendTimeout
from toolbooth.tokens import count, weigh

_ORACLE: Final = "it has no search, so the right way is taken: the best that it can reach"
_SOME: Final = 3


class Ranked(NamedTuple):
    """Rankings that came by another way than the answers that a model reads: question id → catalog ids."""

    engine: str
    answers: Mapping[str, Sequence[str]]


def endpoint_section(
    measured: Measured,
    ranked: Ranked | None = None,
    beside: Sequence[StepCost] = (),
    notes: Sequence[str] = (),
) -> EndpointSection:
    """Figures of what was answered; `ranked` stands in for the rankings that the probe saw.

    Raises the fault of an endpoint that never told its menu, and the mistake of an adapter that is another's.
    """
    name, probe = measured.endpoint.name, measured.probe
    if measured.mistake is not None:
        raise measured.mistake
    if probe is None:
        raise measured.fault or BackendTimeout("did not answer", name)
    baseline = weigh(probe.exam.catalog, probe.encoding).total_tokens if probe.exam.corpus else None
    return EndpointSection(
        name=name,
        adapter=probe.adapter.name,
        finds=probe.adapter.finds,
        baseline_tokens=baseline,
        mode=_mode(name, probe, baseline),
        steps=tuple(_steps(probe)),
        session=session_of(name, probe) if probe.exam.scored else None,
        retrieval=_retrieval(probe, ranked or _seen(name, probe)),
        list_ms=round(probe.list_ms, 3),
        partial=_partial(measured, probe),
        notes=(*_notes(measured, probe), *notes),
        beside=tuple(beside),
    )


def _partial(measured: Measured, probe: Probe) -> str:
    if measured.fault is None:
        return ""
    asked, answered = len(probe.exam.questions), len(probe.asked)
    were = "was" if answered == 1 else "were"
    return f"{measured.fault.message}; {answered:,} of {counted(asked, 'question')} {were} answered"


def _mode(name: str, probe: Probe, baseline: int | None) -> Mode:
    menu = weigh(probe.menu.tools, probe.encoding)
    said = count(probe.menu.instructions or "", probe.encoding)
    compared = baseline is not None and not _missing_schemas(probe)
    saved = savings(menu.total_tokens, baseline) if baseline is not None and compared else None
    return Mode(name, "", len(menu), menu.total_tokens, said, saved)


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


def _seen(name: str, probe: Probe) -> Ranked:
    """An error is no answer: where nothing would have been right, it says nothing, and is left out."""
    said = [each for each in probe.asked if each.question.answerable or not _is_lost(each)]
    return Ranked(name, {each.question.id: each.shown for each in said})


def _is_lost(asked: Asked) -> bool:
    return asked.failed and not asked.shown


def _retrieval(probe: Probe, ranked: Ranked) -> RetrievalSection | None:
    """Only of a search, and only where something that can be scored was answered."""
    asked = [each.question for each in probe.asked if each.question.id in ranked.answers]
    scored = probe.exam.scored and probe.adapter.finds == "search"
    if not scored or not any(each.answerable for each in asked):
        return None
    found = measure_retrieval(probe.exam.pair(asked), Run(ranked.engine, ranked.answers))
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
    """The side whose schemas are not counted, in words; empty where the two can be compared in percent."""
    sides = {"the corpus": probe.exam.catalog.tools, "the menu": probe.menu.tools}
    for side, tools in sides.items():
        found = count_schemas(tool.input_schema for tool in tools)
        if not found.counted:
            return f"{found.missing:,} of {counted(len(tools), 'tool')} of {side} {_have(found.missing)} no schema"
    return ""


def _not_in_menu(probe: Probe) -> list[str]:
    """Where every tool should stand in the menu: those that are wanted and do not."""
    wanted = {right_tools(each.question)[0]: bool(each.shown) for each in probe.asked}
    gone = [tool for tool, is_there in wanted.items() if not is_there]
    if probe.adapter.steps or not gone:
        return []
    some, are = ", ".join(sorted(gone)[:_SOME]), "is" if len(gone) == 1 else "are"
    return [f"{len(gone):,} of {counted(len(wanted), 'wanted tool')} {are} not in its menu: {some}"]


def _have(amount: int) -> str:
    return "has" if amount == 1 else "have"


def _notes(measured: Measured, probe: Probe) -> list[str]:
    exam, failed = probe.exam, [each for each in probe.asked if each.failed]
    notes = [*exam.notes]
    if probe.adapter.finds == "oracle":
        notes.append(_ORACLE)
        notes += _not_in_menu(probe)
    if measured.first_ms is not None and probe.adapter.steps:
        notes.append(
            f"the first question was asked once before, in {measured.first_ms:,.0f} ms, for no other figure"
        )
    if exam.corpus is not None and _missing_schemas(probe):
        notes.append(f"savings are withheld: {_missing_schemas(probe)}")
    if failed:
        notes.append(
            f"{len(failed)} of {counted(len(probe.asked), 'question')} met an error on the way: "
            "nothing found, but no rejection"
        )
    if probe.strangers and exam.corpus is not None:
        some = ", ".join(sorted(probe.strangers)[:_SOME])
        notes.append(
            f"names in answers that are no tool of the corpus, {len(probe.strangers)} in all: {some}"
        )
    if probe.menu.set_aside:
        notes.append(f"entries of its menu that are no tool: {len(probe.menu.set_aside)}")
    return notes
