"""A moment and a session, where they are named → the condition that chooses rows."""

from typing import NamedTuple, Self

from toolbooth.gateway.ledger.row import session_number


class Chosen(NamedTuple):
    """An SQL condition and its values."""

    where: str
    values: tuple[float | int, ...]

    @classmethod
    def of(cls, since: float | None, session: str | None) -> Self:
        """Rows since a moment of the epoch, and of the session with this digest."""
        parts: list[tuple[str, float | int]] = [] if since is None else [("at >= ?", since)]
        parts += [] if session is None else [("session = ?", session_number(session))]
        return cls(" AND ".join(part for part, _ in parts) or "1", tuple(value for _, value in parts))
