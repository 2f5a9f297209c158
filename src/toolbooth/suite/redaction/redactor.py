"""The redactor: replaces every secret in texts, JSON and traces by `[redacted]`.

Redacting twice gives the same result as redacting once.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any

from toolbooth import limits
from toolbooth.catalog import Catalog, ServerSpec, sort_entries
from toolbooth.suite.redaction import named_values
from toolbooth.suite.redaction.secrets import SuitePattern, known_secrets, without_keys
from toolbooth.suite.trace import REDACTED, Exchange, MadeCall, Trace, Turn

_SCHEMAS = frozenset({"inputSchema", "outputSchema", "input_schema", "output_schema", "parameters"})
_OF_SCHEMAS = frozenset(
    {"type", "$ref", "anyOf", "oneOf", "allOf", "enum", "const", "properties", "description"}
)
_SHORT = 8  # shorter known secrets of plain letters are redacted only as whole words


class Redactor:
    """Redacts what is known to be secret, looks secret, or matches a pattern of the suite."""

    def __init__(
        self,
        environ: Mapping[str, str],
        specs: Iterable[ServerSpec],
        patterns: Iterable[str] = (),
    ) -> None:
        self._known = known_secrets(environ, specs)
        self._patterns = tuple(SuitePattern(pattern) for pattern in patterns)

    def text(self, text: str) -> str:
        """Foreign or own text, of any length."""
        return self._cleaned(text, self._known.everywhere, pairs=True)

    def value(self, value: Any) -> Any:
        """JSON with its keys. Values under a secret name are redacted; schemas of tools keep their fields."""
        return self._walk(value, 0, in_schema=False)

    def trace(self, trace: Trace) -> Trace:
        """A whole run. Names of tools and servers lose only sure secrets, because they must still be scored."""
        return replace(
            trace,
            prompt=self.text(trace.prompt),
            system_prompt=self.text(trace.system_prompt),
            turns=tuple(map(self._turn, trace.turns)),
            error=self.text(trace.error),
        )

    def menu(self, menu: Iterable[Mapping[str, Any]]) -> tuple[Mapping[str, Any], ...]:
        """Tools as a model saw them."""
        return tuple(self.value(tool) for tool in menu)

    def catalog(self, catalog: Catalog) -> Catalog:
        """The tools behind a menu, and the descriptions of their servers."""
        return Catalog(
            tuple(
                replace(
                    sort_entries(server.server, [self.value(tool.raw) for tool in server.tools]),
                    instructions=None if server.instructions is None else self.text(server.instructions),
                    title=self.text(server.title),
                    description=self.text(server.description),
                    version=server.version,
                    protocol=server.protocol,
                    set_aside=server.set_aside,
                )
                for server in catalog.servers
            ),
            tuple((where, self.text(reason)) for where, reason in catalog.missing),
        )

    def _turn(self, turn: Turn) -> Turn:
        return replace(turn, text=self.text(turn.text), exchanges=tuple(map(self._exchange, turn.exchanges)))

    def _exchange(self, exchange: Exchange) -> Exchange:
        return replace(
            exchange,
            tool=self._name(exchange.tool),
            arguments=self.value(exchange.arguments),
            result=self.text(exchange.result),
            made=tuple(map(self._made, exchange.made)),
        )

    def _made(self, call: MadeCall) -> MadeCall:
        return MadeCall(self._name(call.name), self._name(call.server), self.value(call.arguments))

    def _name(self, name: str) -> str:
        return self._cleaned(name, self._known.named, pairs=False)

    def _walk(self, value: Any, depth: int, in_schema: bool) -> Any:
        if isinstance(value, str):
            return self._cleaned(value, self._known.everywhere, pairs=not in_schema)
        if depth > limits.REDACT_DEPTH and isinstance(value, Mapping | list | tuple):
            return REDACTED  # nothing is kept that was not checked
        if isinstance(value, Mapping):
            return dict(self._field(str(key), inner, depth + 1, in_schema) for key, inner in value.items())
        if isinstance(value, list | tuple):
            return [self._walk(inner, depth + 1, in_schema) for inner in value]
        return value

    def _field(self, key: str, value: Any, depth: int, in_schema: bool) -> tuple[str, Any]:
        cleaned = self._cleaned(key, self._known.everywhere, pairs=False)
        names = () if in_schema else (key, cleaned)
        in_schema = in_schema or (cleaned in _SCHEMAS and _is_schema(value))
        # Again afterwards: a text whose spaces were redacted may now look like a token.
        inner = self._walk(named_values.without_named(names, value, REDACTED), depth, in_schema)
        return cleaned, named_values.without_named(names, inner, REDACTED)

    def _cleaned(self, text: str, known: Sequence[str], *, pairs: bool) -> str:
        # The mark is a character that is not in the text, so that no later match can begin inside a mark.
        mark = next(sign for sign in map(chr, range(0xE000, 0x110000)) if sign not in text)
        before, now = "", text.replace(REDACTED, mark)
        steps: list[Callable[[str, str], str]] = [partial(_without_known, known=known), without_keys]
        steps += [named_values.without_pairs, named_values.without_prose] if pairs else []
        steps += [pattern.without for pattern in self._patterns]
        for _ in range(limits.REDACT_PASSES):
            before = now
            for step in steps:
                now = step(now, mark)
            if now == before:
                return now.replace(mark, REDACTED)
        return REDACTED


def _is_schema(value: Any) -> bool:
    return isinstance(value, Mapping) and not _OF_SCHEMAS.isdisjoint(value)


def _without_known(text: str, mark: str, known: Sequence[str]) -> str:
    for secret in [each for each in known if each in text]:
        if len(secret) < _SHORT and secret.isalpha():
            text = _without_word(text, secret, mark)
        else:
            text = text.replace(secret, mark)
    return text


def _without_word(text: str, word: str, mark: str) -> str:
    parts = text.split(word)
    joined = [parts[0]]
    for before, after in pairwise(parts):
        inside = before[-1:].isalnum() or after[:1].isalnum()
        joined += [word if inside else mark, after]
    return "".join(joined)
