"""The latency benchmark: requests through a gateway and directly to its servers, timed by the client."""

from toolbooth.bench.latency.actions import TimedCall
from toolbooth.bench.latency.measure import Effort, measure_latency
from toolbooth.bench.latency.timing import spread

__all__ = ["Effort", "TimedCall", "measure_latency", "spread"]
