"""The `expect:` blocks of a suite, in either form, as assertions. Mistakes name line and column."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toolbooth import errors, safetext, suggest
from toolbooth.catalog.config import Document
from toolbooth.catalog.config.key_table import KeyPath, Schema, dotted
from toolbooth.suite import matchers, verdict


@dataclass(frozen=True)
class Expectations:
    """A list of `{target: {operator: value}}` or `{target: …, matcher: {name: value}}`."""

    is_target: Callable[[str], bool]
    examples: Sequence[str]

    def check(self, document: Document, value: object, at: KeyPath) -> None:
        """Compiles everything once, so that a mistake is found before anything runs."""
        self.read(document, value, at)

    def read(self, document: Document, value: object, at: KeyPath) -> tuple[verdict.Assertion, ...]:
        """Read the assertions; raises ConfigError."""
        if value is None:
            return ()
        if not isinstance(value, list):
            raise document.mistake(f"{dotted(at)} must be a list", at)
        found: list[verdict.Assertion] = []
        for index, item in enumerate(value):
            found += self._item(document, item, (*at, index))
        return tuple(found)

    def _item(self, document: Document, item: Any, at: KeyPath) -> Iterator[verdict.Assertion]:
        if not isinstance(item, Mapping) or not item:
            raise document.mistake(
                f'{dotted(at)} must be a target and a matcher, such as {{f1: {{">=": 80}}}}', at
            )
        if "target" in item or "matcher" in item:
            yield from self._named(document, item, at)
            return
        for target, wanted in item.items():
            yield from self._wanted(document, str(target), wanted, (*at, target), at_key=True)

    def _named(self, document: Document, item: Mapping[str, Any], at: KeyPath) -> Iterator[verdict.Assertion]:
        for key in item:
            if key not in ("target", "matcher"):
                raise document.mistake(
                    f"unknown key {safetext.for_terminal(str(key), 60)!r} in {dotted(at)}; known are target, matcher",
                    (*at, key),
                    key=True,
                )
        if not isinstance(item.get("target"), str) or "matcher" not in item:
            raise document.mistake(f"{dotted(at)} needs both `target` and `matcher`", at)
        yield from self._wanted(document, item["target"], item["matcher"], (*at, "matcher"), at_key=False)

    def _wanted(
        self, document: Document, target: str, wanted: Any, at: KeyPath, *, at_key: bool
    ) -> Iterator[verdict.Assertion]:
        if not self.is_target(target):
            place = at if at_key else (*at[:-1], "target")
            raise document.mistake(self._unknown(target), place, key=at_key)
        if not isinstance(wanted, Mapping) or not wanted:
            raise document.mistake(f'{dotted(at)} must be a map such as {{">=": 80}}', at)
        for word, argument in wanted.items():
            yield _assertion(document, target, str(word), argument, (*at, word))

    def _unknown(self, target: str) -> str:
        hint = suggest.did_you_mean(
            target, self.examples, f"the targets are {', '.join(self.examples)}", form="{!r}"
        )
        return f"unknown target {safetext.for_terminal(target, 80)!r}; {hint}"

    def schema(self) -> Schema:
        """Both forms. The targets are only examples, because some contain a path."""
        words = {name: {"description": each.says, **each.takes} for name, each in matchers.MATCHERS.items()}
        wanted = {"type": "object", "properties": words, "additionalProperties": False, "minProperties": 1}
        named = {
            "type": "object",
            "properties": {"target": {"type": "string", "examples": list(self.examples)}, "matcher": wanted},
            "required": ["target", "matcher"],
            "additionalProperties": False,
        }
        short = {
            "type": "object",
            "not": {"anyOf": [{"required": ["target"]}, {"required": ["matcher"]}]},
            "additionalProperties": wanted,
            "minProperties": 1,
        }
        return {"type": ["array", "null"], "items": {"anyOf": [named, short]}}


def _assertion(document: Document, target: str, word: str, argument: Any, at: KeyPath) -> verdict.Assertion:
    matcher = matchers.MATCHERS.get(word)
    if matcher is None:
        raise _unknown_word(document, word, at)
    try:
        return verdict.Assertion(target, matcher, argument, matcher.compile(argument))
    except matchers.BadArgument as error:
        raise document.mistake(f"{dotted(at)}: {safetext.for_terminal(str(error))}", at) from None


def _unknown_word(document: Document, word: str, at: KeyPath) -> errors.ConfigError:
    hint = suggest.did_you_mean(
        word, matchers.MATCHERS, f"the matchers are {' '.join(matchers.MATCHERS)}", form="{!r}"
    )
    return document.mistake(f"unknown matcher {safetext.for_terminal(word, 40)!r}; {hint}", at, key=True)
