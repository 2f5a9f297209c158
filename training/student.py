"""The table in training: rows, one common rotation, and the weight of each row in a request."""

from typing import Final

import torch
from torch import nn
from torch.nn.functional import embedding_bag, normalize

from training.bags import Batch

DIMENSIONS: Final = 256


class Student(nn.Module):
    """`rows` are summed; `turn` also moves the rows that few texts use, and is applied to them at the end."""

    def __init__(self, start: torch.Tensor) -> None:
        super().__init__()
        self.rows = nn.Parameter(start.clone())
        self.turn = nn.Parameter(torch.eye(start.shape[1]))
        self.asked = nn.Parameter(torch.zeros(start.shape[0]))  # log weight of a row in a request

    def text(self, batch: Batch) -> torch.Tensor:
        """Unit vectors of texts, read as fields of tools."""
        return self._pool(batch, batch.weights)

    def query(self, batch: Batch) -> torch.Tensor:
        """Unit vectors of requests."""
        return self._pool(batch, batch.weights * self.asked[batch.rows].exp())

    def tool(
        self, fields: list[Batch], weights: tuple[float, ...], hidden: torch.Tensor | None = None
    ) -> torch.Tensor:
        """Unit vectors of tools from unit vectors of their fields; `hidden` (fields × tools) leaves some out."""
        parts = [weight * self.text(batch) for weight, batch in zip(weights, fields, strict=True)]
        if hidden is not None:
            parts = [part * (1 - hidden[at])[:, None] for at, part in enumerate(parts)]
        return normalize(torch.stack(parts).sum(0), dim=1)

    def _pool(self, batch: Batch, weights: torch.Tensor) -> torch.Tensor:
        summed = embedding_bag(batch.rows, self.rows, batch.starts, mode="sum", per_sample_weights=weights)
        return normalize(summed @ self.turn, dim=1)
