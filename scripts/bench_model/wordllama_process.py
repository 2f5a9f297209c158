"""WordLlama's vectors for JSON lines of texts on stdin; each goes to stdout as .npy, preceded by its length.

It runs in its own interpreter, which has wordllama.
"""

import io
import json
import sys
from pathlib import Path

import numpy as np
import wordllama  # type: ignore[import-not-found, unused-ignore]

LENGTH = 8  # bytes, big end first


def main() -> None:
    """Nothing is downloaded: weights and vocabulary are in the package."""
    # Of its own folder it finds only the weights (`tokenizer` is `tokenizers` there); as a cache it finds both.
    home = Path(wordllama.__file__).parent
    model = wordllama.WordLlama.load(cache_dir=home, disable_download=True)
    for line in sys.stdin.buffer:
        file = io.BytesIO()
        np.save(file, model.embed(json.loads(line), norm=True))
        sys.stdout.buffer.write(len(file.getvalue()).to_bytes(LENGTH, "big") + file.getvalue())
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
