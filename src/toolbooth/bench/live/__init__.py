"""A running endpoint, ours or anyone's → what it costs, how well it finds and how fast it answers."""

from toolbooth.bench.live.adapter import Adapter
from toolbooth.bench.live.adapter_yaml import find_adapter, load_adapter, shipped_adapters
from toolbooth.bench.live.exam import Exam, exam_of, exam_of_corpus, exam_of_golden
from toolbooth.bench.live.gateway import Gateway, gateway_corpus, measure_gateway
from toolbooth.bench.live.measure import Endpoint, Measured, measure_endpoints
from toolbooth.bench.live.section import endpoint_section

__all__ = [
    "Adapter",
    "Endpoint",
    "Exam",
    "Gateway",
    "Measured",
    "endpoint_section",
    "exam_of",
    "exam_of_corpus",
    "exam_of_golden",
    "find_adapter",
    "gateway_corpus",
    "load_adapter",
    "measure_endpoints",
    "measure_gateway",
    "shipped_adapters",
]
