"""Small real servers on the SDK, of one protocol version or both, for tests of what passes through the gateway."""
