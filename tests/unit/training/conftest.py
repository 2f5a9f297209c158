"""What the gate leaves to `make train`, which runs these tests in its own environment before it trains."""

from importlib.util import find_spec

# torch is of the training alone, and 200 MB: without it this file cannot be imported.
collect_ignore = [] if find_spec("torch") else ["test_cached_state.py"]
