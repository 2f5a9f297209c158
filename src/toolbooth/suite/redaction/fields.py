"""A field's name × its value → the value without the texts, and numbers, that the name makes secret."""

from collections.abc import Mapping
from typing import Any

from toolbooth.suite.redaction.names import Sound, is_secret, is_secret_inside, sound_inside, sound_of
from toolbooth.suite.redaction.schema_words import is_schema, is_schema_word


def without_named(names: tuple[str, ...], value: Any, mark: str) -> Any:
    """`names` are those the field has had; texts directly in an object or a list go by its name too."""
    sound = max(map(sound_of, names), default=Sound.NO)
    if isinstance(value, str):
        return mark if is_secret(sound, value) else value
    if sound < Sound.MAYBE or isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return mark if sound is Sound.SURE else value
    if isinstance(value, list | tuple):
        return [_item(names, sound, inner, mark) for inner in value]
    return _object(names, value, mark, Sound.SURE) if isinstance(value, Mapping) else value


def _item(names: tuple[str, ...], sound: Sound, value: Any, mark: str) -> Any:
    if isinstance(value, str):
        return mark if is_secret_inside(sound, value) else value
    # A list of objects is most often one of descriptions: only what looks like a token goes.
    return _object(names, value, mark, Sound.MAYBE) if isinstance(value, Mapping) else value


def _object(names: tuple[str, ...], value: Mapping[Any, Any], mark: str, most: Sound) -> dict[Any, Any]:
    schema = is_schema(value)

    def cleaned(key: Any, inner: Any) -> Any:
        if not isinstance(inner, str) or (schema and is_schema_word(key)):
            return inner
        sound = max(sound_inside(name, str(key)) for name in names)
        return mark if is_secret_inside(min(sound, most), inner) else inner

    return {key: cleaned(key, inner) for key, inner in value.items()}
