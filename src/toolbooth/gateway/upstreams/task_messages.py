"""What servers say about tasks, in both forms: 2025-11-25, and the extension since 2026-07-28.

In the first a call asks for a task, and so does a tool's definition; in the second the server decides.
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from toolbooth import catalog, errors, limits, safetext
from toolbooth.catalog.connect import ClientIdentity, NegotiatedProtocol, RawResult, ServerError
from toolbooth.gateway.upstreams.tasks_in_flight import TASKS_EXTENSION

Result = dict[str, Any] | RawResult
ENDED: Final = frozenset({"completed", "failed", "cancelled"})
SAID: Final = 300  # characters of a status in one line
_STATUSES: Final = ENDED | {"working", "input_required"}


def may_become_task(protocol: NegotiatedProtocol, params: Mapping[str, Any]) -> bool:
    """Whether this call of a tool is, or can become, a task at a server of this protocol version."""
    declared = protocol.capabilities or {}
    if protocol.modern:
        return knows_tasks(declared)
    requests = mapping(mapping(declared.get("tasks")).get("requests"))
    return "task" in params and "call" in mapping(requests.get("tools"))


def knows_tasks(capabilities: Mapping[str, Any]) -> bool:
    """Whether a stateless client, or a server of that kind, declares the extension."""
    return TASKS_EXTENSION in mapping(capabilities.get("extensions"))


def task_support(tool: catalog.Tool) -> str:
    """`required`, `optional` or `forbidden`, which is what a tool means that says nothing."""
    execution = tool.raw.get("execution") if tool.raw else None
    support = execution.get("taskSupport") if isinstance(execution, Mapping) else None
    return support if support in ("required", "optional") else "forbidden"


def without_task(params: Mapping[str, Any]) -> Mapping[str, Any]:
    """The same call for a server that runs no tasks."""
    return {key: value for key, value in params.items() if key != "task"} if "task" in params else params


class Task(NamedTuple):
    """A task as its server describes it; `mark` changes whenever the server has done anything."""

    id: str
    status: str
    message: str
    mark: tuple[object, ...]
    interval: float
    whole: Mapping[str, Any]


def created(answer: Result, stateless: bool) -> Task | None:
    """The task of an answer to a call; None for an ordinary result. A created task has ten short members."""
    if isinstance(answer, RawResult) and (
        len(answer.data) >= limits.REDUCE_ASIDE or not answer.has(b'"taskId"')
    ):
        return None
    value = value_of(answer)
    if stateless:
        return read_task(value, stateless) if value.get("resultType") == "task" else None
    task = value.get("task")
    return read_task(task, stateless) if isinstance(task, Mapping) and "content" not in value else None


def read_task(value: Mapping[str, Any], stateless: bool) -> Task:
    number, status, said = value.get("taskId"), value.get("status"), value.get("statusMessage")
    if not isinstance(number, str) or not isinstance(status, str) or status not in _STATUSES:
        raise errors.BackendProtocolError("sent a task that cannot be read")
    message = safetext.for_terminal(said, SAID) if isinstance(said, str) else ""
    mark = (status, said, str(value.get("lastUpdatedAt")))
    return Task(number, status, message, mark, _interval(value, stateless), value)


def _interval(value: Mapping[str, Any], stateless: bool) -> float:
    given = value.get("pollIntervalMs" if stateless else "pollInterval")
    if isinstance(given, bool) or not isinstance(given, int | float):
        return limits.TASK_POLL
    return min(max(given, 1000 * limits.TASK_POLL_LEAST), 1000 * limits.TASK_POLL_MOST) / 1000


def failed(error: Mapping[str, Any], message: str) -> errors.BackendFault:
    """A task fails only with an error of the protocol."""
    code, said = error.get("code"), str(error.get("message") or message)
    shown = safetext.for_terminal(said, SAID)
    if not isinstance(code, int) or isinstance(code, bool):
        return errors.BackendRefused(f"failed the task of this call: {shown}")
    return ServerError(
        f"ended the task of this call with error {code}: {shown}", code, error.get("data"), said
    )


def declaring(identity: ClientIdentity) -> ClientIdentity:
    """The client's identity with the extension: its part is done here."""
    extensions = {**mapping(identity.capabilities.get("extensions")), TASKS_EXTENSION: {}}
    return ClientIdentity(identity.info, {**identity.capabilities, "extensions": extensions})


def mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def value_of(result: Result) -> dict[str, Any]:
    value: dict[str, Any] = result.value if isinstance(result, RawResult) else result
    return value
