"""What a server says of itself → one line on what it is for; where it says nothing, the names of some of its tools."""

import re
from typing import Final

from toolbooth.catalog import ServerTools
from toolbooth.safetext import for_terminal

_HEADINGS: Final = re.compile(r"\A(?:\s*#[^\n]*(?:\n|\Z))+")  # a title in Markdown repeats the name
_SENTENCE: Final = 140  # characters
_TOOLS, _TOOL = 4, 40  # names of tools, and characters of each


def about(server: ServerTools) -> str:
    """Clean, and empty where nothing is known of it."""
    from toolbooth.search import one_line

    told = (_HEADINGS.sub("", each or "") for each in (server.description, server.instructions))
    said = one_line(next((each for each in told if each.strip()), ""), _SENTENCE).rstrip(".")
    if said or not server.tools:
        return said
    more = ", …" if len(server.tools) > _TOOLS else ""
    return ", ".join(for_terminal(tool.name, _TOOL) for tool in server.tools[:_TOOLS]) + more
