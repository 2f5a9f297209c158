"""A gateway and the servers behind it → how long each way takes, measured by the client."""

from toolbooth.bench.latency.spread import spread

__all__ = ["spread"]
