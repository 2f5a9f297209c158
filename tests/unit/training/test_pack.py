"""Rows of a student → files → the table that the product reads."""

import hashlib
from pathlib import Path

import numpy as np
import orjson
import pytest
from tests.unit.search.sample_catalog import TOOLS
from training.pack import Floats, pack

from toolbooth.catalog import Tool
from toolbooth.search import StaticTable
from toolbooth.search.embedder import unit
from toolbooth.search.vocabulary import WordPieces

WORDS = (
    "create new issue repository list read file disk weather forecast city send email message pull request"
)
PIECES = WordPieces({piece: row for row, piece in enumerate([*WORDS.split(), "##s", "pull request"])})
TEXTS = [
    "create issue",
    "create new issue",
    "list issues of a repository",
    "read file",
    "send email message",
    "merge pull request",
    "city",
]
INT8 = 0.02  # a half of 1/127 a number, summed over a few rows of 64 numbers


@pytest.fixture
def rows() -> Floats:
    """Rows of very different lengths, as training leaves them, and one of nothing."""
    rng = np.random.default_rng(0)
    lengths = rng.uniform(0.05, 20, (len(PIECES.rows), 1))
    found: Floats = (rng.standard_normal((len(PIECES.rows), 64)) * lengths).astype(np.float32)
    found[PIECES.rows["disk"]] = 0
    return found


def packed(rows: Floats, folder: Path, asked: Floats | None = None) -> StaticTable:
    factors = np.ones(len(rows), np.float32) if asked is None else asked
    pack(rows, factors, PIECES, folder, {"made by": "a test"})
    return StaticTable(folder)


def exact(rows: Floats, texts: list[str]) -> Floats:
    sums = [rows[PIECES.of_text(text.split())].sum(axis=0) for text in texts]
    return unit(np.array(sums, np.float32))


def test_cosines_are_those_of_the_rows_within_the_error_of_eight_bits(rows: Floats, tmp_path: Path) -> None:
    expected = exact(rows, TEXTS)
    found = packed(rows, tmp_path).embed_queries(TEXTS)
    np.testing.assert_allclose(found @ found.T, expected @ expected.T, atol=INT8)
    np.testing.assert_allclose(np.vecdot(found, expected), 1, atol=INT8)
    assert np.abs(expected @ expected.T - np.eye(len(TEXTS))).max() > 10 * INT8  # not all alike


def test_a_tool_is_read_with_the_scales_too(rows: Floats, tmp_path: Path) -> None:
    named = [Tool("zz", text) for text in TEXTS]
    found = packed(rows, tmp_path).embed_tools(named)
    np.testing.assert_allclose(np.vecdot(found, exact(rows, TEXTS)), 1, atol=INT8)


def test_a_table_without_its_scales_would_not_pass(rows: Floats, tmp_path: Path) -> None:
    flat = unit(rows)
    found = packed(flat, tmp_path).embed_queries(TEXTS)
    assert np.abs(np.vecdot(found, exact(rows, TEXTS)) - 1).max() > 2 * INT8


def test_a_row_of_nothing_stays_nothing(rows: Floats, tmp_path: Path) -> None:
    assert not packed(rows, tmp_path).embed_queries(["disk"]).any()


def test_factors_change_requests_and_not_tools(rows: Floats, tmp_path: Path) -> None:
    factors = np.ones(len(rows), np.float32)
    factors[PIECES.rows["create"]] = 0.1
    plain, other = packed(rows, tmp_path / "plain"), packed(rows, tmp_path / "other", factors)
    np.testing.assert_array_equal(
        plain.embed_tools(TOOLS, "send email"), other.embed_tools(TOOLS, "send email")
    )
    ask, same, issue = other.embed_queries(["create issue", "read file", "issue"])
    before, unchanged, _ = plain.embed_queries(["create issue", "read file", "issue"])
    np.testing.assert_allclose(same, unchanged, atol=1e-6)
    assert before @ issue < ask @ issue - 0.05
    weighed = unit((0.1 * rows[PIECES.rows["create"]] + rows[PIECES.rows["issue"]])[None])[0]
    assert ask @ weighed == pytest.approx(1, abs=INT8)


def test_the_pieces_are_read_as_they_were_written(rows: Floats, tmp_path: Path) -> None:
    packed(rows, tmp_path)
    assert orjson.loads((tmp_path / "tokenizer.json").read_bytes())["model"]["vocab"] == PIECES.rows


def test_the_hash_is_that_of_the_weights_and_the_same_rows_give_the_same(
    rows: Floats, tmp_path: Path
) -> None:
    factors = np.ones(len(rows), np.float32)
    first = pack(rows, factors, PIECES, tmp_path / "a" / "deep", {"seed": "0"})
    assert first == hashlib.sha256((tmp_path / "a" / "deep" / "model.safetensors").read_bytes()).hexdigest()
    assert first == pack(rows, factors, PIECES, tmp_path / "b", {"seed": "0"})
    assert first != pack(rows * 2, factors, PIECES, tmp_path / "c", {"seed": "0"})


def test_packing_leaves_the_rows_as_they_are(rows: Floats, tmp_path: Path) -> None:
    before = rows.copy()
    packed(rows, tmp_path)
    np.testing.assert_array_equal(rows, before)
