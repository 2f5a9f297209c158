"""The cache folder → what servers offered when they were last up, so that the first answer needs none of them."""
