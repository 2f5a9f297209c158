"""The servers behind a gateway, each with connections that are opened when they are needed."""
