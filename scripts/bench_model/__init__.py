"""The table in the package and other embedders on the same questions: alone, fused with words, and what they cost."""
