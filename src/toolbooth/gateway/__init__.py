"""Config → the running MCP server in front of all others."""
