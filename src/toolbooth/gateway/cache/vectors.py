"""Vectors of a server's tools → bytes with the name of the embedder that made them, and back."""

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from toolbooth.search import SearchEngine

_BYTES = 4


class StoredVectors(NamedTuple):
    """Rows of little-endian float32, one a tool: good only for the same embedder, tools and words about them."""

    embedder: str
    columns: int
    rows: bytes

    @classmethod
    def of(cls, engine: "SearchEngine", server: str) -> "StoredVectors | None":
        """What an engine holds for one server, if it embeds at all."""
        vectors = engine.vectors(server)
        if vectors is None or engine.embedder is None:
            return None
        return cls(engine.embedder.name, vectors.shape[1], vectors.astype("<f4").tobytes())

    def fitting(self, engine: "SearchEngine", tools: int) -> "NDArray[np.float32] | None":
        """The rows, where this engine's embedder made them for as many tools."""
        import numpy as np

        if engine.embedder is None or engine.embedder.name != self.embedder or not self.columns:
            return None
        if len(self.rows) != tools * self.columns * _BYTES:
            return None
        return np.frombuffer(self.rows, "<f4").reshape(tools, self.columns).astype(np.float32)
