"""A number and a noun → both as one says them."""


def counted(amount: int, noun: str) -> str:
    """`1 question`, `2,000 questions`, `2 queries`."""
    many = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{amount:,} {noun if amount == 1 else many}"
