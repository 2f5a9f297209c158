"""The writing side of a client on stdio: answers, notifications and questions in order, and the client's replies."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import orjson

from toolbooth import catalog, limits
from toolbooth.catalog.connect import JoinedWrites, QuestionRefused, RawResult
from toolbooth.gateway.session import INTERNAL_ERROR, INVALID_REQUEST, Refusal
from toolbooth.gateway.transports.stdio_pipe import Pipe

if TYPE_CHECKING:
    from toolbooth.gateway.daemon.journal import RequestJournal


Id = int | str
_JOINED = 1 << 16  # smaller results are copied into one write, larger ones are not copied


class StdioWriter:
    """The writing side of one client on stdio; it is also the channel of a session.

    A request is removed from the journal once the system has taken the last byte of its answer, and not
    before.
    """

    def __init__(self, pipe: Pipe, journal: "RequestJournal | None") -> None:
        self._pipe, self._journal = pipe, journal
        self._writes = JoinedWrites(self._put)
        self._answered: list[Id] = []  # the requests whose answers the next write contains
        self._questions: dict[Id, asyncio.Future[dict[str, Any]]] = {}
        self._asked = 0
        self.on_asking: Callable[[], object] = _nothing

    @property
    def asking(self) -> bool:
        """Whether the client owes an answer to a question; `on_asking` is called when that may have changed."""
        return bool(self._questions)

    def send(self, message: Mapping[str, Any], answers: Id | None = None) -> None:
        """Any message; with the id of the request that it answers, if it answers one."""
        self._write(answers, catalog.encode_line(message))

    async def drain(self, timeout: float) -> None:
        """Wait until the client has taken what was written."""
        self._writes.flush()
        await self._pipe.drain(timeout)

    def result(self, number: Id, result: dict[str, Any] | RawResult) -> None:
        """The answer of a request; the bytes of a server's result are passed on as they came."""
        if not isinstance(result, RawResult):
            self.send({"jsonrpc": "2.0", "id": number, "result": result}, number)
            return
        head = b'{"jsonrpc":"2.0","id":%b,"result":' % orjson.dumps(number)
        if len(result.data) < _JOINED:
            self._write(number, b"%b%b}\n" % (head, bytes(result.data)))
        else:
            self._write(number, head, result.data, b"}\n")

    def refuse(self, number: Id | None, code: int, message: str) -> None:
        """An error of our own."""
        self.error(number, Refusal(code, message))

    def error(self, number: Id | None, refusal: Refusal) -> None:
        """The answer of a request is an error."""
        self.send({"jsonrpc": "2.0", "id": number, "error": refusal.error_object}, number)

    def refuse_duplicate(self, number: Id, message: str) -> None:
        """An error for the second request of an id, whose first one stays open."""
        self.send({"jsonrpc": "2.0", "id": number, "error": Refusal(INVALID_REQUEST, message).error_object})

    def end_line(self) -> None:
        """An earlier daemon left half a frame at the client: what comes next must be a line of its own."""
        self._write(None, b"\n")

    def _write(self, answers: Id | None, *parts: bytes | memoryview) -> None:
        alone = len(parts) > 1 or len(parts[0]) >= _JOINED
        if alone:  # before its id is noted, or it would count as answered with what is held
            self._writes.flush()
        if answers is not None and self._journal is not None:
            self._answered.append(answers)
        if alone:
            self._put(*parts)
        else:
            self._writes.add(parts[0])

    def _put(self, *parts: bytes | memoryview) -> None:
        if self._journal is None:
            self._pipe.write(*parts)
            return
        answered, self._answered = self._answered, []
        self._journal.writing(True)
        self._pipe.write(*parts)
        if self._pipe.unsent:
            self._pipe.when_sent(partial(self._sent, answered))
        elif not self._pipe.gone:
            self._sent(answered)

    def _sent(self, answered: Sequence[Id]) -> None:
        if self._journal is not None:
            for number in answered:
                self._journal.end(number)
            if not self._pipe.unsent:
                self._journal.writing(False)

    # -- reaching the client -------------------------------------------------------------------------------
    def notify(self, method: str, params: Mapping[str, Any] | None) -> None:
        """In order with everything else; nothing is added for a client that has not read for long."""
        if self._pipe.unsent > limits.MAX_UNREAD:
            return
        self.send({"jsonrpc": "2.0", "method": method} | ({} if params is None else {"params": params}))

    async def ask(self, method: str, params: Mapping[str, Any] | None) -> dict[str, Any]:
        """Ask the client; if the asker goes away, the client is notified."""
        self._asked += 1
        number = f"toolbooth-{self._asked}"
        future: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._questions[number] = future
        self.on_asking()
        given = {} if params is None else {"params": params}
        self.send({"jsonrpc": "2.0", "id": number, "method": method, **given})
        try:
            return await future
        except asyncio.CancelledError:
            self.notify("notifications/cancelled", {"requestId": number})
            raise
        finally:
            self._questions.pop(number, None)
            self.on_asking()

    def let_go(self) -> None:
        """A pipe is not closed between two messages."""

    def hear(self, message: Mapping[str, Any]) -> bool:
        """The client's answer to a question of ours; False if it answers none."""
        number = message.get("id")
        question = self._questions.pop(number, None) if isinstance(number, str) else None
        if question is None:
            return False
        error, result = message.get("error"), message.get("result")
        if question.done():
            return True
        if isinstance(error, dict):
            code, said = error.get("code", INTERNAL_ERROR), str(error.get("message"))
            question.set_exception(QuestionRefused(code, said, error.get("data")))
        else:
            question.set_result(result if isinstance(result, dict) else {})
        return True

    def end(self) -> None:
        """Cancel all open questions: the client will not answer any more."""
        for question in tuple(self._questions.values()):
            question.cancel()


def _nothing() -> None:
    return None
