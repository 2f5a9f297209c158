"""An answer → the blocks of text that a model reads of it, without building objects of all the rest."""

from typing import Any, Final

import msgspec

from toolbooth.catalog import Tool
from toolbooth.catalog.connect import RawResult
from toolbooth.economics import Block, answer_blocks, text_block, with_structure
from toolbooth.gateway.ledger.answered import Menu, Payload, Sized


class _Resource(msgspec.Struct, gc=False):
    text: Any = None


class _Item(msgspec.Struct, gc=False):
    type: Any = None
    text: Any = None
    resource: _Resource | None = None


class _Result(msgspec.Struct, gc=False):
    content: list[_Item] = []
    structuredContent: msgspec.Raw = msgspec.Raw(b"null")


_RESULT: Final = msgspec.json.Decoder(_Result)


def blocks_of(payload: Payload) -> list[Block]:
    """Text items and the texts of embedded resources. Pictures and sound are priced by their model, not as text."""
    if payload is None or isinstance(payload, Sized):
        return []
    if isinstance(payload, str):
        return [text_block(payload)]
    if isinstance(payload, Menu):
        texts = [*map(_definition, payload.tools), payload.instructions]
        return [text_block(text) for text in texts if text]
    if isinstance(payload, RawResult):
        return _raw_blocks(payload)
    return answer_blocks(payload)


def _raw_blocks(raw: RawResult) -> list[Block]:
    """10 MB take 20 ms this way and 290 as objects, while which every other thread would stand still."""
    try:
        result = _RESULT.decode(raw.data)
    except msgspec.MsgspecError:
        return blocks_of(raw.value)
    texts = (
        item.text if isinstance(item.text, str) else item.resource and item.resource.text
        for item in result.content
    )
    said = bytes(result.structuredContent).decode("utf-8", "replace")
    return with_structure([text for text in texts if isinstance(text, str) and text], said)


def _definition(tool: Any) -> str:
    """A tool of a menu as it is weighed everywhere else."""
    return tool.definition if isinstance(tool, Tool) else Tool.from_wire("", tool).definition
