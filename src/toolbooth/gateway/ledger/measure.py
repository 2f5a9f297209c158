"""An ended call → its row: what was said is weighed and judged here, and goes no further."""

import math
from typing import Final, NamedTuple

from toolbooth.economics import DEFAULT_THRESHOLDS, Risk, profile_response
from toolbooth.gateway.ledger.answered import Payload, Sized
from toolbooth.gateway.ledger.counting import Counter
from toolbooth.gateway.ledger.row import Row, session_digest
from toolbooth.gateway.ledger.visible_text import Block, blocks_of
from toolbooth.gateway.ledger.waiting import Entry, held_size
from toolbooth.limits import MAX_LEDGER_NAME

_CHARACTERS_A_TOKEN: Final = 3.5


class _Weight(NamedTuple):
    bytes: int
    tokens: int
    estimated: bool
    risk: str | None
    advisory: str | None


_NOTHING: Final = _Weight(0, 0, False, None, None)


def measure(entry: Entry) -> Row:
    """Weigh both sides of a call; whatever an answer is, it gets its row."""
    answered = entry.answered
    before = _weigh(answered.tool, answered.before)
    after = before if answered.after is answered.before else _weigh(answered.tool, answered.after)
    return Row(
        entry.at,
        _name(answered.server),
        _name(answered.tool),
        session_digest(answered.session),
        answered.kind,
        float(answered.ms),
        answered.outcome,
        before.bytes,
        after.bytes,
        before.tokens,
        after.tokens,
        before.estimated or after.estimated,
        before.risk,
        before.advisory,
        answered.steps,
    )


def _weigh(tool: str, payload: Payload) -> _Weight:
    if payload is None:
        return _NOTHING
    if isinstance(payload, Sized):
        return _estimated(payload.size)
    try:
        return _exact(tool, blocks_of(payload))
    except Exception:  # an answer that cannot be read was still paid for; no row is lost for its sake
        return _estimated(held_size(payload))


def _exact(tool: str, blocks: list[Block]) -> _Weight:
    counter = Counter()
    profile = profile_response(tool, None, blocks, count=counter)
    size = sum(len(block["text"].encode("utf-8", "surrogatepass")) for block in blocks)
    return _Weight(
        size,
        profile.estimated_tokens,
        not counter.exact,
        profile.risk.value,
        None if profile.advisory is None else profile.advisory.rule,
    )


def _estimated(size: int) -> _Weight:
    tokens = math.ceil(size / _CHARACTERS_A_TOKEN)
    risk = DEFAULT_THRESHOLDS.risk(tokens)
    advisory = {Risk.CRITICAL: "overload", Risk.HIGH: "density"}.get(risk)
    return _Weight(size, tokens, True, risk.value, advisory)


def _name(text: str) -> str:
    """Names are foreign: bounded, and of characters that a file can hold."""
    return text[:MAX_LEDGER_NAME].encode("utf-8", "replace").decode()
