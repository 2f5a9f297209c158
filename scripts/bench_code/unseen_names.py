"""The names in a call that the model cannot know yet: a right guess must not count as skill."""

import ast
import re
from collections.abc import Iterator

from toolbooth.demo import DEMO_SERVERS

from .agent import Call

_WORD = re.compile(r"[A-Za-z_]\w*")
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"|&|@")
_JMESPATH = {"sum", "min_by", "max_by", "null", "not_null", "length", "sort_by"}


def unseen(call: Call, heard: str) -> list[str]:
    """Tools, their arguments and keys of answers that no search and no answer has shown."""
    known = set(_WORD.findall(heard))
    return sorted({name for name in _names(call) if not set(_WORD.findall(name)) <= known})


def _names(call: Call) -> Iterator[str]:
    given = call.arguments
    if call.tool == "call_tool":
        yield from (given["name"], *given["arguments"])
        yield from _WORD.findall(given.get("fields", ""))
    elif call.tool == "read_result":
        yield from set(_WORD.findall(_QUOTED.sub("", given.get("path", "")))) - _JMESPATH
    elif call.tool == "call_tool_chain":
        yield from _in_code(given["code"])


def _in_code(code: str) -> Iterator[str]:
    tree = compile(code, "<chain>", "exec", ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    for node in ast.walk(tree):
        match node:
            case ast.Call(ast.Attribute(ast.Name(server), tool), _, keywords) if server in DEMO_SERVERS:
                yield f"{server}.{tool}"
                yield from (each.arg for each in keywords if each.arg)
            case ast.Subscript(_, ast.Constant(str(key))):
                yield key
