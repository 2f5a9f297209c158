"""The training of the word-vector table in the package, from tool texts and written requests: `python -m training`."""
