"""A tool in one line, as an index for a model has it: what the tests of signatures read and weigh."""

from toolbooth.catalog import Tool
from toolbooth.search.signatures import one_line, signature


def brief_line(tool: Tool) -> str:
    """The signature and the first sentence of the description, if there is one."""
    said = one_line(tool.description)
    return f"{signature(tool)} — {said}" if said else signature(tool)
