"""The text of a JSON file: what is not a moved server keeps every character."""

from toolbooth.catalog.config.wrapping.json_rewrite import move_back, move_out, restore_section

SECTION = ("mcpServers",)
ENTRY = {"command": "tb", "args": ["serve"]}
CONFIG = """{
  // top
  "x": 1,
  "mcpServers": {
    // about a
    "a": {"command": "x"}, // trail of a
    /* about b */ "b": {
      "command": "y",
    },
    "c": {"command": "z"} // trail of c
    // the end
  },
  "z": [1,]
}
"""


def test_one_entry_takes_the_place_of_the_first_that_moves() -> None:
    assert (
        move_out(CONFIG, SECTION, {"a", "c"}, "toolbooth", ENTRY)
        == """{
  // top
  "x": 1,
  "mcpServers": {
    "toolbooth": {"command": "tb", "args": ["serve"]},
    /* about b */ "b": {
      "command": "y",
    }
    // the end
  },
  "z": [1,]
}
"""
    )


def test_an_entry_is_indented_like_the_one_it_replaces() -> None:
    text = '{\r\n\t"mcpServers": {\r\n\t\t"a": {\r\n\t\t\t"command": "x"\r\n\t\t}\r\n\t}\r\n}\r\n'
    assert move_out(text, SECTION, {"a"}, "toolbooth", {"command": "tb"}) == text.replace(
        '"a"', '"toolbooth"'
    ).replace('"x"', '"tb"')


def test_a_file_on_one_line_stays_on_one_line() -> None:
    text = '{"mcpServers":{"a":{"command":"x"},"b":{}},"y":2}'
    assert move_out(text, SECTION, {"a"}, "tb", {"command": "t"}) == (
        '{"mcpServers":{"tb": {"command": "t"},"b":{}},"y":2}'
    )


def test_a_comment_never_swallows_the_member_behind_it() -> None:
    text = '{"mcpServers": {"a": {}, // note\n "b": {}, "c": {}}}'
    assert move_out(text, SECTION, {"b"}, "t", {}) == '{"mcpServers": {"a": {}, // note\n "t": {}, "c": {}}}'
    assert move_back(text, SECTION, "b", '{"mcpServers": {}}', {}) == (
        '{"mcpServers": {"a": {}, // note\n "c": {}}}'
    )


def test_servers_come_back_with_their_comments_and_under_another_name() -> None:
    moved = move_out(CONFIG, SECTION, {"a", "c"}, "toolbooth", ENTRY)
    back = move_back(moved, SECTION, "toolbooth", CONFIG, {"a": "a-2", "c": "c"})
    assert (
        """    // about a
    "a-2": {"command": "x"}, // trail of a
    "c": {"command": "z"}, // trail of c
    /* about b */ "b": {
      "command": "y",
    }
    // the end
"""
        in back
    )


def test_the_whole_section_comes_back_as_it_was() -> None:
    moved = move_out(CONFIG, SECTION, {"a", "c"}, "toolbooth", ENTRY)
    assert restore_section(moved, SECTION, CONFIG) == CONFIG


def test_a_section_that_has_gone_is_made_anew() -> None:
    original = '{"mcp": {"servers": {"a": {"command": "x"}}}}'
    assert move_back('{\n  "y": 1\n}', ("mcp", "servers"), "", original, {"a": "a"}) == (
        '{\n  "y": 1,\n  "mcp": {\n  "servers": {"a": {"command": "x"}}}\n}'
    )


def test_of_a_section_that_stands_twice_the_last_counts() -> None:
    text = '{"mcpServers": {"old": {}}, "mcpServers": {"a": {}}}'
    assert move_out(text, SECTION, {"a"}, "t", {}) == '{"mcpServers": {"old": {}}, "mcpServers": {"t": {}}}'
