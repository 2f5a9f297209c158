"""Zed's settings, new and old."""

from tests.unit.catalog.config.conftest import Read


def test_flat_nested_remote_extension_and_disabled(read: Read) -> None:
    found = read(
        ".config/zed/settings.json",
        """// Zed settings
        {
          "theme": "One Dark",
          "context_servers": {
            "flat": {"source": "custom", "command": "some", "args": ["a"], "env": {"K": "v"}},
            "nested": {"command": {"path": "npx", "args": ["-y", "x"], "env": null}, "settings": {}},
            "remote": {"url": "https://x.dev/mcp", "headers": {"A": "b"}, "timeout": 60},
            "ext": {"source": "extension", "settings": {"token": "hunter2"}},
            "older-ext": {"settings": {}},
            "off": {"enabled": false, "command": "x", "args": []},
          },
        }""",
    )
    flat, nested, remote = found.servers
    assert found.client == "Zed"
    assert (flat.command, flat.args, flat.env) == ("some", ("a",), {"K": "v"})
    assert (nested.command, nested.args) == ("npx", ("-y", "x"))
    assert (remote.transport, remote.headers) == ("auto", {"A": "b"})
    assert [problem.server for problem in found.problems] == ["ext", "older-ext"]
    assert "Zed extension" in found.problems[0].reason
    assert found.disabled == ("off",)


def test_a_pasted_map_is_read(read: Read) -> None:
    found = read("x.json", '{"a": {"command": "npx"}, "b": {"url": "https://x.dev/mcp"}}')
    assert [(spec.name, spec.transport) for spec in found.servers] == [("a", "stdio"), ("b", "auto")]
