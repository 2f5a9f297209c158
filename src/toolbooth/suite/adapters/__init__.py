"""Readers of traces that other tools wrote, one file per format. The first that recognises a document reads it."""

from toolbooth.suite.adapters import toolbooth_trace  # noqa: I001  # adapters are tried in this order
from toolbooth.suite.adapters import otel_spans, anthropic_messages, openai_messages
from toolbooth.suite.adapters.trace_file import ADAPTERS, TraceAdapter
from toolbooth.suite.adapters.trace_file import read_traces, trace_document, traces_of

__all__ = [
    "ADAPTERS",
    "TraceAdapter",
    "anthropic_messages",
    "openai_messages",
    "otel_spans",
    "read_traces",
    "toolbooth_trace",
    "trace_document",
    "traces_of",
]
