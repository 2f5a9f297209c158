"""A sentence model of one table lookup, made on the spot: only shared words make texts alike."""

from pathlib import Path

import numpy as np
import orjson
import pytest

from toolbooth.search.vocabulary import word_pieces


def write_model(folder: Path) -> Path:
    """`model.onnx` and `tokenizer.json`; skips where the parts to make or run it are absent."""
    onnx = pytest.importorskip("onnx", reason="onnx is not installed")
    pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
    helper, kind = onnx.helper, onnx.TensorProto
    vocabulary = word_pieces().rows
    rows = np.random.default_rng(0).standard_normal((len(vocabulary), 32)).astype(np.float32)
    graph = helper.make_graph(
        [helper.make_node("Gather", ["table", "input_ids"], ["token_vectors"])],
        "lookup",
        [helper.make_tensor_value_info("input_ids", kind.INT64, ["batch", "length"])],
        [helper.make_tensor_value_info("token_vectors", kind.FLOAT, ["batch", "length", 32])],
        [onnx.numpy_helper.from_array(rows, "table")],
    )
    opset = [helper.make_opsetid("", 17)]
    onnx.save(helper.make_model(graph, opset_imports=opset, ir_version=8), folder / "model.onnx")
    (folder / "tokenizer.json").write_bytes(orjson.dumps({"model": {"vocab": vocabulary}}))
    return folder
