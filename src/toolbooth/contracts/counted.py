"""A number and a noun → both as one says them."""


def counted(amount: int, noun: str) -> str:
    """`1 tool`, `2,000 tools`."""
    return f"{amount:,} {noun}{'' if amount == 1 else 's'}"
