"""The transports, stdio and Streamable HTTP: they turn a client's bytes into requests, and answers into bytes."""
