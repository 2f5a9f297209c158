"""A line of words → a set of them: tables of words are read as lines, not as lists of quoted words."""


def word_set(text: str) -> frozenset[str]:
    """`a b c` → {a, b, c}."""
    return frozenset(text.split())
