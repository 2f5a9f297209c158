"""A harbour → a small radar picture as PNG bytes, drawn with nothing but the standard library."""

import struct
import zlib

from toolbooth.demo.world import Harbour, dice

_SHADES = ((12, 24, 48), (20, 60, 110), (40, 130, 90), (170, 200, 60), (230, 140, 40), (200, 40, 40))


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def radar_png(harbour: Harbour, size: int) -> bytes:
    """A square of coloured noise around a few showers."""
    random = dice(f"radar {harbour.code}")
    showers = [
        (random.random() * size, random.random() * size, 4 + random.random() * size / 3) for _ in range(7)
    ]
    rows = bytearray()
    for y in range(size):
        rows.append(0)
        for x in range(size):
            nearness = max(1 - ((x - cx) ** 2 + (y - cy) ** 2) / reach**2 for cx, cy, reach in showers)
            level = max(0, min(5, int(nearness * 5 + random.random() * 1.5)))
            rows.extend(_SHADES[level])
    header = struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)
    body = _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(bytes(rows), 9)) + _chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body
