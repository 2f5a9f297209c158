"""Two JSON Schemas → where they differ in what they accept."""

from toolbooth.contracts.diff.schemas.difference import Difference, Relation
from toolbooth.contracts.diff.schemas.reading import FORMATS
from toolbooth.contracts.diff.schemas.walk import compare_schemas, relation

__all__ = ["FORMATS", "Difference", "Relation", "compare_schemas", "relation"]
