"""What a probe has seen → the cost of a session of one call, by the formula of our own surfaces."""

from toolbooth.bench.live.probe import Asked, Probe
from toolbooth.bench.modes import Session, Step, session_cost
from toolbooth.bench.modes.offer import right_tools
from toolbooth.bench.report import SessionCost
from toolbooth.tokens import count, weigh


def session_of(name: str, probe: Probe) -> SessionCost | None:
    """Means over the questions that a tool can serve; None where none of them was answered."""
    sessions = [_session(each) for each in probe.asked if each.question.answerable]
    menu = weigh(probe.menu.tools, probe.encoding).total_tokens
    carried = menu + count(probe.menu.instructions or "", probe.encoding)
    return session_cost(name, carried, sessions) if sessions else None


def _session(asked: Asked) -> Session:
    right = right_tools(asked.question)
    steps = {role: _steps(asked, role) for role in ("list", "search", "definition")}
    return Session(
        Step(asked.call),
        next(iter(steps["search"]), None),
        next(iter(steps["definition"]), None),
        shown=any(each in right for each in asked.shown),
        first=any(each in right for each in asked.shown[:1]),
        lists=steps["list"],
    )


def _steps(asked: Asked, role: str) -> tuple[Step, ...]:
    return tuple(Step(each.written, each.tokens) for each in asked.answers if each.step.role == role)
