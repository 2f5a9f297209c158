"""A made-up shop: its goods, orders, files, logs, pages, issues and history, the same for the same seed."""
