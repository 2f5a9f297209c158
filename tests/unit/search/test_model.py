"""The weights in the package are those of the model card, small and quick to tell from others."""

import hashlib
import shutil
from pathlib import Path

import pytest
from safetensors import safe_open

from toolbooth.search.static_table import StaticTable
from toolbooth.search.vocabulary import MODEL, word_pieces

FOLDER = Path(str(MODEL))
PINNED = {  # a change of weights is a new version: `make train`, the model card, then these
    "model.safetensors": "6cc4e66867577b055338406503b810fffc5de623ddef7270834ba17c752b7a7a",
    "tokenizer.json": "f4cfb9e50168302c1b9b7674b4015bbdd01a9ea18042dc2e82ceff6419e33a7b",
}
MOST_BYTES = 8_000_000


@pytest.mark.parametrize("name", PINNED)
def test_the_files_are_the_pinned_ones(name: str) -> None:
    assert hashlib.sha256((FOLDER / name).read_bytes()).hexdigest() == PINNED[name]


def test_the_model_stays_under_eight_megabytes() -> None:
    assert sum(each.stat().st_size for each in FOLDER.iterdir() if each.is_file()) <= MOST_BYTES


def test_the_weights_name_their_version_and_have_a_row_for_every_piece() -> None:
    with safe_open(FOLDER / "model.safetensors", "np") as weights:
        assert weights.metadata()["version"] == "2"
        rows = weights.get_tensor("E").shape[0]
        assert rows == len(weights.get_tensor("scale")) == len(weights.get_tensor("asked"))
    assert sorted(word_pieces().rows.values()) == list(range(rows))


def test_other_words_or_weights_have_another_name(tmp_path: Path) -> None:
    """Vectors that a gateway stored under the old name are not taken for the new model's."""
    copy = Path(shutil.copytree(FOLDER, tmp_path / "model"))
    assert StaticTable(copy).name == StaticTable().name
    words = (copy / "tokenizer.json").read_text("utf-8")
    (copy / "tokenizer.json").write_text(words.replace('"github"', '"githob"', 1), "utf-8")
    assert StaticTable(copy).name != StaticTable().name
