"""Servers with no key around them."""

from tests.unit.catalog.config.conftest import Read


def test_a_pasted_map_is_read(read: Read) -> None:
    found = read("x.json", '{"a": {"command": "npx"}, "b": {"url": "https://x.dev/mcp"}}')
    assert [(spec.name, spec.transport) for spec in found.servers] == [("a", "stdio"), ("b", "auto")]
