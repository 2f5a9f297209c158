"""The schemas of recorded tools, of public servers too, mean the same after slimming and cost less."""

import json
import random
from typing import Any

import jsonschema_rs
from tests.catalogs import FILES
from tests.unit.economics.random_schemas import instance, near

from toolbooth.catalog import canonical
from toolbooth.economics import slim
from toolbooth.tokens import count

INSTANCES = 12


def _schemas() -> list[tuple[str, Any]]:
    found = []
    for path in FILES:
        for tool in json.loads(path.read_bytes())["tools"]:
            found += [(tool["name"], tool[key]) for key in ("inputSchema", "outputSchema") if tool.get(key)]
    return found


def _validator(schema: Any) -> jsonschema_rs.Validator | None:
    try:
        return jsonschema_rs.validator_for(schema)
    except (jsonschema_rs.ValidationError, jsonschema_rs.ReferencingError, ValueError):
        return None


def test_public_schemas_accept_the_same_before_and_after() -> None:
    source = random.Random(1)
    accepted = refused = 0
    for name, schema in _schemas():
        slimmed = slim(schema, name)
        assert slim(slimmed, name) == slimmed
        before, after = _validator(schema), _validator(slimmed)
        assert (before is None) == (after is None), name
        for index in range(INSTANCES if before and after else 0):
            value = instance(source, 2) if index % 6 == 0 else near(source, schema, schema)
            assert before is not None
            assert after is not None
            verdict = before.is_valid(value)
            assert verdict == after.is_valid(value), (name, value)
            accepted, refused = accepted + verdict, refused + (not verdict)
    assert min(accepted, refused) > len(_schemas()) / 4


def test_no_public_schema_costs_more_tokens_and_all_together_cost_a_tenth_less() -> None:
    pairs = [(count(canonical(schema)), count(canonical(slim(schema, name)))) for name, schema in _schemas()]
    assert all(after <= before for before, after in pairs)
    assert sum(after for _, after in pairs) < 0.9 * sum(before for before, _ in pairs)
