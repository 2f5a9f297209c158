"""The steps of a `tools/call`: check, admit, send, shape, reduce, record; the fast path beside the slow path."""
