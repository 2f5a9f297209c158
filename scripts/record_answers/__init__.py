"""Real servers over our own data → the recorded answers below tests/data/answers."""
