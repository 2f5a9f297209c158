"""The word table: texts and tools → vectors."""

from pathlib import Path
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray
from safetensors.numpy import save_file
from tests.unit.search.sample_catalog import TOOLS

from toolbooth.search import StaticTable
from toolbooth.search.vocabulary import split_word

TABLE = StaticTable()


def test_vectors_have_length_one_and_unknown_text_is_zero() -> None:
    rows = TABLE.embed_queries(["send a mail", "搜索", ""])
    assert rows.shape == (3, TABLE.dimensions)
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), [1, 0, 0], atol=1e-5)


def test_words_of_like_meaning_lie_closer_than_others() -> None:
    ask, near, far = TABLE.embed_queries(["delete a file", "remove document", "weather forecast"])
    assert ask @ near > 0.4 > ask @ far


def test_every_tool_has_a_vector_and_no_tools_have_none() -> None:
    rows = TABLE.embed_tools(TOOLS, "a server")
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    assert TABLE.embed_tools([]).shape == (0, TABLE.dimensions)


def test_a_quoted_value_turns_a_query_less_than_its_own_words() -> None:
    plain, quoted, own = TABLE.embed_queries(
        ["send a message", "send a message 'weather'", "send a message weather"]
    )
    assert plain @ quoted > plain @ own


def test_the_name_tells_one_table_from_another(tmp_path: Path) -> None:
    vocabulary = {"model": {"vocab": {"read": 0, "##er": 1, "file": 2}}}
    (tmp_path / "tokenizer.json").write_bytes(orjson.dumps(vocabulary))
    weights: dict[str, NDArray[Any]] = {
        "E": np.eye(3, dtype=np.int8) * 100,
        "scale": np.array([0.5, 1, 2], np.float16),
    }
    save_file(weights, tmp_path / "model.safetensors")
    small = StaticTable(tmp_path)
    assert small.dimensions == 3
    assert small.name != TABLE.name
    np.testing.assert_allclose(small.embed_queries(["reader"]), [[0.4472136, 0.8944272, 0]], atol=1e-3)


def test_a_word_is_split_into_its_longest_known_pieces() -> None:
    pieces = {"read": 0, "re": 1, "##ad": 2, "##er": 3}
    assert split_word("reader", pieces) == [0, 3]
    assert split_word("xyz", pieces) == []
