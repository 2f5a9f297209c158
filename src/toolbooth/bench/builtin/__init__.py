"""The frozen corpus and golden set that come with the package, so that the benchmark needs nothing else."""

from toolbooth.bench.builtin.frozen import builtin_corpus, builtin_golden

__all__ = ["builtin_corpus", "builtin_golden"]
