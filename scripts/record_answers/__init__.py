"""The recording of real servers' answers over our own data, kept below tests/data/answers."""
