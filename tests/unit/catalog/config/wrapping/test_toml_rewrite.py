"""The text of a TOML file: tables are moved whole, with the comments above them."""

from toolbooth.catalog.config.wrapping.toml_rewrite import movable, move_back, move_out

SECTION = ("mcp_servers",)
CONFIG = '''model = "x"

# about a
[mcp_servers.a]
command = "x"
args = [
  "[not.a.header]",
]
note = """
[mcp_servers.neither]
"""

[mcp_servers.a.env]
K = "v"

# of the projects
[projects."/x"]
trust_level = "trusted"

[mcp_servers."b.c"]
command = "y"
'''


def test_one_table_takes_the_place_of_the_first_that_moves() -> None:
    assert move_out(CONFIG, SECTION, {"a", "b.c"}, "toolbooth", {"command": "tb", "args": ["serve"]}) == (
        'model = "x"\n\n[mcp_servers.toolbooth]\ncommand = "tb"\nargs = ["serve"]\n\n'
        '# of the projects\n[projects."/x"]\ntrust_level = "trusted"\n\n'
    )


def test_servers_come_back_whole_and_under_another_name() -> None:
    moved = move_out(CONFIG, SECTION, {"a", "b.c"}, "toolbooth", {"command": "tb"})
    back = move_back(moved, SECTION, "toolbooth", CONFIG, {"a": "a.2", "b.c": "b.c"})
    assert '# about a\n[mcp_servers."a.2"]\ncommand = "x"' in back
    assert '[mcp_servers."a.2".env]\nK = "v"' in back
    assert '[mcp_servers."b.c"]\ncommand = "y"\n' in back
    assert "toolbooth" not in back


def test_only_what_stands_in_a_table_of_its_own_can_move() -> None:
    text = '[mcp_servers]\ninline = {command = "x"}\na.command = "y"\n[mcp_servers.b]\ncommand = "z"\n'
    assert movable(text, SECTION) == {"b"}
    assert movable('mcp_servers.a.command = "x"\n', SECTION) == frozenset()
