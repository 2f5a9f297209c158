"""`tasks/*`: what clients ask about the tasks that their calls have become, in the form of their protocol version."""

from typing import Any, Final

from mcp_types import MISSING_REQUIRED_CLIENT_CAPABILITY

from toolbooth.gateway.calls.client_tasks import ClientTask
from toolbooth.gateway.calls.tool_result import ToolResult
from toolbooth.gateway.methods import Params, Result, answers
from toolbooth.gateway.offload import offload
from toolbooth.gateway.session import INVALID_PARAMS, METHOD_NOT_FOUND, Caller, Refusal
from toolbooth.gateway.surfaces.view import View
from toolbooth.gateway.upstreams.task_messages import knows_tasks
from toolbooth.gateway.upstreams.tasks_in_flight import RELATED_TASK, TASKS_EXTENSION

_REQUIRED: Final[dict[str, Any]] = {"requiredCapabilities": {"extensions": {TASKS_EXTENSION: {}}}}


@answers("tasks/get")
async def get_task(view: View, caller: Caller, params: Params) -> Result:
    """The status; for a stateless client with the result, the error or the questions."""
    task = _found(view, caller, params)
    if not caller.modern:
        return task.described(modern=False)
    return ToolResult({"resultType": "complete", **task.described(modern=True), **await _inside(task)})


async def _inside(task: ClientTask) -> dict[str, Any]:
    if task.status == "input_required" and task.asked is not None:
        return {"inputRequests": task.asked.get("inputRequests") or {}}
    if isinstance(task.outcome, Refusal):
        return {"error": task.outcome.error_object}
    if isinstance(task.outcome, ToolResult):
        return {"result": await offload(task.outcome.size, _value, task.outcome)}
    return {}


def _value(result: ToolResult) -> dict[str, Any]:
    """The result without the id that an older server gave its own task."""
    meta = result.value.get("_meta")
    if not isinstance(meta, dict) or RELATED_TASK not in meta:
        return result.value
    return {**result.value, "_meta": {key: value for key, value in meta.items() if key != RELATED_TASK}}


@answers("tasks/result")
async def task_result(view: View, caller: Caller, params: Params) -> Result:
    """The result as soon as the task has ended."""
    _only(caller, modern=False)
    task = _found(view, caller, params)
    result = await task.result_for(caller)
    return await offload(result.size, result.with_meta, {RELATED_TASK: {"taskId": task.id}})


@answers("tasks/list")
async def list_tasks(view: View, caller: Caller, params: Params) -> Result:  # noqa: ARG001
    """All tasks of the principal, in one page."""
    _only(caller, modern=False)
    _end_what_was_taken(view)
    own = view.gateway.client_tasks.of(caller.session.principal)
    return {"tasks": [each.described(modern=False) for each in own]}


@answers("tasks/update")
async def update_task(view: View, caller: Caller, params: Params) -> Result:
    """Answers of a stateless client to the questions of a task."""
    _only(caller, modern=True)
    given = params.get("inputResponses")
    if not isinstance(given, dict):
        raise Refusal(INVALID_PARAMS, "inputResponses must be an object")
    _found(view, caller, params).update(given)
    return {"resultType": "complete"}


@answers("tasks/cancel")
async def cancel_task(view: View, caller: Caller, params: Params) -> Result:
    """End the call of a task; a stateless client may say so at any time."""
    task = _found(view, caller, params)
    if task.ended and not caller.modern:
        raise Refusal(INVALID_PARAMS, f"the task is {task.status} already")
    view.gateway.client_tasks.cancel(task)
    return {"resultType": "complete"} if caller.modern else task.described(modern=False)


def _found(view: View, caller: Caller, params: Params) -> ClientTask:
    if caller.modern and not knows_tasks(caller.client_identity.capabilities):
        raise Refusal(MISSING_REQUIRED_CLIENT_CAPABILITY, "declare the tasks extension", _REQUIRED)
    _end_what_was_taken(view)
    return view.gateway.client_tasks.find(caller, params.get("taskId"))


def _end_what_was_taken(view: View) -> None:
    """The tools of the principal are looked at as in any call: with one that was taken from it, its tasks end."""
    _ = view.registry


def _only(caller: Caller, *, modern: bool) -> None:
    if caller.modern is not modern:
        raise Refusal(METHOD_NOT_FOUND, "Method not found")
