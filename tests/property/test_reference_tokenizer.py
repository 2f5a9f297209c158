"""Our counts agree with tiktoken, whose vocabularies come from another package's wheel."""

import os
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
import tiktoken
from hypothesis import HealthCheck, given, settings, strategies as st

from toolbooth.tokens import count

TRICKY = [" ", "\n", "\t", "a", "B", "1", "23456", "'s", "'LL", "\r\n", "  ", "{", '"', ":", "<|endoftext|>",
          "<|im_start|>", "é", "漢", "\u200d", "\x00", "ſ", "İ", "👩‍👩‍👧", "_", "camelCase", "snake_case", "//",
          "\u3000"]  # fmt: skip
TEXT = (
    st.text()
    | st.lists(st.sampled_from(TRICKY)).map("".join)
    | st.binary().map(lambda data: data.decode("latin-1"))
)


@pytest.fixture(scope="module", params=["cl100k_base", "o200k_base"])
def reference(request: pytest.FixtureRequest, vocabulary: Path) -> Iterator[tiktoken.Encoding]:
    before = os.environ.get("TIKTOKEN_CACHE_DIR")
    os.environ["TIKTOKEN_CACHE_DIR"] = str(vocabulary)
    yield tiktoken.get_encoding(request.param)
    if before is None:
        del os.environ["TIKTOKEN_CACHE_DIR"]
    else:
        os.environ["TIKTOKEN_CACHE_DIR"] = before


@given(text=TEXT)
@settings(max_examples=400, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_any_text_counts_the_same(reference: tiktoken.Encoding, text: str) -> None:
    assert count(text, reference.name) == len(reference.encode(text, disallowed_special=()))


def test_code_json_and_long_runs_count_the_same(reference: tiktoken.Encoding) -> None:
    source = Path(__file__).read_text(encoding="utf-8")
    generator = random.Random(7)
    samples = [
        source,
        source.replace("\n", "\r\n"),
        "a" * 5000,
        " " * 5000,
        "\n" * 999,
        "=" * 777,
        "ab" * 3000,
        "",
    ]
    samples += ["".join(generator.choices('{}[]:",abc 0123\n\\', k=500)) for _ in range(50)]
    for text in samples:
        assert count(text, reference.name) == len(reference.encode(text, disallowed_special=())), repr(
            text[:60]
        )
