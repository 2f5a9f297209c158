"""The token cost of each mode of offering the tools: menus, sessions, break-even."""

from toolbooth.bench.tokens.break_even import Progress
from toolbooth.bench.tokens.measure import measure_tokens
from toolbooth.bench.tokens.offer import count_schemas, savings
from toolbooth.bench.tokens.session import QuestionSession, SessionStep, session_cost

__all__ = [
    "Progress",
    "QuestionSession",
    "SessionStep",
    "count_schemas",
    "measure_tokens",
    "savings",
    "session_cost",
]
