"""The parts of demo servers: decorated functions become tool definitions, checked calls and results."""

import json
from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Concatenate, Generic, TypeVar

from toolbooth.demo.schemas import Dialect, Json, plain, takes


def complaint(schema: Mapping[str, Any], arguments: Mapping[str, Any]) -> str | None:
    """The most helpful violation, preceded by the argument's name."""
    # Imported at the first call, because it takes 44 ms that a server which is only listed does not need.
    from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
    from jsonschema.exceptions import best_match  # type: ignore[import-untyped]
    from jsonschema.validators import validator_for  # type: ignore[import-untyped]

    checker = validator_for(schema, default=Draft202012Validator)(schema)
    error = best_match(checker.iter_errors(dict(arguments)))
    if error is None:
        return None
    where = ".".join(str(part) for part in error.absolute_path)
    return f"{where}: {error.message}" if where else str(error.message)


State = TypeVar("State")

READ: Json = {"readOnlyHint": True, "openWorldHint": False}
ADD: Json = {"readOnlyHint": False, "destructiveHint": False, "idempotentHint": False}
SET: Json = {"readOnlyHint": False, "destructiveHint": False, "idempotentHint": True}
REPLACE: Json = {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": False}
DELETE: Json = {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": True}


class ToolError(Exception):
    """The error that a tool reports to its caller when it cannot do what was asked."""


class UnknownTool(LookupError):
    """This server has no tool with that name."""


class UnknownCursor(LookupError):
    """The client asked for a page that does not exist."""


@dataclass(frozen=True)
class Blocks:
    """An answer that already consists of content blocks."""

    items: tuple[Json, ...]


def image(data: bytes, mime_type: str) -> Json:
    """One picture as a content block."""
    return {"type": "image", "data": b64encode(data).decode(), "mimeType": mime_type}


def attachment(uri: str, data: bytes, mime_type: str) -> Json:
    """One binary file as an embedded resource."""
    blob = b64encode(data).decode()
    return {"type": "resource", "resource": {"uri": uri, "mimeType": mime_type, "blob": blob}}


def say(text: str) -> Json:
    """One text as a content block."""
    return {"type": "text", "text": text}


Answer = str | Json | Blocks
Handler = Callable[Concatenate[State, ...], Answer]
HandlerT = TypeVar("HandlerT", bound=Callable[..., Answer])


@dataclass(frozen=True)
class DemoTool(Generic[State]):
    """A definition as it is sent, and the function that answers."""

    raw: Json
    handler: Handler[State]
    minified: bool

    def answer(self, state: State, arguments: Mapping[str, Any]) -> Json:
        """Call the function with the arguments that the schema names; others are ignored."""
        known = self.raw["inputSchema"].get("properties", {})
        try:
            value = self.handler(state, **{key: arguments[key] for key in known if key in arguments})
        except ToolError as error:
            return failed(str(error))
        return self._result(value)

    def _result(self, value: Answer) -> Json:
        if isinstance(value, Blocks):
            return {"content": list(value.items), "isError": False}
        if isinstance(value, str):
            return {"content": [say(value)], "isError": False}
        layout: Json = {"separators": (",", ":")} if self.minified else {"indent": 2}
        result: Json = {"content": [say(json.dumps(value, ensure_ascii=False, **layout))], "isError": False}
        if "outputSchema" in self.raw:
            result["structuredContent"] = value
        return result


def failed(text: str) -> Json:
    """The raw result of a call that failed."""
    return {"content": [say(text)], "isError": True}


@dataclass
class DemoServer(Generic[State]):
    """One server: its instructions, its tools, and its data, which is made at the first call."""

    name: str
    title: str
    instructions: str
    seed: Callable[[], State]
    dialect: Dialect = plain
    page_size: int | None = None
    tools: dict[str, DemoTool[State]] = field(default_factory=dict)

    @cached_property
    def state(self) -> State:
        """The data behind the tools; listing the tools does not create it."""
        return self.seed()

    def tool(
        self,
        description: str,
        inputs: Json | None = None,
        *,
        outputs: Json | None = None,
        hints: Json | None = None,
        title: str | None = None,
        minified: bool = False,
    ) -> Callable[[HandlerT], HandlerT]:
        """Register the decorated function as the tool with its name."""

        def register(handler: HandlerT) -> HandlerT:
            name = handler.__name__
            raw: Json = {"name": name, "title": title, "description": description}
            raw["inputSchema"] = self.dialect(name, inputs or takes())
            raw |= {"outputSchema": outputs, "annotations": hints}
            raw = {key: value for key, value in raw.items() if value is not None}
            self.tools[name] = DemoTool(raw, handler, minified)
            return handler

        return register

    def page(self, cursor: str | None = None) -> Json:
        """One page of raw definitions."""
        raw_tools = [tool.raw for tool in self.tools.values()]
        size = self.page_size or len(raw_tools)
        starts = {str(start): start for start in range(size, len(raw_tools), size)}
        if cursor is not None and cursor not in starts:
            raise UnknownCursor(f"unknown cursor {cursor!r}")
        end = (starts[cursor] if cursor is not None else 0) + size
        return {"tools": raw_tools[end - size : end]} | (
            {"nextCursor": str(end)} if end < len(raw_tools) else {}
        )

    def call(self, name: str, arguments: Mapping[str, Any]) -> Json:
        """Check the arguments against the tool's own schema and return the raw result."""
        if name not in self.tools:
            raise UnknownTool(f"Unknown tool: {name}")
        tool = self.tools[name]
        problem = complaint(tool.raw["inputSchema"], arguments)
        if problem:
            return failed(f"Invalid arguments for {name}: {problem}")
        return tool.answer(self.state, arguments)
