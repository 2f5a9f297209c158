"""How often each tool is called: counted here for all gateways of a process, and joined with what others counted.

Search ranks tools in use a little higher. Counting goes on if the store cannot be reached; that is noted once.
"""

from collections import Counter

import anyio
import anyio.to_thread

from toolbooth import limits, safetext, store


class UsageCounts:
    """`calls` holds what was stored before and all calls since; registries add to it. For one event loop.

    Without `keep`, the calls since count only here.
    """

    def __init__(self, state: store.State, *, keep: bool = True) -> None:
        self.calls: Counter[str] = Counter()
        self.notes: list[str] = []
        self._state, self._keep = state, keep
        self._saved: Counter[str] = Counter()
        self._saving = anyio.Lock()

    async def load(self) -> None:
        """Add what others have stored."""
        async with self._saving:
            if not self._state.exists:
                return
            try:
                known = await anyio.to_thread.run_sync(lambda: self._state.usage.counts())
            except OSError as error:
                self._note(error)
            else:
                others = Counter(known) - self._saved
                self.calls.update(others)
                self._saved.update(others)

    async def load_soon(self) -> None:
        """Load the counts a moment after the start, so that no first list waits for SQLite."""
        await anyio.sleep(limits.WORK_AHEAD_AFTER)
        await self.load()

    async def save(self) -> None:
        """Store the calls that are not stored yet."""
        if not self._keep:
            return
        async with self._saving:
            new = self.calls - self._saved
            if not new:
                return
            try:
                await anyio.to_thread.run_sync(lambda: self._state.usage.add(new))
            except OSError as error:
                self._note(error)
            else:
                self._saved.update(new)

    def _note(self, error: OSError) -> None:
        line = safetext.for_log(f"{store.STATE_FILE}: call counts are not kept: {error.strerror or error}")
        if line not in self.notes:
            self.notes.append(line)
