"""The servers behind a gateway, each with connections that are there when they are needed."""
