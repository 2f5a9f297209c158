"""The journal of one client's open requests, in memory that outlives the daemon and is read by the next one.

The bridge owns the memory; a daemon maps it. An entry costs well under a microsecond and no system call, and
a process that is killed between two stores leaves either the old state or the new one.

| bytes | content |
|---|---|
| 0–7 | magic |
| 8 | 1 while a frame is being written to the client |
| 9 | which half of the facts is current |
| 16–19 | how many requests were ended: shows a bridge whether a daemon that died was of any use |
| 20–23 | how many requests are open |
| 24–27 | how many slots were ever used; the others hold zeros |
| 64– | the head of an unfinished input frame: its length in 2 bytes, then its first bytes |
| 4096– | facts: two halves, each checksum, length, JSON |
| 28672– | slots of 128 bytes: length, then the id of an open request as JSON; 0, the tool that it calls, 0 |
"""

import json
import mmap
import os
import zlib
from json.encoder import encode_basestring_ascii
from typing import Any

from toolbooth import limits
from toolbooth.gateway.daemon.bridge import JOURNAL_BYTES

__all__ = ["RequestJournal"]


MAGIC = b"toolbth1"
_WRITING, _HALF, _ENDED, _COUNT, _EVER, _HEAD, _FACTS, _SLOTS = (
    8,
    9,
    16,
    20,
    24,
    64,
    4096,
    28_672,
)
HEAD_BYTES = _FACTS - _HEAD - 2
_FACTS_HALF = (_SLOTS - _FACTS) // 2
FACTS_BYTES = _FACTS_HALF - 8
_SLOT = limits.MAX_REQUEST_ID + 1
SLOTS = (JOURNAL_BYTES - _SLOTS) // _SLOT
ID_BYTES = limits.MAX_REQUEST_ID

RequestId = int | str


class RequestJournal:
    """One client's journal. `was_…` and `interrupted` are what the previous daemon left behind."""

    def __init__(self, descriptor: int | None) -> None:
        """Without a descriptor it is memory of this process and ends with it: `outlives` is False."""
        self.outlives = descriptor is not None
        if descriptor is None:
            descriptor = -1
        elif os.fstat(descriptor).st_size < JOURNAL_BYTES:
            raise ValueError("the journal is too small")
        self._map = mmap.mmap(descriptor, JOURNAL_BYTES)
        if self._map[: len(MAGIC)] != MAGIC:
            self._map[:_SLOTS] = MAGIC + bytes(_SLOTS - len(MAGIC))
        self._ended, self._ever = self._number(_ENDED), min(self._number(_EVER), SLOTS)
        self._open: dict[RequestId, int] = {}
        self._called: dict[RequestId, str] = {}
        self._free: list[int] = []
        self._read_slots()
        self._interrupted = list(self._open)
        self.was_writing = bool(self._map[_WRITING])
        self.was_reading = self._read_head()
        self._has_head = bool(self.was_reading)
        self._facts = self._read_facts()
        self._note(_COUNT, len(self._open))

    def begin(self, request_id: RequestId, tool: str = "") -> bool:
        """Note a request that was read and is not answered yet, with the tool that it calls, as far as its name
        fits.

        False if it cannot be noted: then it must not be carried out, for the next daemon could not answer it.
        """
        if request_id in self._open:
            return True
        text = encode_basestring_ascii(request_id) if isinstance(request_id, str) else str(request_id)
        encoded = text.encode()
        length = len(encoded)
        at = self._free_slot() if length <= ID_BYTES else None
        if at is None:
            return False
        self._open[request_id] = at
        noted = (encoded + b"\0" + tool.encode("utf-8", "replace") + b"\0")[:ID_BYTES]
        self._map[at + 1 : at + 1 + len(noted)] = noted
        self._map[at] = length  # last: a slot counts once it is complete
        self._note(_COUNT, len(self._open))
        return True

    def end(self, request_id: RequestId) -> None:
        """Its answer is written. Not earlier: clients drop a second answer, but wait for a missing one."""
        at = self._open.pop(request_id, None)
        if at is not None:
            self._map[at] = 0
            self._free.append(at)
            self._ended = (self._ended + 1) & 0xFFFF_FFFF
            self._note(_ENDED, self._ended)
            self._note(_COUNT, len(self._open))

    def writing(self, mid_frame: bool) -> None:
        """Whether the client has received the beginning of a frame and not its end."""
        self._map[_WRITING] = mid_frame

    def reading_head(self, head: bytes) -> None:
        """The first bytes of an input frame whose end has not come yet; empty between frames."""
        if not head and not self._has_head:
            return
        head = head[:HEAD_BYTES]
        self._map[_HEAD : _HEAD + 2] = b"\0\0"
        self._map[_HEAD + 2 : _HEAD + 2 + len(head)] = head
        self._map[_HEAD : _HEAD + 2] = len(head).to_bytes(2, "little")
        self._has_head = bool(head)

    def remember(self, key: str, value: dict[str, Any]) -> bool:
        """Keep a fact of the session; False if it does not fit, and then nothing changes."""
        facts = {**self._facts, key: value}
        encoded = json.dumps(facts, separators=(",", ":")).encode("ascii")
        if len(encoded) > FACTS_BYTES:
            return False
        half = 1 - self._map[_HALF]
        at = _FACTS + half * _FACTS_HALF
        content = len(encoded).to_bytes(4, "little") + encoded
        self._map[at : at + 4 + len(content)] = zlib.crc32(content).to_bytes(4, "little") + content
        self._map[_HALF] = half
        self._facts = facts
        return True

    def recall(self, key: str) -> dict[str, Any] | None:
        """A fact that this daemon, or one before it, remembered."""
        return self._facts.get(key)

    def interrupted(self) -> list[RequestId]:
        """The requests that the previous daemon had begun; each stays noted until `end` is called for it."""
        return list(self._interrupted)

    def interrupted_tool(self, request_id: RequestId) -> str:
        """The tool that such a request called; empty if it called none."""
        return self._called.get(request_id, "")

    @property
    def quiet(self) -> bool:
        """Whether no request is open."""
        return not self._open

    def close(self) -> None:
        """Unmap the memory, which belongs to the bridge."""
        self._map.close()

    def _free_slot(self) -> int | None:
        if self._free:
            return self._free.pop()
        if self._ever >= SLOTS:
            return None
        self._ever += 1
        self._note(_EVER, self._ever)
        return _SLOTS + (self._ever - 1) * _SLOT

    def _number(self, at: int) -> int:
        return int.from_bytes(self._map[at : at + 4], "little")

    def _note(self, at: int, number: int) -> None:
        self._map[at : at + 4] = number.to_bytes(4, "little")

    def _read_slots(self) -> None:
        for at in range(_SLOTS + (self._ever - 1) * _SLOT, _SLOTS - 1, -_SLOT):
            request_id = self._read_slot(at)
            if request_id is None or request_id in self._open:
                self._map[at] = 0
                self._free.append(at)
            else:
                self._open[request_id] = at
                noted = bytes(self._map[at + 1 + self._map[at] : at + _SLOT]).split(b"\0")
                self._called[request_id] = noted[1].decode("utf-8", "replace") if len(noted) > 1 else ""

    def _read_slot(self, at: int) -> RequestId | None:
        try:
            value = json.loads(self._map[at + 1 : at + 1 + min(self._map[at], ID_BYTES)])
        except ValueError:
            return None
        return value if type(value) in (int, str) else None

    def _read_head(self) -> bytes:
        length = int.from_bytes(self._map[_HEAD : _HEAD + 2], "little")
        return self._map[_HEAD + 2 : _HEAD + 2 + min(length, HEAD_BYTES)]

    def _read_facts(self) -> dict[str, dict[str, Any]]:
        """The current half; the other one if that is damaged."""
        said = self._map[_HALF] & 1
        for half in (said, 1 - said):
            at = _FACTS + half * _FACTS_HALF
            length = min(int.from_bytes(self._map[at + 4 : at + 8], "little"), FACTS_BYTES)
            content = self._map[at + 4 : at + 8 + length]
            if zlib.crc32(content).to_bytes(4, "little") == self._map[at : at + 4]:
                facts = json.loads(content[4:] or b"{}")
                return facts if isinstance(facts, dict) else {}
        return {}
