"""The files beside this one → the 69 tools of the demo servers, and the questions for them.

Neither file ever changes: a test holds their digests. What is better becomes `corpus_2` or `golden_2`.
"""

from functools import cache
from pathlib import Path
from typing import Final

from toolbooth.bench.corpus import Corpus, load_corpus
from toolbooth.bench.golden import GoldenSet, load_golden

CORPUS: Final = Path(__file__).with_name("corpus_1.tools.json")
GOLDEN: Final = Path(__file__).with_name("golden_1.json")


@cache
def builtin_corpus() -> Corpus:
    """What `toolbooth bench record` made of the eight demo servers."""
    return load_corpus(CORPUS)


@cache
def builtin_golden() -> GoldenSet:
    """Literal and paraphrased questions, some for several tools, and some that no tool can serve."""
    return load_golden(GOLDEN)
