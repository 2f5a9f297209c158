"""Bytes of a client → requests, and answers back."""
