"""However a structure is cut, clients that check it against its schema accept it, and nothing of it is lost."""

import json
import re
from typing import Any

import pytest
from hypothesis import given, strategies as st
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # as the SDK's client
from tests.property.payloads import keys, reductions, values
from tests.property.result_reader import Reader

from toolbooth import catalog
from toolbooth.catalog.config import Reduction
from toolbooth.gateway.reduce import ReduceOptions, fit
from toolbooth.gateway.reduce.hidden import encoded
from toolbooth.gateway.reduce.output_shape import OutputShape, listed_schema

REF = re.compile(r"read_result\(ref='([\w-]{22})'")


def schema_of(value: Any, closed: bool, depth: int = 4) -> dict[str, Any]:
    """A schema that this value fits and little else does: every key is required."""
    if isinstance(value, dict) and depth:
        members = {key: schema_of(each, closed, depth - 1) for key, each in value.items()}
        schema = {"type": "object", "properties": members, "required": list(members)}
        return schema | ({"additionalProperties": False} if closed else {})
    if isinstance(value, list) and depth:
        kinds = {
            json.dumps(kind, sort_keys=True): kind
            for kind in (schema_of(each, closed, depth - 1) for each in value)
        }
        return {
            "type": "array",
            "items": {"anyOf": list(kinds.values())[:20]} if 0 < len(kinds) <= 20 else {},
        }
    return {"type": "string"} if isinstance(value, str) else {}


structures = st.dictionaries(keys, values, min_size=1, max_size=3)


@pytest.mark.promise("reduce:menu-structure")
@given(structures, reductions(), st.booleans(), st.booleans())
def test_what_is_shown_of_a_structure_fits_and_leads_to_the_rest(
    structure: dict[str, Any], settings: Reduction, closed: bool, repeats: bool
) -> None:
    reader, schema = Reader(), listed_schema(schema_of(structure, closed))
    words = encoded(structure) if repeats else "see the structure"
    given_result = {"content": [{"type": "text", "text": words}], "structuredContent": structure}
    found = fit(given_result, ReduceOptions(settings, shape=OutputShape(schema)), reader.keep)
    shown = found.result["structuredContent"]
    assert not list(Draft202012Validator(schema).iter_errors(shown))
    if shown != structure:
        refs = set(REF.findall(json.dumps(shown)))
        assert refs
        assert any(catalog.decode(reader.read({"ref": ref}).encode()) == structure for ref in refs)


@given(structures, reductions())
def test_a_structure_for_a_program_is_whole(structure: dict[str, Any], settings: Reduction) -> None:
    given_result = {"content": [], "structuredContent": structure}
    options = ReduceOptions(settings, shape=OutputShape({}, fixed=True))
    assert fit(given_result, options, Reader().keep).result["structuredContent"] == structure
