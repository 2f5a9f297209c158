"""A seed → a made-up shop: its goods, orders, files, logs, pages, issues and history, the same in every run."""
