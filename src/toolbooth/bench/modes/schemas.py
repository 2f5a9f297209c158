"""The schemas of a side → whether its tokens may be compared with the other side's in percent."""

from collections.abc import Iterable
from typing import Final

from toolbooth.bench.report import SchemaCount
from toolbooth.catalog import Json
from toolbooth.search import members

TOLERATED: Final = 0.05  # of a side's tools without a schema: some real servers send a few


def count_schemas(schemas: Iterable[Json | None]) -> SchemaCount:
    """A stub, an object without `properties`, is no schema; `properties: {}` is a tool without parameters."""
    real = without = missing = 0
    for schema in schemas:
        if members(schema):
            real += 1
        elif schema and "properties" in schema:
            without += 1
        else:
            missing += 1
    counted = real > 0 and missing <= TOLERATED * (real + without + missing)
    return SchemaCount(real, without, missing, counted)


def savings(tokens: int, baseline: int) -> float:
    """What a mode saves of the baseline: less than nothing where it costs more, and nothing where there is none."""
    return 1 - tokens / baseline if baseline else 0.0
