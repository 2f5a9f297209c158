"""Small real servers on the SDK, of one protocol era or both, for tests of what passes through the gateway."""
