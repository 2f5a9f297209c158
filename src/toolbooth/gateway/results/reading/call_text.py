"""What is to be read → the very call that reads it, as a model copies it."""

import json


def call_text(
    ref: str, *, path: str = "", query: str = "", start: int = 0, lines: int = 0, max_bytes: int = 0
) -> str:
    """`read_result(ref='…', path='orders[3:]')`; only what is given is written."""
    texts = {"ref": ref, "path": path, "query": query}
    numbers = {"start": start, "lines": lines, "max_bytes": max_bytes}
    written = [f"{name}={_quoted(text)}" for name, text in texts.items() if text]
    written += [f"{name}={number}" for name, number in numbers.items() if number]
    return f"read_result({', '.join(written)})"


def _quoted(text: str) -> str:
    """In single quotes, which JSON need not escape; what Python and JSON read differently there, in double ones."""
    plain = text.isprintable() and "'" not in text and "\\" not in text
    return f"'{text}'" if plain else json.dumps(text)
