"""The schemas of a side → whether its tokens may be compared with the other side's in percent."""

from collections.abc import Iterable
from typing import Final

from toolbooth.bench.report import SchemaCount
from toolbooth.catalog import Json
from toolbooth.search import members

TOLERATED: Final = 0.05  # of a side's tools without a schema: some real servers send a few
# Of the tools with a schema, so many have parameters: in public catalogs nine of ten do, and where most do not,
# `properties: {}` stands for parameters that were lost.
WITH_PARAMETERS: Final = 0.5


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
    enough = real > 0 and real >= WITH_PARAMETERS * (real + without)
    counted = enough and missing <= TOLERATED * (real + without + missing)
    return SchemaCount(real, without, missing, counted)


def savings(tokens: int, baseline: int) -> float:
    """What a mode saves of the baseline: less than nothing where it costs more, and nothing where there is none."""
    return 1 - tokens / baseline if baseline else 0.0
