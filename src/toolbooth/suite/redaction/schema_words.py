"""An object, as JSON or as text → whether it is a JSON Schema, and which of its fields belong to one."""

import re
from collections.abc import Mapping
from typing import Any

from toolbooth.suite.redaction.names import words_of

_TYPES = words_of("string number integer boolean object array null")
_COMBINED = words_of("$ref anyOf oneOf allOf properties enum")
_WORDS = words_of(
    "$ref ref $id $schema $defs $comment type title description default const enum examples example format pattern "
    "properties items required anyOf oneOf allOf not additionalProperties minLength maxLength minimum maximum "
    "contentEncoding contentMediaType deprecated readOnly writeOnly nullable"
)
_QUOTE = r"\\{0,32}+[\"']"
_IN_TEXT = re.compile(
    rf"[\"']type{_QUOTE}\s{{0,8}}+:\s{{0,8}}+{_QUOTE}(?:{'|'.join(sorted(_TYPES))}){_QUOTE}"
    rf"|[\"'](?:\$ref|anyOf|oneOf|allOf|properties|enum){_QUOTE}\s{{0,8}}+:",
    re.IGNORECASE,
)


def is_schema(value: Mapping[Any, Any]) -> bool:
    """By its type, or by what only schemas are put together of."""
    kinds = value.get("type")
    for kind in kinds if isinstance(kinds, list | tuple) else (kinds,):
        if isinstance(kind, str) and kind.lower() in _TYPES:
            return True
    return not _COMBINED.isdisjoint(value) or ("description" in value and all(map(is_schema_word, value)))


def is_schema_text(text: str) -> bool:
    """The same for an object that was written into a text, perhaps cut off."""
    return _IN_TEXT.search(text) is not None


def is_schema_word(name: Any) -> bool:
    """A schema's own field; a secret beside such fields is under another name."""
    return name in _WORDS
