"""The key tables of `toolbooth.yaml` → a JSON Schema, so that an editor completes, explains and checks the file."""

from typing import Any

from toolbooth.catalog.config.formats.toolbooth_yaml import TOP


def config_schema() -> dict[str, Any]:
    """Made from the same tables that the reader checks with, so the two cannot disagree."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "toolbooth.yaml",
        "description": "MCP servers, caps on their answers, and how the Toolbooth gateway behaves.",
        **TOP.schema(),
    }
