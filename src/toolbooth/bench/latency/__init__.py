"""A gateway and the servers behind it → how long each way takes, measured by the client."""

from toolbooth.bench.latency.measure import Effort, measure_latency
from toolbooth.bench.latency.spread import spread
from toolbooth.bench.latency.ways import Call

__all__ = ["Call", "Effort", "measure_latency", "spread"]
