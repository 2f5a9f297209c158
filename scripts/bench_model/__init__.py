"""The word-vector table of the package compared with other embedders: alone, fused with words, and their costs."""
