"""What real clients do with MCP servers, measured with a scripted provider on loopback: docs/clients.md."""
