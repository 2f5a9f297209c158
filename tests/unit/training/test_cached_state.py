"""What needs torch: a stage is trained once for the same inputs, and a tensor becomes plain numbers."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from training.cached_state import cached_state, digest_of
from training.pack import as_numpy


class Training:
    """Counts how often it runs."""

    def __init__(self) -> None:
        self.runs = 0

    def __call__(self) -> dict[str, Any]:
        self.runs += 1
        return {"rows": torch.arange(6.0).reshape(2, 3) * self.runs, "asked": torch.tensor([1.5, self.runs])}


def test_the_same_inputs_are_not_trained_twice(tmp_path: Path) -> None:
    train = Training()
    first = cached_state(tmp_path, "stage1", ["texts", 6], train)
    again = cached_state(tmp_path, "stage1", ["texts", 6], train)
    assert train.runs == 1
    assert first.keys() == again.keys() == {"rows", "asked"}
    assert all(torch.equal(first[name], again[name]) for name in first)


@pytest.mark.parametrize(
    ("name", "made_of"),
    [("stage2", ["texts", 6]), ("stage1", ["texts", 7]), ("stage1", ["texts"]), ("stage1", ["text", "s6"])],
)
def test_other_inputs_are_trained_anew(tmp_path: Path, name: str, made_of: list[object]) -> None:
    train = Training()
    cached_state(tmp_path, "stage1", ["texts", 6], train)
    other = cached_state(tmp_path, name, made_of, train)
    assert train.runs == 2
    assert other["asked"][1] == 2
    assert cached_state(tmp_path, "stage1", ["texts", 6], train)["asked"][1] == 1


def test_a_training_that_fails_leaves_nothing(tmp_path: Path) -> None:
    def fail() -> dict[str, Any]:
        raise RuntimeError("out of patience")

    with pytest.raises(RuntimeError, match="out of patience"):
        cached_state(tmp_path, "stage1", ["texts"], fail)
    assert list(tmp_path.iterdir()) == []


def test_half_a_file_is_never_left_under_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def break_off(state: object, path: Path) -> None:
        path.write_bytes(b"half")
        raise OSError("no space left")

    with monkeypatch.context() as patch:
        patch.setattr(torch, "save", break_off)
        with pytest.raises(OSError, match="no space"):
            cached_state(tmp_path, "stage1", ["texts"], Training())
    assert not list(tmp_path.glob("*.pt"))
    train = Training()
    cached_state(tmp_path, "stage1", ["texts"], train)
    assert train.runs == 1
    assert [path.suffix for path in tmp_path.iterdir()] == [".pt"]


def test_a_digest_tells_texts_their_order_and_their_ends_apart() -> None:
    given = [["ab", "c"], ["a", "bc"], ["c", "ab"], ["abc"], ["ab", "c", ""], []]
    assert len({digest_of(texts) for texts in given}) == len(given)
    assert digest_of(["ab", "c"]) == digest_of(iter(["ab", "c"]))


def test_a_tensor_loses_its_history() -> None:
    found = as_numpy(torch.ones(2, 3, dtype=torch.float64, requires_grad=True) * 2)
    assert found.dtype == np.float32
    np.testing.assert_array_equal(found, np.full((2, 3), 2))
