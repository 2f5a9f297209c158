"""The transports, stdio and Streamable HTTP: bytes of a client → requests, and answers back."""
