"""A small catalog that the search tests share."""

from typing import Any

from toolbooth.catalog import Catalog, ServerTools, Tool


def tool(server: str, name: str, description: str = "", *parameters: str, **hints: bool) -> Tool:
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {each: {"type": "string"} for each in parameters},
    }
    return Tool(server, name, description, schema if parameters else None, annotations=hints or None)


TOOLS = (
    tool("github", "create_issue", "Create a new issue in a repository", "owner", "repo", "title", "body"),
    tool("github", "list_issues", "List the issues of a repository", "owner", "repo", readOnlyHint=True),
    tool("github", "delete_branch", "Delete a branch of a repository", "branch", destructiveHint=True),
    tool("github", "merge_pull_request", "Merge an open pull request", "number", destructiveHint=False),
    tool("files", "read_file", "Read the complete contents of a file from disk", "path", readOnlyHint=True),
    tool("files", "write_file", "Create a file or overwrite one with new content", "path", "content"),
    tool("files", "searchFiles", "Find files whose names match a pattern", "pattern", readOnlyHint=True),
    tool(
        "weather", "get_forecast", "Weather forecast for a city over the next days", "city", readOnlyHint=True
    ),
    tool("weather", "get_alerts", "Active storm and flood warnings of a region", "region", readOnlyHint=True),
    tool("mail", "send_email", "Send an email message to one or more people", "to", "subject", "body"),
    tool("mail", "search_inbox", "Search messages in the inbox", "query", readOnlyHint=True),
    tool("calendar", "create_event", "Add an appointment to the calendar", "start", "end", "title"),
    tool("postgresql", "run_query", "Execute a SQL statement and return the rows", "sql"),
)


def catalog(tools: tuple[Tool, ...] = TOOLS) -> Catalog:
    servers = dict.fromkeys(each.server for each in tools)
    return Catalog(tuple(ServerTools(name, tuple(t for t in tools if t.server == name)) for name in servers))
