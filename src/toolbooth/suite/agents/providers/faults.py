"""What a provider's package raises → whether to try again, when, and one clean line for a person."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from math import isfinite
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from toolbooth.errors import ProviderFault
from toolbooth.safetext import for_terminal
from toolbooth.suite.agents.model_name import ModelName
from toolbooth.suite.agents.providers.access import NO_KEY, Access

if TYPE_CHECKING:
    from pydantic_ai.exceptions import ModelHTTPError

TRIED_AGAIN: Final = frozenset({408, 409, 429, 500, 502, 503, 504, 529})
_ADVICE: Final = {
    400: "the request does not suit this model",
    404: "check the model's name and the base_url",
    413: "the menu, the prompt or a result is too large for it",
    429: "run fewer cells at once, or try later",
}
SHOWN_BODY: Final = (
    4_000  # characters of an error's body that are looked at: its words stand at the beginning
)
_LATER: Final = "try later, or replay recordings"
_KEY_REFUSED: Final = re.compile(
    r"\bapi key\b.{0,20}\b(?:not valid|invalid|expired)", re.IGNORECASE
)  # Google: 400
_MARKUP: Final = re.compile(r"<[^<>]{0,500}>")


class Failure(NamedTuple):
    """`wait` are the seconds that the provider asks for, None where it says nothing."""

    line: str
    advice: str
    again: bool = False
    wait: float | None = None


class Judge:
    """Reads the failures of one model's requests; its lines hold no key, however a provider echoes it."""

    def __init__(self, name: ModelName, access: Access, timeout: float) -> None:
        self.name, self.access, self.timeout = name, access, timeout

    def read(self, error: Exception) -> Failure:
        """One failed try."""
        from pydantic_ai.exceptions import ModelConnectionError, ModelHTTPError, ModelTimeoutError

        if isinstance(error, ModelHTTPError):
            return self._answered(error)
        if isinstance(error, TimeoutError | ModelTimeoutError):
            return Failure(
                f"did not answer within {self.timeout:g} s", "give it a longer timeout", again=True
            )
        if isinstance(error, ModelConnectionError):
            return Failure(f"cannot be reached at {self._host()}", self._reaching(), again=True)
        return self._odd(error)

    def fault(self, failure: Failure, tries: int) -> ProviderFault:
        """The end of it, as one line: who, what, and what to do."""
        often = f" after {tries} tries" if tries > 1 else ""
        return ProviderFault(f"{self.name} {failure.line}{often}; {failure.advice}")

    def _odd(self, error: Exception) -> Failure:
        from pydantic_ai.exceptions import AgentRunError, UserError

        first = next(iter(str(getattr(error, "message", error)).splitlines()), "")
        if isinstance(error, UserError):
            return Failure(f"cannot be asked this: {self._clean(first)}", "look at the tools it is offered")
        # What the packages stumble over says nothing to a person; its name helps whoever reports it.
        said = self._clean(first) if isinstance(error, AgentRunError) else type(error).__name__
        return Failure(
            f"sent an answer that cannot be understood ({said})", "check the base_url and the model"
        )

    def _answered(self, error: "ModelHTTPError") -> Failure:
        from pydantic_ai.exceptions import ModelQuotaExceededError

        headers = error.headers or {}
        line = f"answered {error.status_code}{self._said(error)}"
        if isinstance(error, ModelQuotaExceededError):
            return Failure(line, "the account has no credit left")
        asked = headers.get("x-should-retry", "").strip().lower()
        again = asked == "true" or (error.status_code in TRIED_AGAIN and asked != "false")
        return Failure(line, self._advice(error), again, wait_asked_for(headers))

    def _said(self, error: "ModelHTTPError") -> str:
        said = self._clean(_message(error.body)) or _phrase(error.status_code)
        return f" ({said})" if said else ""

    def _advice(self, error: "ModelHTTPError") -> str:
        if error.status_code in (401, 403) or _KEY_REFUSED.search(_message(error.body)[:SHOWN_BODY]):
            held = f"the key in {self.access.variable} was refused: set a valid one"
            return held if self.access.variable else "it wants a key: name its variable as api_key_env"
        if error.suggested_model_id:
            return f"did you mean {for_terminal(error.suggested_model_id, 80)}?"
        other = _LATER if error.status_code >= 500 else "mend the request"
        return _ADVICE.get(error.status_code, other)

    def _host(self) -> str:
        return for_terminal(re.sub(r"//[^/]*@", "//", self.access.url).split("?")[0], 80)

    def _reaching(self) -> str:
        return (
            "start it, or set its base_url"
            if self.access.moved or self.access.provider == "ollama"
            else _LATER
        )

    def _clean(self, text: str) -> str:
        hidden = text if self.access.key == NO_KEY else text.replace(self.access.key, "[key]")
        return for_terminal(_MARKUP.sub(" ", hidden[:SHOWN_BODY]), 200).strip().rstrip(".")


def wait_asked_for(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Seconds by `retry-after-ms`, or by `retry-after` as seconds or as a date; None for neither, or nonsense."""
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
    """The words in an error's body, in whichever of the usual places they stand."""
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
