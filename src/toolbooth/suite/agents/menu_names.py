"""Tools of many servers → the names under which a model is offered them, and names near a wrong one."""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from hashlib import blake2b
from typing import Final

from toolbooth.catalog import Tool
from toolbooth.limits import MAX_PUBLIC_NAME

_LEGAL: Final = re.compile(rf"[a-zA-Z0-9_-]{{1,{MAX_PUBLIC_NAME}}}")
_ILLEGAL: Final = re.compile(r"[^a-zA-Z0-9_-]")
_HASH: Final = 8
_NEAREST, _ALIKE = 3, 60.0  # rapidfuzz's ratio: below it, names have only letters in common


def menu_names(tools: Sequence[Tool]) -> dict[str, Tool]:
    """Its own name where no other tool has it and providers take it; else `server__tool`, in legal letters.

    What a tool is called does not depend on the order in which tools come.
    """
    times = Counter(tool.name for tool in tools)
    bare = {
        tool.name: tool for tool in tools if times[tool.name] == 1 and _LEGAL.fullmatch(tool.name) is not None
    }
    long = [tool for tool in tools if bare.get(tool.name) is not tool]
    wanted = Counter(_long_name(tool) for tool in long)
    clear = {
        name: tool
        for tool in long
        if wanted[name := _long_name(tool)] == 1 and name not in bare and _LEGAL.fullmatch(name) is not None
    }
    named = {**bare, **clear}
    for tool in sorted(long, key=lambda tool: tool.id):
        if clear.get(_long_name(tool)) is not tool:
            named[_hashed(tool, named)] = tool
    names = {tool.id: name for name, tool in named.items()}
    return {names[tool.id]: tool for tool in tools}


def nearest_names(name: str, names: Collection[str]) -> tuple[str, ...]:
    """Those spelled most like it, the best first."""
    from rapidfuzz import process, utils
    from rapidfuzz.fuzz import ratio

    found = process.extract(
        name,
        sorted(names),
        scorer=ratio,
        processor=utils.default_process,
        score_cutoff=_ALIKE,
        limit=_NEAREST,
    )
    return tuple(match[0] for match in found)


def _long_name(tool: Tool) -> str:
    return _ILLEGAL.sub("_", f"{tool.server}__{tool.name}")


def _hashed(tool: Tool, taken: Collection[str]) -> str:
    digest = blake2b(tool.id.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    sizes = range(_HASH, len(digest) + 1)
    names = (f"{_long_name(tool)[: MAX_PUBLIC_NAME - size - 1]}_{digest[:size]}" for size in sizes)
    return next(name for name in names if name not in taken)
