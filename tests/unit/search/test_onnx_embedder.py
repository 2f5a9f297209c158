"""A sentence model by path, with a tiny one made here."""

from pathlib import Path

import numpy as np
import pytest
from tests.unit.search.sample_catalog import TOOLS, catalog
from tests.unit.search.tiny_model import write_model

from toolbooth.errors import UserMistake
from toolbooth.search import OnnxEmbedder, SearchEngine

pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_model(tmp_path_factory.mktemp("model"))


def test_a_folder_or_a_file_is_a_model(model: Path) -> None:
    for path in (model, str(model / "model.onnx")):
        embedder = OnnxEmbedder(path)
        assert embedder.dimensions == 32
        rows = embedder.embed_queries(["read a file", "read a file", "", "send mail " * 500])
        np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-4)
        np.testing.assert_array_equal(rows[0], rows[1])


def test_an_engine_searches_with_it(model: Path) -> None:
    engine = SearchEngine.of(catalog(), OnnxEmbedder(model))
    best = engine.search("send an email message to people").hits[0]
    assert best.tool.id == "mail.send_email"
    assert "semantic" in best.why.tiers


def test_texts_in_one_batch_do_not_change_each_other(model: Path) -> None:
    embedder = OnnxEmbedder(model)
    together = embedder.embed_queries(["file", "a much longer text about mail and weather"])
    np.testing.assert_allclose(together[0], embedder.embed_queries(["file"])[0], atol=1e-5)
    assert embedder.embed_tools(TOOLS).shape == (len(TOOLS), 32)
    assert embedder.embed_tools([]).shape == (0, 32)


def test_what_is_missing_or_broken_is_said(model: Path, tmp_path: Path) -> None:
    with pytest.raises(UserMistake, match="no such model file"):
        OnnxEmbedder(tmp_path)
    (tmp_path / "model.onnx").write_bytes(b"not a model")
    with pytest.raises(UserMistake, match=r"tokenizer\.json"):
        OnnxEmbedder(tmp_path)
    (tmp_path / "tokenizer.json").write_bytes((model / "tokenizer.json").read_bytes())
    with pytest.raises(UserMistake, match="cannot run this ONNX model"):
        OnnxEmbedder(tmp_path)
