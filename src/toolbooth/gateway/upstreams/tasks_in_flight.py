"""The tasks of one connection: which call a server's progress, status or question belongs to.

A call that has become a task is answered, and goes on: what the server sends about it no longer comes under an open
request. It names the task, or the progress token of the call.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final, Protocol

from toolbooth.catalog.connect import Notice, ServerRequest

TASKS_EXTENSION: Final = "io.modelcontextprotocol/tasks"
RELATED_TASK: Final = "io.modelcontextprotocol/related-task"
PROGRESS: Final = "notifications/progress"
STATUS: Final = ("notifications/tasks/status", "notifications/tasks")


class TaskListener(Protocol):
    """A call that follows its task."""

    def progress(self, params: Mapping[str, Any]) -> None:
        """The server reports progress under the token of the call."""
        ...

    def changed(self) -> None:
        """The server says that the status of the task has changed."""
        ...


class TasksInFlight:
    """The tasks of a connection by id, and by the number of the request that created them."""

    def __init__(self) -> None:
        self._by_key: dict[int | str, tuple[int, TaskListener]] = {}

    @contextmanager
    def following(self, number: int, task_id: str, listener: TaskListener) -> Iterator[None]:
        """Holds as long as the call follows its task."""
        self._by_key[number] = self._by_key[task_id] = (number, listener)
        try:
            yield
        finally:
            for key in (number, task_id):
                if self._by_key.get(key) == (number, listener):
                    del self._by_key[key]

    def hear(self, notice: Notice) -> None:
        """Pass on progress and status; those of an unknown or finished task concern nobody."""
        known = self._known(
            (notice.params or {}).get("progressToken" if notice.method == PROGRESS else "taskId")
        )
        if known is None:
            return
        if notice.method == PROGRESS:
            known[1].progress(notice.params or {})
        else:
            known[1].changed()

    def asked_by(
        self, question: ServerRequest, related: int | str | None
    ) -> tuple[ServerRequest, int | str | None]:
        """The question without the id of its task, which says nothing to a client, and the call that it belongs to."""
        params = question.params or {}
        meta = params.get("_meta")
        task = meta.get(RELATED_TASK) if isinstance(meta, Mapping) else None
        known = self._known(task.get("taskId")) if isinstance(task, Mapping) else None
        if known is None or not isinstance(meta, Mapping):
            return question, related
        rest = {key: value for key, value in meta.items() if key != RELATED_TASK}
        bare = {key: value for key, value in params.items() if key != "_meta"}
        return question._replace(params={**bare, "_meta": rest} if rest else bare), known[0]

    def _known(self, key: object) -> tuple[int, TaskListener] | None:
        return self._by_key.get(key) if isinstance(key, int | str) else None
