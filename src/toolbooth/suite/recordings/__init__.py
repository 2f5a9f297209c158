"""Recorded runs: cassettes in a folder, their drift since then, and new recordings without secrets."""
