"""Whatever JSON stands in a file of the benchmark: it is read, or refused in one line."""

import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import given, strategies as st

from toolbooth.bench import load_golden
from toolbooth.bench.retrieval import find_sets, read_baseline, read_runs
from toolbooth.errors import ConfigError

KEYS = (
    *("metrics", "recall_at", "mrr", "ndcg_at_10", "map", "tolerance", "gate", "retrieval", "rows", "sets"),
    *("corpus_version", "golden_version", "format", "version", "queries", "tools", "labels", "id", "query"),
    *("tool_id", "relevance", "1", "5", "10"),
)
leaves = st.none() | st.booleans() | st.integers(-2, 3) | st.floats(allow_nan=False) | st.text(max_size=6)
documents: st.SearchStrategy[Any] = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5),
    max_leaves=12,
)


def refusal(read: Callable[[Path], object], text: str) -> str:
    """Empty where it was read."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file.json"
        path.write_text(text, encoding="utf-8")
        try:
            read(path)
        except ConfigError as error:
            return str(error).removeprefix(folder)
    return ""


def is_one_line(said: str) -> bool:
    return not said or ("\n" not in said and said.startswith(("/file.json: ", ": ")))


@given(documents)
def test_any_document_is_read_or_refused_in_one_line(document: Any) -> None:
    text = json.dumps(document)
    for read in (read_baseline, read_runs, load_golden, lambda path: find_sets(path.parent)):
        assert is_one_line(refusal(read, text))


@given(st.text(max_size=40))
def test_any_text_is_read_or_refused_in_one_line(text: str) -> None:
    text = text.encode("utf-8", "replace").decode()
    for read in (read_baseline, read_runs):
        assert is_one_line(refusal(read, text))
