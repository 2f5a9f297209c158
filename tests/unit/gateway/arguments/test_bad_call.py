"""The answer to a bad call: what is wrong, and the line that the next call can be written from."""

from toolbooth.catalog import Tool
from toolbooth.gateway.arguments import Problem, check_arguments, explain_bad_call
from toolbooth.tokens import count

TOOL = Tool(
    "github",
    "create_issue",
    "Create an issue",
    {
        "properties": {"owner": {}, "state": {"enum": ["open", "closed"]}, "limit": {"type": "integer"}},
        "required": ["owner"],
    },
)


def test_it_names_the_mistakes_and_shows_the_signature() -> None:
    text = explain_bad_call(TOOL, check_arguments(TOOL, {"limit": "5"}))
    assert text.splitlines() == [
        "Not called:",
        '- missing required "owner"',
        '- "limit" must be int, not str "5"',
        "Call it as github.create_issue(owner*:any, state:open|closed, limit:int)",
    ]


def test_it_stays_short_however_much_is_wrong() -> None:
    text = explain_bad_call(TOOL, [Problem("x", f'"x{number}" must be int') for number in range(12)])
    assert text.count("must be int") == 6
    assert "- …+6" in text
    assert count(text) < 120
