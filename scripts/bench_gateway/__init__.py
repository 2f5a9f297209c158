"""The gateway beside its peers, in one run: the same backends, the same client, rounds in turn."""
