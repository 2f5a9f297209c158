"""The private modules of the SDK that the connections need, imported in this file and nowhere else.

A new version of the SDK that moves one of them fails here, and the architecture test knows this file.
"""

from mcp.client._transport import ReadStream, WriteStream
from mcp.shared._httpx_utils import request_within_origin, sse_within_origin

__all__ = ["ReadStream", "WriteStream", "request_within_origin", "sse_within_origin"]
