"""The protocol of semantic search: embedders turn texts and tools into unit vectors of one space."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from toolbooth import catalog

Vectors = NDArray[np.float32]


class Embedder(Protocol):
    """Rows are unit vectors, or zero where a text says nothing; their dot product is the score.

    `name` distinguishes models and their versions: stored vectors are valid only for the same name.
    """

    @property
    def name(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    def embed_queries(self, texts: Sequence[str]) -> Vectors: ...

    def embed_tools(self, tools: Sequence[catalog.Tool], about: str = "") -> Vectors: ...


def unit(rows: Vectors) -> Vectors:
    """Scale every row to length one; zero rows stay zero."""
    lengths = np.sqrt(np.einsum("...i,...i->...", rows, rows))[..., None]
    lengths[lengths == 0] = 1
    units: Vectors = rows / lengths
    return units
