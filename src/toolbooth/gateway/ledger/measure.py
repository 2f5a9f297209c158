"""The row of an ended call: the text that a model reads is weighed and judged here, and goes no further."""

import math
from typing import Any, Final, NamedTuple

import msgspec

from toolbooth import catalog, economics, limits, store
from toolbooth.catalog.connect import RawResult
from toolbooth.gateway.ledger import ledger, piece_counter
from toolbooth.tokens import count


class _Resource(msgspec.Struct, gc=False):
    text: Any = None


class _Item(msgspec.Struct, gc=False):
    type: Any = None
    text: Any = None
    resource: _Resource | None = None


class _Result(msgspec.Struct, gc=False):
    content: list[_Item] = []
    structuredContent: msgspec.Raw = msgspec.Raw(b"null")


_RESULT: Final = msgspec.json.Decoder(_Result)


def blocks_of(payload: ledger.CallPayload) -> list[economics.Block]:
    """Text items and the texts of embedded resources. Pictures and sound are priced by their model, not as text."""
    if payload is None or isinstance(payload, ledger.SizeOnly):
        return []
    if isinstance(payload, str):
        return [economics.text_block(payload)]
    if isinstance(payload, ledger.Menu):
        texts = [*map(_definition, payload.tools), payload.instructions]
        return [economics.text_block(text) for text in texts if text]
    if isinstance(payload, RawResult):
        return _raw_blocks(payload)
    return economics.answer_blocks(payload)


def _raw_blocks(raw: RawResult) -> list[economics.Block]:
    """The texts that `block_text` finds, read from the bytes: 10 MB take 20 ms this way.

    As objects they would take 290 ms, and block every other thread.
    """
    try:
        result = _RESULT.decode(raw.data)
    except msgspec.MsgspecError:
        return blocks_of(raw.value)
    texts = (
        item.text if isinstance(item.text, str) else item.resource and item.resource.text
        for item in result.content
    )
    said = bytes(result.structuredContent).decode("utf-8", "replace")
    return economics.with_structure([text for text in texts if isinstance(text, str) and text], said)


def _definition(tool: Any) -> str:
    """A tool of a menu as it is weighed everywhere else."""
    return tool.definition if isinstance(tool, catalog.Tool) else catalog.Tool.from_raw("", tool).definition


_CHARACTERS_A_TOKEN: Final = 3.5
_NOT_ONLY_TEXT: Final = (b'"image"', b'"audio"', b'"blob"', b'"structuredContent"')


class _Weight(NamedTuple):
    bytes: int
    tokens: int
    estimated: bool
    risk: str | None
    advisory: str | None


_NOTHING: Final = _Weight(0, 0, False, None, None)


def measure(entry: ledger.QueuedCall) -> store.Row:
    """Measure both sides of a call; whatever an answer is, it gets its row."""
    answered = entry.answered
    before = _weigh(answered.tool, answered.before)
    after = before if answered.after is answered.before else _weigh(answered.tool, answered.after)
    return store.Row(
        entry.at,
        store.storable(answered.server),
        store.storable(answered.tool),
        store.session_digest(answered.session),
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
        store.storable(answered.principal),
    )


def _weigh(tool: str, payload: ledger.CallPayload) -> _Weight:
    if payload is None:
        return _NOTHING
    if isinstance(payload, ledger.SizeOnly):
        return _estimated(payload.size)
    if isinstance(payload, ledger.Menu):
        return _of_menu(payload)
    if isinstance(payload, RawResult) and _only_long_text(payload):
        return _sampled(payload)
    try:
        return _exact(tool, blocks_of(payload))
    except Exception:  # an answer that cannot be read was still paid for, so it has its row
        return _estimated(ledger.held_size(payload))


def _of_menu(menu: ledger.Menu) -> _Weight:
    """Definitions are weighed as everywhere else; too many of them is not a risk of an answer."""
    if menu.weight is None:
        menu.weight = _exact("", blocks_of(menu))._replace(risk=None, advisory=None)
    weight: _Weight = menu.weight
    return weight


def _only_long_text(raw: RawResult) -> bool:
    """Nothing but text, and so long that reading it would delay others."""
    return len(raw.data) > limits.COUNT_MOST and not any(map(raw.has, _NOT_ONLY_TEXT))


def _sampled(raw: RawResult) -> _Weight:
    """An estimate from samples; a sample that begins inside a character loses that one."""
    length, step = limits.COUNT_MOST // limits.COUNT_SAMPLES // 4, len(raw.data) // limits.COUNT_SAMPLES
    starts = range(0, step * limits.COUNT_SAMPLES, step)
    counted = sum(count(bytes(raw.data[at : at + length]).decode("utf-8", "ignore")) for at in starts)
    return _judged(len(raw.data), round(counted * len(raw.data) / (length * limits.COUNT_SAMPLES)))


def _exact(tool: str, blocks: list[economics.Block]) -> _Weight:
    counter = piece_counter.PieceCounter()
    profile = economics.profile_response(tool, None, blocks, count=counter)
    size = sum(_bytes(block["text"]) for block in blocks)
    return _Weight(
        size,
        profile.estimated_tokens,
        not counter.exact,
        profile.risk.value,
        None if profile.advisory is None else profile.advisory.rule,
    )


def _estimated(size: int) -> _Weight:
    return _judged(size, math.ceil(size / _CHARACTERS_A_TOKEN))


def _judged(size: int, tokens: int) -> _Weight:
    """A weight from a size and an estimated count."""
    risk = economics.DEFAULT_THRESHOLDS.risk(tokens)
    advisory = {economics.Risk.CRITICAL: "overload", economics.Risk.HIGH: "density"}.get(risk)
    return _Weight(size, tokens, True, risk.value, advisory)


def _bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
