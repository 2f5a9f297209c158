"""`toolbooth.registry`: names, order, aliases, and names that are taken."""

from collections.abc import Callable

import pytest

from toolbooth.registry import Registry


def test_a_plugin_is_found_by_its_name_and_its_aliases_in_the_order_of_registration() -> None:
    registry: Registry[str] = Registry("reader")
    registry.add("csv", "c")
    registry.register("json", "jsonl")("j")
    assert dict(registry) == {"csv": "c", "json": "j", "jsonl": "j"}
    assert list(registry) == ["csv", "json", "jsonl"]
    assert (len(registry), "xml" in registry, registry.get("xml")) == (3, False, None)


def test_what_is_decorated_stays_as_it_is() -> None:
    registry: Registry[Callable[[], int]] = Registry("gate")

    @registry.register("five")
    def five() -> int:
        return 5

    assert registry["five"] is five


def test_a_name_that_is_taken_is_refused_with_the_kind_of_plugin() -> None:
    registry: Registry[int] = Registry("surface")
    registry.add("code", 1)
    with pytest.raises(ValueError, match="duplicate surface 'code'"):
        registry.register("code")(2)
    assert registry["code"] == 1
