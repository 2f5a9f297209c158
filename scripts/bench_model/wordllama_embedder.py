"""WordLlama in its own process, with its own dependencies, as an `Embedder`."""

import io
import json
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import IO, cast

import numpy as np

from toolbooth.search import OnnxEmbedder
from toolbooth.search.embedder import Vectors, unit

from .packages import Absent, Packages, last_line

LENGTH = 8  # as the process has it, which cannot import us
_PROCESS = Path(__file__).with_name("wordllama_process.py")


class WordLlamaEmbedder(OnnxEmbedder):
    """Reads a tool as `OnnxEmbedder` does, by inheritance, so that both get the same text; nothing else is shared."""

    def __init__(self, packages: Packages) -> None:
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process
        self._process = subprocess.Popen(
            packages.command(_PROCESS),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._said,
            env=packages.env,
        )
        self._dimensions = int(self._ask(["ready"]).shape[1])

    @property
    def name(self) -> str:
        """There is only one model."""
        return "wordllama-l2-supercat-256"

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """One unit vector per text; zero where WordLlama has none (it divides by a length of zero)."""
        if not texts:
            return np.zeros((0, self._dimensions), np.float32)
        return unit(np.nan_to_num(self._ask(texts)).astype(np.float32))

    def close(self) -> None:
        """The process ends when its input is closed."""
        cast("IO[bytes]", self._process.stdin).close()
        self._process.wait()
        cast("IO[bytes]", self._process.stdout).close()
        self._said.close()

    def _ask(self, texts: Sequence[str]) -> Vectors:
        asking, answers = cast("IO[bytes]", self._process.stdin), cast("IO[bytes]", self._process.stdout)
        try:
            asking.write(json.dumps(list(texts)).encode() + b"\n")
            asking.flush()
        except BrokenPipeError:
            raise Absent(self._reason()) from None
        size = int.from_bytes(answers.read(LENGTH), "big")
        if not size:
            raise Absent(self._reason())
        found: Vectors = np.load(io.BytesIO(answers.read(size)))
        return found

    def _reason(self) -> str:
        self._process.wait()
        self._said.seek(0)
        return f"its process ended: {last_line(self._said.read().decode(errors='replace'))}"
