"""Text that is quoted in a finding → the same with every well-known key cut to its beginning."""

import re

from toolbooth.catalog import KEY_SHAPES


def masked(key: str) -> str:
    """So much of a key that its owner knows it, and nobody can use it."""
    return f"{key[:6]}… ({len(key)} characters)"


def with_keys_masked(text: str) -> str:
    """A report is pasted into tickets, whatever it is about."""
    lowered = text.lower()
    for shape in KEY_SHAPES:
        if shape.hint in lowered:
            text = shape.pattern.sub(_mask, text)
    return text


def _mask(found: re.Match[str]) -> str:
    return masked(found[0])
