"""The state of a stage on disk, under a hash of everything that made it: the same inputs are not trained twice."""

import hashlib
from collections.abc import Callable, Iterable
from pathlib import Path

import torch

State = dict[str, torch.Tensor]


def cached_state(folder: Path, name: str, made_of: Iterable[object], train: Callable[[], State]) -> State:
    """Load the state, or train and write it atomically."""
    digest = hashlib.blake2b("\0".join(map(str, made_of)).encode(), digest_size=8).hexdigest()
    path = folder / f"{name}-{digest}.pt"
    if path.exists():
        found: State = torch.load(path)
        return found
    state = train()
    part = path.with_suffix(".part")
    torch.save(state, part)
    part.replace(path)
    return state


def digest_of(texts: Iterable[str]) -> str:
    """A hash of many texts in order."""
    found = hashlib.blake2b(digest_size=16)
    for text in texts:
        found.update(text.encode() + b"\0")
    return found.hexdigest()
