"""Tools and questions → what each way to offer them costs: menus, sessions, break-even."""

from toolbooth.bench.modes.curve import Progress
from toolbooth.bench.modes.measure import measure_tokens
from toolbooth.bench.modes.schemas import count_schemas, savings
from toolbooth.bench.modes.session import Session, Step, session_cost

__all__ = ["Progress", "Session", "Step", "count_schemas", "measure_tokens", "savings", "session_cost"]
