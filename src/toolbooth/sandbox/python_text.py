"""Python text as a syntax tree, safely beside other threads."""

import ast
import threading
import warnings
from typing import Final

# Before Python 3.11.8 and 3.12.2, two threads that parse at once can get a SystemError (cpython issue 106905). And
# `catch_warnings` changes the filters of all threads: two that overlap may leave the wrong ones behind.
_ONE_AT_A_TIME: Final = threading.RLock()


def parse_module(text: str) -> ast.Module:
    """Raises what `ast.parse` raises. Warnings about the text, such as on a wrong escape, are dropped."""
    with _ONE_AT_A_TIME, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)


def parse_expression(text: str) -> ast.expr:
    """Parse a single expression."""
    with _ONE_AT_A_TIME, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text, mode="eval").body
