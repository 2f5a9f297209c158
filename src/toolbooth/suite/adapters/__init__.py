"""Traces of other tools → ours, each shape in a file of its own; the first that knows a document reads it."""

from toolbooth.suite.adapters import toolbooth_trace  # noqa: I001  # the order is the order of asking
from toolbooth.suite.adapters import otel_spans, anthropic_messages, openai_messages
from toolbooth.suite.adapters.registry import ADAPTERS, Adapter
from toolbooth.suite.adapters.trace_file import read_traces, trace_document, traces_of

__all__ = [
    "ADAPTERS",
    "Adapter",
    "anthropic_messages",
    "openai_messages",
    "otel_spans",
    "read_traces",
    "toolbooth_trace",
    "trace_document",
    "traces_of",
]
