"""The gateway compared with its peers in one run: the same backends, the same client, and rounds in turn."""
