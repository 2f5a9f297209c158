"""Failed requests to a provider: whether and when to retry, and one clean line for the user after the last try."""

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from math import isfinite
from random import Random
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from toolbooth import errors, limits, safetext
from toolbooth.suite.agents.model_name import ModelName
from toolbooth.suite.agents.providers.clients import NO_KEY, Access

if TYPE_CHECKING:
    from pydantic_ai.exceptions import ModelHTTPError


RETRIED: Final = frozenset({408, 409, 429, 500, 502, 503, 504, 529})
_ADVICE: Final = {
    400: "the request does not suit this model",
    404: "check the model's name and the base_url",
    413: "the menu, the prompt or a result is too large for this model",
    429: "run fewer cells at once, or try again later",
}
SHOWN_BODY: Final = 4_000  # characters of an error's body that are read: the message is at the beginning
_LATER: Final = "try again later, or replay recordings"
# Google: 400
_KEY_REFUSED: Final = re.compile(r"\bapi key\b.{0,20}\b(?:not valid|invalid|expired)", re.IGNORECASE)
_MARKUP: Final = re.compile(r"<[^<>]{0,500}>")


class RequestFailure(NamedTuple):
    """`wait` is how many seconds the provider asks us to wait; None if it does not say."""

    line: str
    advice: str
    again: bool = False
    wait: float | None = None


class FaultReader:
    """Reads the failures of one model's requests. Its lines never contain the key, even if the provider echoes it."""

    def __init__(self, name: ModelName, access: Access, timeout: float) -> None:
        self.name, self.access, self.timeout = name, access, timeout

    def read(self, error: Exception) -> RequestFailure:
        """Describe one failed try."""
        from pydantic_ai.exceptions import ModelConnectionError, ModelHTTPError, ModelTimeoutError

        if isinstance(error, ModelHTTPError):
            return self._answered(error)
        if isinstance(error, TimeoutError | ModelTimeoutError):
            return RequestFailure(
                f"did not answer within {self.timeout:g} s", "give it a longer timeout", again=True
            )
        if isinstance(error, ModelConnectionError):
            return RequestFailure(f"cannot be reached at {self._host()}", self._reaching(), again=True)
        return self._odd(error)

    def fault(self, failure: RequestFailure, tries: int) -> errors.ProviderFault:
        """The final error as one line: which model, what happened, and what to do."""
        often = f" after {tries} tries" if tries > 1 else ""
        return errors.ProviderFault(f"{self.name} {failure.line}{often}; {failure.advice}")

    def _odd(self, error: Exception) -> RequestFailure:
        from pydantic_ai.exceptions import AgentRunError, UserError

        first = next(iter(str(getattr(error, "message", error)).splitlines()), "")
        if isinstance(error, UserError):
            return RequestFailure(
                f"cannot take this request: {self._clean(first)}", "check the tools of the menu"
            )
        # The message of an internal error means nothing to a user; its class name helps in a bug report.
        detail = self._clean(first) if isinstance(error, AgentRunError) else type(error).__name__
        return RequestFailure(
            f"sent an answer that cannot be understood ({detail})", "check the base_url and the model"
        )

    def _answered(self, error: "ModelHTTPError") -> RequestFailure:
        from pydantic_ai.exceptions import ModelQuotaExceededError

        headers = error.headers or {}
        line = f"answered {error.status_code}{self._said(error)}"
        if isinstance(error, ModelQuotaExceededError):
            return RequestFailure(line, "the account has no credit left")
        asked = headers.get("x-should-retry", "").strip().lower()
        again = asked == "true" or (error.status_code in RETRIED and asked != "false")
        return RequestFailure(line, self._advice(error), again, wait_asked_for(headers))

    def _said(self, error: "ModelHTTPError") -> str:
        said = self._clean(_message(error.body)) or _phrase(error.status_code)
        return f" ({said})" if said else ""

    def _advice(self, error: "ModelHTTPError") -> str:
        if error.status_code in (401, 403) or _KEY_REFUSED.search(_message(error.body)[:SHOWN_BODY]):
            refused = f"the key in {self.access.variable} was refused; set a valid one"
            return refused if self.access.variable else "it needs a key; name its variable as `api_key_env`"
        if error.suggested_model_id:
            return f"did you mean {safetext.for_terminal(error.suggested_model_id, 80)}?"
        other = _LATER if error.status_code >= 500 else "change the request"
        return _ADVICE.get(error.status_code, other)

    def _host(self) -> str:
        return safetext.for_terminal(re.sub(r"//[^/]*@", "//", self.access.url).split("?")[0], 80)

    def _reaching(self) -> str:
        return (
            "start it, or set its base_url"
            if self.access.moved or self.access.provider == "ollama"
            else _LATER
        )

    def _clean(self, text: str) -> str:
        hidden = text if self.access.key == NO_KEY else text.replace(self.access.key, "[key]")
        return safetext.for_terminal(_MARKUP.sub(" ", hidden[:SHOWN_BODY]), 200).strip().rstrip(".")


def wait_asked_for(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Seconds from `retry-after-ms`, or from `retry-after` as seconds or a date; None if neither is valid."""
    thousandths = _number(headers.get("retry-after-ms"))
    if thousandths is not None:
        return thousandths / 1000
    written = headers.get("retry-after")
    seconds = _number(written)
    return seconds if seconds is not None or written is None else _until(written, now or datetime.now(UTC))


def _number(written: str | None) -> float | None:
    try:
        number = float(written) if written is not None else -1.0
    except ValueError:
        return None
    return number if isfinite(number) and number >= 0 else None


def _until(written: str, now: datetime) -> float | None:
    try:
        then = parsedate_to_datetime(written)
    except (ValueError, OverflowError):
        return None
    then = then if then.tzinfo else then.replace(tzinfo=UTC)
    return max(0.0, (then - now).total_seconds())


def _message(body: Any) -> str:
    """The message in an error's body, from whichever of the usual keys has it."""
    if isinstance(body, list) and body:
        body = body[0]
    if not isinstance(body, Mapping):
        return body if isinstance(body, str) else ""
    inner = body.get("error")
    if isinstance(inner, Mapping | str):
        return _message(inner)
    return next((said for key in ("message", "detail") if isinstance(said := body.get(key), str)), "")


def _phrase(status: int) -> str:
    known = {each.value: each.phrase for each in HTTPStatus}
    return {529: "Overloaded", **known}.get(status, "")


T = TypeVar("T")
Sleep = Callable[[float], Awaitable[None]]


@dataclass(frozen=True)
class RetryPolicy:
    """How often to retry, and how long to wait in between. All conversations of a model share its random numbers."""

    retries: int
    jitter: Random
    sleep: Sleep

    async def retry(self, ask: Callable[[], Awaitable[T]], fault_reader: FaultReader) -> T:
        """Raises ProviderFault for an error that retrying does not help, or after the last try."""
        tries = 0
        while True:
            tries += 1
            try:
                return await ask()
            except Exception as error:
                failure = fault_reader.read(error)
            if not failure.again or tries > self.retries or (failure.wait or 0) > limits.MAX_RETRY_AFTER:
                raise fault_reader.fault(_with_wait(failure), tries)
            await self.sleep(self._pause(failure, tries))

    def _pause(self, failure: RequestFailure, tries: int) -> float:
        if failure.wait is not None:
            return failure.wait
        # Anywhere below the maximum, so that cells that failed together do not retry together.
        return self.jitter.uniform(0, min(limits.MAX_BACKOFF, limits.FIRST_BACKOFF * 2 ** (tries - 1)))


def _with_wait(failure: RequestFailure) -> RequestFailure:
    if (failure.wait or 0) <= limits.MAX_RETRY_AFTER:
        return failure
    return failure._replace(line=f"{failure.line} and asks to wait {failure.wait:.0f} s")
