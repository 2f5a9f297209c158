"""A client's config → the same file with its servers behind the gateway, and back."""
