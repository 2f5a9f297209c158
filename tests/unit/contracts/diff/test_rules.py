"""Each rule fires on its change, alone, with its severity and place; the way back fires its counterpart."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest
from tests.unit.contracts.diff.sample_contracts import RawTool, changed, giving, offered, rules, taking, tool

from toolbooth.catalog.tool import sort_entries
from toolbooth.contracts import Contracts, Severity
from toolbooth.contracts.diff import RULES
from toolbooth.contracts.gather import server_contract

ROWS = [f"column_{number}_of_the_row" for number in range(12)]


def listing(names: Sequence[str]) -> dict[str, Any]:
    row = {"type": "object", "properties": {name: {"type": "string"} for name in names}}
    return {"type": "object", "properties": {"rows": {"type": "array", "items": row}}}


WIDE, NARROW = listing(ROWS), listing(ROWS[:1])


class Case(NamedTuple):
    """`there` are the rules from before to after, `back` those on the way back; `path` is that of the first."""

    there: str
    back: str
    before: Contracts | RawTool
    after: Contracts | RawTool
    path: str
    budgets: tuple[str, ...] = ()


def input_case(facet: str, wide: Any, narrow: Any, path: str) -> Case:
    return Case(f"input-{facet}-narrowed", f"input-{facet}-widened", taking(wide), taking(narrow), path)


def output_case(facet: str, wide: Any, narrow: Any, path: str) -> Case:
    return Case(f"output-{facet}-narrowed", f"output-{facet}-widened", giving(wide), giving(narrow), path)


IN, OUT = "/inputSchema/properties/p", "/outputSchema/properties/p"
HINTED = tool(annotations={"destructiveHint": False})


def hinted(**hints: bool) -> dict[str, Any]:
    return tool(annotations={f"{name}Hint": value for name, value in hints.items()})


MORE = "a much longer description than before, " * 12
FACETS: list[tuple[str, Any, Any, str]] = [
    ("type", {"type": ["string", "integer"]}, {"type": "string"}, "type"),
    ("null", {"type": ["string", "null"]}, {"type": "string"}, "type"),
    ("enum", {"enum": ["a", "b"]}, {"enum": ["a"]}, "enum"),
    ("enum", {"type": "string"}, {"type": "string", "enum": ["a", "b"]}, "enum"),
    ("bounds", {"type": "integer"}, {"type": "integer", "minimum": 3}, "minimum"),
    (
        "bounds",
        {"type": "number", "maximum": 9},
        {"type": "number", "exclusiveMaximum": 9},
        "exclusiveMaximum",
    ),
    ("bounds", {"type": "number", "multipleOf": 0.5}, {"type": "number", "multipleOf": 1.5}, "multipleOf"),
    ("length", {"type": "string", "maxLength": 9}, {"type": "string", "maxLength": 5}, "maxLength"),
    ("pattern", {"type": "string"}, {"type": "string", "pattern": "^a"}, "pattern"),
    ("format", {"type": "string"}, {"type": "string", "format": "email"}, "format"),
    ("items", {"type": "array"}, {"type": "array", "maxItems": 4}, "maxItems"),
    ("items", {"type": "array"}, {"type": "array", "uniqueItems": True}, "uniqueItems"),
    ("keys", {"type": "object"}, {"type": "object", "minProperties": 1}, "minProperties"),
    ("keys", {"type": "object"}, {"type": "object", "dependentRequired": {"a": ["b"]}}, "dependentRequired"),
    (
        "choices",
        {"anyOf": [{"type": "string", "pattern": "^a"}, {"type": "string", "pattern": "^b"}]},
        {"type": "string", "pattern": "^a"},
        "anyOf/1",
    ),
    ("choices", {"type": "string"}, {"type": "string", "not": {"const": "a"}}, "not"),
]
CASES = [
    # servers, and what they offer beside tools
    Case("server-removed", "server-added", offered(tool()), Contracts(), "/"),
    Case(
        "instructions-changed",
        "instructions-changed",
        offered(),
        offered(instructions="Be kind."),
        "/instructions",
    ),
    Case("server-title-changed", "server-title-changed", offered(), offered(title="Rows"), "/title"),
    Case(
        "server-version-changed",
        "server-version-changed",
        offered(version="1"),
        offered(version="2"),
        "/version",
    ),
    Case("prompt-added", "prompt-removed", offered(), offered(prompts=({"name": "ask"},)), "/prompts/ask"),
    Case(
        "prompt-argument-required",
        "prompt-changed",
        offered(prompts=({"name": "ask", "arguments": [{"name": "topic"}]},)),
        offered(prompts=({"name": "ask", "arguments": [{"name": "topic", "required": True}]},)),
        "/prompts/ask/arguments",
    ),
    Case(
        "offer-title-changed",
        "offer-title-changed",
        offered(prompts=({"name": "ask"},)),
        offered(prompts=({"name": "ask", "title": "Ask"},)),
        "/prompts/ask",
    ),
    Case(
        "prompt-argument-required prompt-changed",
        "prompt-changed",
        offered(prompts=({"name": "ask", "arguments": [{"name": "topic"}]},)),
        offered(
            prompts=(
                {"name": "ask", "description": "A.", "arguments": [{"name": "topic", "required": True}]},
            )
        ),
        "/prompts/ask",
    ),
    Case(
        "resource-added",
        "resource-removed",
        offered(),
        offered(resources=({"uri": "a://b"},)),
        "/resources/a:~1~1b",
    ),
    Case(
        "resource-changed",
        "resource-changed",
        offered(resources=({"uri": "a"},)),
        offered(resources=({"uri": "a", "description": "new"},)),
        "/resources/a",
    ),
    Case(
        "template-added",
        "template-removed",
        offered(),
        offered(templates=({"uriTemplate": "{x}"},)),
        "/templates/{x}",
    ),
    Case(
        "template-changed",
        "template-changed",
        offered(templates=({"uriTemplate": "{x}"},)),
        offered(templates=({"uriTemplate": "{x}", "mimeType": "text/plain"},)),
        "/templates/{x}",
    ),
    # tools
    Case(
        "tool-removed",
        "tool-added",
        offered(tool(), tool("drop", description="D.")),
        offered(tool()),
        "/description",
    ),
    Case("tool-renamed", "tool-renamed", tool("find"), tool("search"), "/name"),
    Case(
        "description-changed",
        "description-changed",
        tool(),
        tool(description="Finds all rows."),
        "/description",
    ),
    Case(
        "description-reflowed",
        "description-reflowed",
        tool(),
        tool(description="Finds\n  rows."),
        "/description",
    ),
    Case("tool-title-changed", "tool-title-changed", tool(), tool(title="Find"), "/title"),
    Case(
        "tool-title-changed",
        "tool-title-changed",
        tool(),
        tool(annotations={"title": "Find"}),
        "/annotations/title",
    ),
    Case("icons-changed", "icons-changed", tool(), tool(icons=[{"src": "a.png"}]), "/icons"),
    Case("meta-changed", "meta-changed", tool(), tool(_meta={"vendor/build": 7}), "/_meta/vendor~1build"),
    Case(
        "meta-acted-on", "meta-acted-on", tool(), tool(_meta={"ui": {"resourceUri": "ui://x"}}), "/_meta/ui"
    ),
    Case(
        "task-required",
        "execution-changed",
        tool(),
        tool(execution={"taskSupport": "required"}),
        "/execution/taskSupport",
    ),
    Case("part-changed", "part-changed", tool(), tool(hint="new"), "/hint"),
    Case(
        "output-schema-gained",
        "output-schema-lost",
        tool(),
        tool(outputSchema={"type": "object"}),
        "/outputSchema",
    ),
    # hints
    Case(
        "read-only-lost",
        "read-only-gained",
        tool(annotations={"readOnlyHint": True}),
        tool(),
        "/annotations/readOnlyHint",
    ),
    Case("destructive-gained", "destructive-lost", HINTED, tool(), "/annotations/destructiveHint"),
    Case(
        "idempotent-lost",
        "idempotent-gained",
        tool(annotations={"idempotentHint": True}),
        tool(),
        "/annotations/idempotentHint",
    ),
    Case(
        "destructive-gained",
        "destructive-lost",
        hinted(readOnly=True, destructive=False),
        hinted(readOnly=True, destructive=True),
        "/annotations/destructiveHint",
    ),
    Case(
        "idempotent-lost",
        "idempotent-gained",
        hinted(readOnly=True, idempotent=True),
        hinted(readOnly=True),
        "/annotations/idempotentHint",
    ),
    Case(
        "read-only-lost destructive-gained",
        "read-only-gained",
        hinted(readOnly=True, destructive=False),
        hinted(readOnly=False),
        "/annotations/readOnlyHint",
    ),
    Case(
        "read-only-gained destructive-gained idempotent-lost",
        "read-only-lost",
        hinted(destructive=False, idempotent=True),
        hinted(readOnly=True, destructive=True, idempotent=False),
        "/annotations/readOnlyHint",
    ),
    Case(
        "open-world-gained",
        "open-world-lost",
        tool(annotations={"openWorldHint": False}),
        tool(),
        "/annotations/openWorldHint",
    ),
    # budgets: held against what is there after the change
    Case(
        "description-changed tool-grew",
        "description-changed",
        tool(),
        tool(description=MORE),
        "",
        ("growth=10%",),
    ),
    Case(
        "description-changed tool-grew",
        "description-changed",
        tool(),
        tool(description=MORE),
        "",
        ("growth=20",),
    ),
    Case(
        "description-changed tool-over-budget",
        "description-changed",
        tool(),
        tool(description=MORE),
        "",
        ("tool=40",),
    ),
    Case(
        "description-changed server-over-budget",
        "description-changed",
        tool(),
        tool(description=MORE),
        "",
        ("server:rows=40",),
    ),
    Case(
        "description-changed total-over-budget",
        "description-changed",
        tool(),
        tool(description=MORE),
        "",
        ("total=40",),
    ),
    # inputs
    Case("input-removed", "optional-input-added", taking({"type": "string"}), tool(), IN),
    Case("required-input-added", "input-removed", tool(), taking({"type": "string"}, required=["p"]), IN),
    Case("input-required", "input-optional", taking({}), taking({}, required=["p"]), "/inputSchema/required"),
    Case(
        "input-type-changed",
        "input-type-changed",
        taking({"type": "string"}),
        taking({"type": "array"}),
        f"{IN}/type",
    ),
    Case(
        "input-closed",
        "input-opened",
        taking({}),
        taking({}, additionalProperties=False),
        "/inputSchema/additionalProperties",
    ),
    Case(
        "input-unclear",
        "input-unclear",
        taking({"type": "string", "pattern": "^a*$"}),
        taking({"type": "string", "pattern": "^a?$"}),
        f"{IN}/pattern",
    ),
    *(input_case(facet, wide, narrow, f"{IN}/{word}") for facet, wide, narrow, word in FACETS),
    Case(
        "input-bounds-narrowed limit-tightened",
        "input-bounds-widened",
        tool(inputSchema={"type": "object", "properties": {"limit": {"type": "integer", "maximum": 99}}}),
        tool(inputSchema={"type": "object", "properties": {"limit": {"type": "integer", "maximum": 50}}}),
        "/inputSchema/properties/limit/maximum",
    ),
    # outputs
    Case(
        "output-field-removed", "output-field-added", giving({}), tool(outputSchema={"type": "object"}), OUT
    ),
    Case(
        "output-field-unforeseen",
        "output-field-removed",
        tool(outputSchema={"type": "object", "additionalProperties": False}),
        giving({}, additionalProperties=False),
        OUT,
    ),
    Case(
        "output-field-optional",
        "output-field-required",
        giving({}, required=["p"]),
        giving({}),
        "/outputSchema/required",
    ),
    Case(
        "output-type-changed",
        "output-type-changed",
        giving({"type": "string"}),
        giving({"type": "array"}),
        f"{OUT}/type",
    ),
    Case(
        "output-closed",
        "output-opened",
        giving({}),
        giving({}, additionalProperties=False),
        "/outputSchema/additionalProperties",
    ),
    Case(
        "output-unclear",
        "output-unclear",
        giving({"type": "string", "pattern": "^a*$"}),
        giving({"type": "string", "pattern": "^a?$"}),
        f"{OUT}/pattern",
    ),
    *(output_case(facet, wide, narrow, f"{OUT}/{word}") for facet, wide, narrow, word in FACETS),
    # words in schemas
    Case(
        "parameter-description-changed",
        "parameter-description-changed",
        taking({"description": "Which."}),
        taking({"description": "Which one."}),
        f"{IN}/description",
    ),
    Case(
        "output-description-changed",
        "output-description-changed",
        giving({"description": "Which."}),
        giving({}),
        f"{OUT}/description",
    ),
    Case(
        "default-changed", "default-changed", taking({"default": 1}), taking({"default": 2}), f"{IN}/default"
    ),
    Case(
        "note-changed",
        "note-changed",
        taking({"examples": ["a"]}),
        taking({"examples": ["b"]}),
        f"{IN}/examples",
    ),
    Case("schema-title-changed", "schema-title-changed", taking({}), taking({"title": "P"}), f"{IN}/title"),
    Case(
        "wording-changed",
        "wording-changed",
        tool(inputSchema={"type": "object", "$id": "of one thing"}),
        tool(inputSchema={"type": "object", "$id": "of another thing"}),
        "/",
    ),
    Case(
        "order-changed",
        "order-changed",
        taking({"enum": ["a", "b"]}),
        taking({"enum": ["b", "a"]}),
        f"{IN}/enum",
    ),
]
ECONOMY = [
    Case(
        "became-unbounded input-removed",
        "became-bounded optional-input-added",
        tool(inputSchema={"type": "object", "properties": {"limit": {"type": "integer", "maximum": 9}}}),
        tool(),
        "/inputSchema",
    ),
]


@pytest.mark.promise("diff:rules")
@pytest.mark.parametrize("case", CASES, ids=[f"{case.there} {number}" for number, case in enumerate(CASES)])
def test_a_rule_fires_alone_and_its_counterpart_on_the_way_back(case: Case) -> None:
    there = changed(case.before, case.after, *case.budgets)
    assert rules(there) == sorted(case.there.split())
    assert rules(changed(case.after, case.before, *case.budgets)) == sorted(case.back.split())
    assert {change.severity for change in there.changes} == {
        RULES[word].severity for word in case.there.split()
    }
    assert case.path in {change.path for change in there.changes}


@pytest.mark.parametrize("case", CASES, ids=[f"{case.there} {number}" for number, case in enumerate(CASES)])
def test_nothing_changes_from_a_contract_to_itself(case: Case) -> None:
    assert rules(changed(case.before, case.before)) == []
    assert rules(changed(case.after, case.after)) == []


def test_bounds_of_answers_are_reported_with_what_moved_them() -> None:
    (case,) = ECONOMY
    assert rules(changed(case.before, case.after)) == case.there.split()
    assert rules(changed(case.after, case.before)) == case.back.split()


def test_more_fields_of_an_answer_are_a_greater_risk() -> None:
    before, after = tool(outputSchema=NARROW), tool(outputSchema=WIDE)
    assert rules(changed(before, after)) == ["output-field-added"] * 11 + ["risk-escalated"]
    assert rules(changed(after, before)) == ["output-field-removed"] * 11 + ["risk-fell"]


def test_an_answer_past_its_budget_is_reported() -> None:
    assert rules(changed(tool(outputSchema=WIDE), tool(outputSchema=WIDE), "answer=50")) == [
        "answer-over-budget"
    ]
    assert rules(changed(tool(outputSchema=WIDE), tool(outputSchema=WIDE), "answer=50000")) == []


def test_every_rule_of_the_table_is_held_by_a_case() -> None:
    reported = {
        word for case in (*CASES, *ECONOMY) for side in (case.there, case.back) for word in side.split()
    }
    elsewhere = {"risk-escalated", "risk-fell", "answer-over-budget", "tool-unusable"}
    assert reported | elsewhere == set(RULES)


@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.id)
def test_every_sentence_is_one(rule: Any) -> None:
    assert rule.sentence[0] in "{abcdefghijklmnopqrstuvwxyz"
    assert not rule.sentence.endswith(".")
    assert "\n" not in rule.sentence


def test_a_tool_that_is_still_listed_with_a_broken_definition_is_not_called_gone() -> None:
    before = offered(tool(), server="rows")
    after = Contracts({"rows": server_contract(sort_entries("rows", [tool(inputSchema="hello")]))})
    (found,) = changed(before, after).changes
    assert (found.rule, found.severity) == ("tool-unusable", Severity.BREAKING)
    assert "still listed" in found.message
    assert "inputSchema" in found.message
    assert rules(changed(after, before)) == ["tool-added"]


NARROWED = {
    "maximum": ({"maximum": 50}, {"maximum": 20}),
    "exclusiveMaximum": ({"maximum": 50}, {"exclusiveMaximum": 50}),
    "maximum gained": ({}, {"maximum": 50}),
    "minimum": ({"minimum": 0}, {"minimum": 1}),
    "multipleOf": ({}, {"multipleOf": 10}),
    "enum": ({"enum": [10, 20, 50]}, {"enum": [10, 20]}),
    "default": ({"default": 50, "maximum": 50}, {"default": 20, "maximum": 20}),
    "type": ({"type": ["integer", "null"]}, {"type": "integer"}),
}


@pytest.mark.promise("diff:narrowed-limit")
@pytest.mark.parametrize("name", ["limit", "page_size", "maxResults", "count"])
@pytest.mark.parametrize(("wide", "narrow"), NARROWED.values(), ids=NARROWED)
def test_an_input_that_narrows_breaks_whatever_it_is_called(name: str, wide: Any, narrow: Any) -> None:
    before, after = (
        tool(inputSchema={"type": "object", "properties": {name: {"type": "integer", **most}}})
        for most in (wide, narrow)
    )
    assert changed(before, after).worst is Severity.BREAKING


def test_another_small_number_does_not_hide_that_the_limit_lost_its_maximum() -> None:
    few = {"type": "integer", "maximum": 9}
    before, after = (
        tool(inputSchema={"type": "object", "properties": {"n": few, "limit": {"type": "integer", **most}}})
        for most in ({"maximum": 50}, {})
    )
    assert "became-unbounded" in rules(changed(before, after))


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        (
            {"type": "integer", "maximum": 50},
            {"type": "integer", "exclusiveMaximum": 50},
            "`p` accepts fewer numbers: maximum is 49; it was 50",
        ),
        (
            {"type": "number", "maximum": 50},
            {"type": "number", "exclusiveMaximum": 50},
            '`p` accepts fewer numbers: exclusiveMaximum is 50; it was {"maximum": 50}',
        ),
        ({"type": "string"}, False, "`p` now accepts no value at all; it was string"),
        (False, {"type": "string"}, "`p` now accepts string; it was none"),
        ({"type": ["string", "null"]}, {"type": "null"}, "`p` now accepts only null; it was string"),
    ],
)
def test_a_sentence_says_what_is_so(before: Any, after: Any, says: str) -> None:
    assert [each.message for each in changed(taking(before), taking(after)).changes] == [says]
