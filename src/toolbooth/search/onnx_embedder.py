"""An embedder that runs a local ONNX model (`model.onnx` and `tokenizer.json`); it needs the `onnx` extra."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from toolbooth import catalog, errors, limits, suggest
from toolbooth.search import analysis, embedder, fields, vocabulary

_MAX_PIECES: Final = 256  # the length that small sentence models were trained with
_BATCH: Final = 32


class OnnxEmbedder:
    """An `Embedder` for BERT-like models with a WordPiece vocabulary: the mean of the token vectors.

    `path` is the model file or its folder; `tokenizer.json` must be in the same folder. Raises UserMistake if a file or
    a package is missing.
    """

    def __init__(self, path: Path | str) -> None:
        given = Path(path)
        self._file = given / "model.onnx" if given.is_dir() else given
        if not self._file.is_file():
            raise errors.UserMistake(
                f"{self._file}: no such model file; give the path of a .onnx file or of its folder"
            )
        if not (self._file.parent / "tokenizer.json").is_file():
            raise errors.UserMistake(
                f"{self._file.parent / 'tokenizer.json'}: no vocabulary; put it beside the model"
            )
        self._pieces = vocabulary.read_pieces(self._file.parent)
        self._session = _open(self._file)
        self._inputs = {each.name for each in self._session.get_inputs()}
        self._dimensions = int(self._run([[0]]).shape[1])

    @property
    def name(self) -> str:
        """The model's path, size and date, so that a changed model has a new name."""
        about = self._file.stat()
        return f"onnx-{self._file.resolve()}-{about.st_size}-{about.st_mtime_ns}"

    @property
    def dimensions(self) -> int:
        """Width of the model's vectors."""
        return self._dimensions

    def embed_queries(self, texts: Sequence[str]) -> embedder.Vectors:
        """One unit vector per text."""
        rows = [self._run([self._tokens(text) for text in batch]) for batch in _batches(texts)]
        return np.concatenate([np.zeros((0, self._dimensions), np.float32), *rows])

    def embed_tools(self, tools: Sequence[catalog.Tool], about: str = "") -> embedder.Vectors:
        """A tool is embedded as one text: name, server, description, parameters, what the server says about itself."""
        texts = []
        for tool in tools:
            name, server, description, parameters, _ = fields.field_texts(tool)
            texts.append(f"{name} ({server}): {description} {parameters} {about[: limits.MAX_ABOUT]}")
        return self.embed_queries(texts)

    def _tokens(self, text: str) -> list[int]:
        inner = [
            row
            for word in analysis.split(text)
            for part in word.parts or (word.whole,)
            for row in self._pieces.of_word(part)
        ]
        first, last = self._pieces.rows.get("[CLS]"), self._pieces.rows.get("[SEP]")
        framed = [first, *inner[: _MAX_PIECES - 2], last]
        return [row for row in framed if row is not None] or [self._pieces.rows.get("[UNK]", 0)]

    def _run(self, rows: Sequence[Sequence[int]]) -> embedder.Vectors:
        width = max(map(len, rows))
        ids = np.array([[*row, *[0] * (width - len(row))] for row in rows], np.int64)
        mask = np.array([[1] * len(row) + [0] * (width - len(row)) for row in rows], np.int64)
        offered = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        out = self._session.run(None, {name: offered[name] for name in self._inputs if name in offered})[0]
        if out.ndim == 3:  # token vectors; a model that pools them itself returns two dimensions
            weights = mask[..., None].astype(np.float32)
            out = (out * weights).sum(axis=1) / weights.sum(axis=1)
        return embedder.unit(np.asarray(out, np.float32))


def _batches(texts: Sequence[str]) -> list[Sequence[str]]:
    return [texts[at : at + _BATCH] for at in range(0, len(texts), _BATCH)]


def _open(file: Path) -> Any:
    try:
        import onnxruntime  # type: ignore[import-untyped]
    except ImportError as missing:
        raise errors.UserMistake(
            f"ONNX models need onnxruntime: {suggest.install_extra('onnx')}"
        ) from missing
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime raises its own untyped exceptions
        raise errors.UserMistake(f"{file}: cannot run this ONNX model: {error}") from error
