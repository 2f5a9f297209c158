"""The benchmark of running endpoints, ours or others: their cost, their retrieval and their speed."""

from toolbooth.bench.live.adapter import EndpointAdapter
from toolbooth.bench.live.adapter_yaml import find_adapter, load_adapter, shipped_adapters
from toolbooth.bench.live.exam import Exam, exam_of, exam_of_corpus, exam_of_golden
from toolbooth.bench.live.gateway import RunningGateway, gateway_corpus, measure_gateway
from toolbooth.bench.live.measure import Endpoint, MeasuredEndpoint, measure_endpoints
from toolbooth.bench.live.section import endpoint_section

__all__ = [
    "Endpoint",
    "EndpointAdapter",
    "Exam",
    "MeasuredEndpoint",
    "RunningGateway",
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
