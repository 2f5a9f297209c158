"""The files of a trained model as the product reads them: `model.safetensors` (int8 by row) and `tokenizer.json`."""

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import orjson
from numpy.typing import NDArray
from safetensors.numpy import save

from toolbooth.search.vocabulary import WordPieces

if TYPE_CHECKING:
    import torch  # no import at run time: packing is tested where torch is not installed

Floats = NDArray[np.float32]


def pack(rows: Floats, asked: Floats, pieces: WordPieces, folder: Path, about: dict[str, str]) -> str:
    """Write both files; returns the hash of the weights. `asked` are factors on the scale in a request."""
    scale = np.abs(rows).max(axis=1) / 127
    scale[scale == 0] = 1
    table = np.rint(rows / scale[:, None]).astype(np.int8)
    tensors = {
        "E": table,
        "scale": scale.astype(np.float16),
        "asked": (scale * asked).astype(np.float16),
    }
    folder.mkdir(parents=True, exist_ok=True)
    weights = save(tensors, metadata=about)
    (folder / "model.safetensors").write_bytes(weights)
    (folder / "tokenizer.json").write_bytes(orjson.dumps({"model": {"vocab": pieces.rows}}))
    return hashlib.sha256(weights).hexdigest()


def as_numpy(tensor: "torch.Tensor") -> Floats:
    """A tensor without its gradient history."""
    found: Floats = tensor.detach().numpy().astype(np.float32)
    return found
