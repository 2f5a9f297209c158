"""Moving the servers of a client's config behind the gateway, and back."""
