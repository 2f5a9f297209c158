"""Poor and costly definitions are found, each with the tokens that it is about; good ones are not."""

from typing import Any

import pytest

from toolbooth.catalog import Catalog, ServerTools, Tool
from toolbooth.contracts import Finding, Level
from toolbooth.contracts.lint import lint, lint_rules
from toolbooth.tokens import count, weigh

L, N = Level.LOW, Level.NOTE
DESCRIBED = {"type": "string", "description": "What to look for."}


def linted(*raw_tools: dict[str, Any], server: str = "home") -> list[Finding]:
    tools = tuple(Tool.from_raw(server, raw) for raw in raw_tools)
    return list(lint(Catalog((ServerTools(server, tools),))))


def rule_of(rule: str, *raw_tools: dict[str, Any]) -> Finding | None:
    return next((finding for finding in linted(*raw_tools) if finding.rule == rule), None)


def tool(
    name: str = "find_notes", description: str = "Searches all notes.", **properties: Any
) -> dict[str, Any]:
    schema = {"type": "object", "properties": properties}
    return {"name": name, "description": description, "inputSchema": schema}


def test_a_good_tool_is_left_alone() -> None:
    assert linted(tool(word=DESCRIBED, limit={"type": "integer"})) == []


@pytest.mark.promise("lint:descriptions")
@pytest.mark.parametrize(
    ("raw", "rule", "level"),
    [
        (tool(description=""), "no-description", L),
        (tool("delete_group", "Delete a group"), "description-repeats-name", N),
        (tool("createIssue", "Creates an issue."), "description-repeats-name", N),
        (
            tool("find_notes", "Find notes quickly.", **{f"part{n}": {"type": "string"} for n in range(5)}),
            "short-description",
            N,
        ),
        (
            tool(description="This line says one and the same thing at quite some length. " * 2),
            "repeats-itself",
            L,
        ),
        (
            tool(description="Each of these words is another one: " + " ".join(map(str, range(1000)))),
            "long-description",
            N,
        ),
    ],
)
def test_poor_descriptions_are_found(raw: dict[str, Any], rule: str, level: Level) -> None:
    finding = rule_of(rule, raw)
    assert finding is not None
    assert finding.level is level


@pytest.mark.promise("lint:descriptions")
@pytest.mark.parametrize(
    "raw",
    [
        tool("close_group", "Close a group and all that is in it."),
        tool(
            "find_notes",
            "Find notes by word.",
            word=DESCRIBED,
            from_day=DESCRIBED,
            to_day=DESCRIBED,
            sort=DESCRIBED,
        ),
        tool(description="Yes. Yes. Yes."),
        tool(description="Searches notes by words, days and people."),
    ],
)
def test_descriptions_that_say_something_are_left_alone(raw: dict[str, Any]) -> None:
    assert linted(raw) == []


@pytest.mark.promise("lint:tokens")
def test_tokens_are_counted_on_what_would_go() -> None:
    once = "This line says one and the same thing at quite some length."
    finding = rule_of("repeats-itself", tool(description=f"{once} {once}"))
    assert finding is not None
    assert finding.tokens == count(once)
    raw = tool("delete_group", "Delete a group")
    finding = rule_of("description-repeats-name", raw)
    assert finding is not None
    assert finding.tokens == weigh([raw]).tools[0].description


@pytest.mark.promise("lint:tokens")
def test_what_has_to_be_written_costs() -> None:
    finding = rule_of("inputs-without-description", tool(alpha={"type": "string"}, beta={"type": "string"}))
    assert finding is not None
    assert finding.tokens == -24
    assert finding.evidence == "alpha, beta"


@pytest.mark.promise("lint:inputs")
def test_inputs_that_nothing_explains_are_found() -> None:
    raw = tool(alpha={"type": "string"})
    finding = rule_of("inputs-without-description", raw)
    assert finding is not None
    assert finding.level is N
    raw["inputSchema"]["required"] = ["alpha"]
    finding = rule_of("inputs-without-description", raw)
    assert finding is not None
    assert finding.level is L


@pytest.mark.promise("lint:inputs")
@pytest.mark.parametrize(
    "raw",
    [
        tool(alpha=DESCRIBED),
        tool(limit={"type": "integer"}, query={"type": "string"}),
        tool(mode={"enum": ["fast", "slow"]}),
        tool(description="Searches notes.\nArgs:\n  alpha: the first word"),
        {
            "name": "find_notes",
            "description": "Searches all notes.",
            "inputSchema": {
                "properties": {"alpha": {"$ref": "#/$defs/Word"}},
                "$defs": {"Word": {"type": "string", "description": "A word."}},
            },
        },
        tool(description="Needs `alpha`, a word, before all else.", alpha={"type": "string"}),
    ],
)
def test_inputs_that_something_explains_are_left_alone(raw: dict[str, Any]) -> None:
    assert rule_of("inputs-without-description", raw) is None


@pytest.mark.promise("lint:inputs")
def test_choices_that_stand_in_schema_and_text_are_found() -> None:
    said = "Order of the notes: one of 'newest', 'oldest' or 'longest'."
    raw = tool(order={"enum": ["newest", "oldest", "longest"], "description": said})
    finding = rule_of("choices-written-twice", raw)
    assert finding is not None
    assert finding.evidence == "newest', 'oldest' or 'longest"
    assert finding.tokens == count(said) - count(said.replace(finding.evidence, ""))


@pytest.mark.parametrize(
    "description",
    [
        "newest: the last first; oldest: the first first; longest: by size",
        "Order, as in newest.",
        "newest（最新）、oldest（最旧）、longest（最长）",
    ],
)
def test_choices_that_are_explained_are_left_alone(description: str) -> None:
    raw = tool(order={"enum": ["newest", "oldest", "longest"], "description": description})
    assert linted(raw) == []


@pytest.mark.promise("lint:names")
@pytest.mark.parametrize(("name", "level"), [("run", L), ("do", L), ("data", L), ("get", N), ("search", N)])
def test_names_that_say_nothing_are_found(name: str, level: Level) -> None:
    finding = rule_of("generic-name", tool(name))
    assert finding is not None
    assert finding.level is level


@pytest.mark.promise("lint:names")
def test_several_styles_on_one_server_are_found() -> None:
    raw_tools = [
        tool("find_notes"),
        tool("add_note"),
        tool("dropNote", "Throws a note away."),
        tool("look-up"),
    ]
    finding = rule_of("mixed-name-styles", *raw_tools)
    assert finding is not None
    assert (finding.where, finding.evidence) == ("home", "dropNote, look-up")
    assert rule_of("mixed-name-styles", tool("find_notes"), tool("add_note"), tool("search")) is None


@pytest.mark.promise("lint:boilerplate")
def test_sentences_that_all_tools_share_are_found_once() -> None:
    shared = "All times are given in the time zone of the account, and all prices in euros."
    raw_tools = [
        tool(f"find_{what}", f"Searches {what}. {shared}") for what in ("notes", "mails", "files", "days")
    ]
    finding = rule_of("boilerplate", *raw_tools)
    assert finding is not None
    assert finding.tokens == 3 * count(shared)
    assert finding.evidence == shared
    assert rule_of("boilerplate", *raw_tools[:2]) is None


@pytest.mark.promise("lint:schemas")
def test_noise_of_schemas_is_counted() -> None:
    noisy = {
        "title": "Alpha",
        "anyOf": [{"type": "string"}, {"type": "null"}],
        "default": None,
        "description": "A word.",
    }
    raw = tool(alpha=noisy)
    raw["inputSchema"]["title"] = "find_notesArguments"
    finding = rule_of("schema-noise", raw)
    assert finding is not None
    assert 0 < finding.tokens < weigh([raw]).total_tokens
    assert rule_of("schema-noise", tool(alpha=DESCRIBED)) is None


@pytest.mark.promise("lint:schemas")
def test_answers_described_in_words_alone_are_found() -> None:
    raw = tool(description="Searches notes. Returns a JSON object with the fields id and text.")
    assert rule_of("no-output-schema", raw) is not None
    assert rule_of("no-output-schema", {**raw, "outputSchema": {"type": "object"}}) is None


@pytest.mark.promise("lint:hints")
@pytest.mark.parametrize(
    ("name", "hints", "rule"),
    [
        ("delete_note", None, "destructive-without-hint"),
        ("notes_purge", {"title": "Purge"}, "destructive-without-hint"),
        ("find_notes", {"readOnlyHint": True, "destructiveHint": True}, "contradicting-hints"),
        ("delete_note", {"destructiveHint": True}, None),
        ("find_deleted_notes", None, None),
        ("find_notes", {"readOnlyHint": True, "destructiveHint": False}, None),
    ],
)
def test_hints_are_asked_for_where_they_matter(name: str, hints: Any, rule: str | None) -> None:
    raw = {**tool(name, "Works on the notes of one account."), **({"annotations": hints} if hints else {})}
    assert [finding.rule for finding in linted(raw)] == ([rule] if rule else [])


@pytest.mark.promise("lint:look-alikes")
def test_look_alikes_are_found_with_what_one_of_them_saves() -> None:
    said = "Searches every note of the account for a word and lists the hits by day."
    one, other = tool("find_notes", said, word=DESCRIBED), tool("find_notes", said, word=DESCRIBED)
    servers = [ServerTools(name, (Tool.from_raw(name, raw),)) for name, raw in (("a", one), ("b", other))]
    [finding] = [each for each in lint(Catalog(tuple(servers))) if each.rule == "near-duplicate"]
    assert (finding.level, finding.where) == (N, "a.find_notes")
    assert "b.find_notes" in finding.message
    assert finding.tokens == weigh([one]).total_tokens


def test_lint_rules_have_one_id_each_and_are_never_worse_than_low() -> None:
    rules = lint_rules()
    assert len({rule.id for rule in rules}) == len(rules)
    assert all(rule.level <= L and rule.sentence.endswith(".") for rule in rules)


def test_only_the_rules_that_are_asked_for_are_applied() -> None:
    catalog = Catalog((ServerTools("home", (Tool.from_raw("home", tool("run", "")),)),))
    assert [finding.rule for finding in lint(catalog, only={"generic-name"})] == ["generic-name"]
