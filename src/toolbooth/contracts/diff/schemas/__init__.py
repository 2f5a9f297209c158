"""The comparison of two JSON Schemas by what they accept."""

from toolbooth.contracts.diff.schemas.compare import compare_schemas, relation
from toolbooth.contracts.diff.schemas.keywords import FORMATS
from toolbooth.contracts.diff.schemas.model import Difference, Relation

__all__ = ["FORMATS", "Difference", "Relation", "compare_schemas", "relation"]
