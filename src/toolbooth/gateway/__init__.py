"""The running MCP server in front of all others. Importing it loads nothing: the bridge, which starts with every
client, passes through here.
"""
