"""Stage 1: rows whose sums point in the direction of the teacher's vectors."""

from collections.abc import Callable
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.functional import normalize

from training.bags import Bags
from training.student import DIMENSIONS, Student

Floats = NDArray[np.float32]
Say = Callable[[str], None]

_BATCH: Final = 1_024
_RATE: Final = 2e-3
_ALIKE: Final = 10.0  # weight of the similarities within a batch beside the direction of each text
_COMMON: Final = 3e-4  # a piece with this frequency counts half at the start


def principal(vectors: Floats, width: int = DIMENSIONS) -> Floats:
    """The directions in which the teacher's vectors vary most; not centred, because that gained nothing."""
    _, found = np.linalg.eigh(vectors.T.astype(np.float64) @ vectors)
    directions: Floats = found[:, ::-1][:, :width].astype(np.float32)
    return directions


def starting_rows(alone: Floats, directions: Floats, counts: list[int], blank: list[bool]) -> torch.Tensor:
    """Every piece as the teacher encodes it alone; common ones are small, phrases are zero."""
    share = np.array(counts, np.float64) / max(1, sum(counts))
    weight = (_COMMON / (_COMMON + share)).astype(np.float32)
    weight[np.array(blank, np.bool_)] = 0
    centred = alone - alone.mean(axis=0)
    return torch.from_numpy((centred @ directions) * weight[:, None])


def distil(student: Student, bags: Bags, taught: Floats, directions: Floats, epochs: int, say: Say) -> None:
    """Adam with a rate that falls to zero; a text without rows is skipped."""
    turned = normalize(torch.from_numpy(taught @ directions), dim=1)
    whole = torch.from_numpy(taught)
    optimizer = torch.optim.Adam([student.rows, student.turn], lr=_RATE)
    steps = epochs * (len(bags) // _BATCH)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 1 - step / max(1, steps))
    for epoch in range(epochs):
        order = np.random.default_rng(epoch).permutation(len(bags))
        lost = 0.0
        for at in range(len(bags) // _BATCH):
            which = order[at * _BATCH : (at + 1) * _BATCH]
            made = student.text(bags.take(which))
            own, alike = turned[which], whole[which] @ whole[which].T
            loss = (1 - (made * own).sum(1)).mean() + _ALIKE * ((made @ made.T - alike) ** 2).mean()
            optimizer.zero_grad(set_to_none=True)
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            schedule.step()
            lost += loss.item()
        say(f"stage 1: epoch {epoch + 1} of {epochs}, loss {lost / max(1, len(bags) // _BATCH):.4f}")
