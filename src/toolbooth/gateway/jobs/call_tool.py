"""`call_tool`: what a model wrote → the call it means; the gateway makes it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from toolbooth.catalog import NotJson, decode
from toolbooth.catalog.config import REDUCTION_KEYS, Reduction
from toolbooth.errors import WrongArguments
from toolbooth.gateway.jobs.arguments import Arguments
from toolbooth.gateway.jobs.job import OBJECT, TEXT, Job

NAME: Final = "call_tool"
# `fields` is a list or a text with commas; a list would have to say of what, and costs six tokens more.
_PARAMETERS: Final = {"name": TEXT, "arguments": OBJECT, "intent": TEXT, "fields": TEXT}
_ALSO: Final = ("reduce",)
_KNOWN: Final = (*_PARAMETERS, *_ALSO)
_AN_OBJECT: Final = "an object of the tool's own arguments"


@dataclass(frozen=True)
class Call:
    """One call of a backend tool. `intent`, `fields` and `reduce` are for cutting its answer."""

    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict, hash=False)
    intent: str = ""
    fields: tuple[str, ...] = ()
    reduce: bool | Mapping[str, Any] | None = field(default=None, hash=False)


def read_call(given: object) -> Call:
    """Arguments that came as JSON text are read; a tool's own arguments beside `name` are said to belong inside."""
    arguments = Arguments(NAME, given, _KNOWN)
    name = arguments.text("name", '"server.tool", arguments={…}')
    written: Mapping[str, Any] = given if isinstance(given, Mapping) else {}
    strange = [key for key in written if key not in _KNOWN]
    if strange and "arguments" not in written:
        raise WrongArguments(f"`{strange[0]}` belongs inside `arguments`: {NAME}(name=…, arguments={{…}})")
    return Call(
        name,
        _object(written.get("arguments"), arguments),
        arguments.optional_text("intent") or "",
        _fields(written.get("fields"), arguments),
        read_reduce(written.get("reduce"), arguments),
    )


def _object(value: object, arguments: Arguments) -> Mapping[str, Any]:
    if isinstance(value, str):
        try:
            value = decode(value.encode("utf-8", "surrogatepass")) if value.strip() else None
        except NotJson:
            raise arguments.wrong("arguments", f"{_AN_OBJECT}, not text") from None
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise arguments.wrong("arguments", _AN_OBJECT)
    return value


def _fields(value: object, arguments: Arguments) -> tuple[str, ...]:
    """A list of names, also as JSON text, or names with commas between them."""
    listed = _split(value) if isinstance(value, str) else value
    if listed is None:
        return ()
    if not isinstance(listed, list) or not all(isinstance(each, str) for each in listed):
        raise arguments.wrong("fields", "a list of names")
    return tuple(each.strip() for each in listed if each.strip())


def _split(text: str) -> object:
    try:
        return decode(text.encode("utf-8", "surrogatepass"))
    except NotJson:
        return text.split(",")


def read_reduce(value: object, arguments: Arguments) -> bool | Mapping[str, Any] | None:
    """False for all of the answer, or the keys of `reduce:` in toolbooth.yaml."""
    if not isinstance(value, Mapping):
        return None if value is None else arguments.flag("reduce", True)
    defaults = Reduction()
    for key, wanted in value.items():
        usual = getattr(defaults, key) if key in REDUCTION_KEYS else None
        if usual is None or type(wanted) is not type(usual) or (type(wanted) is int and wanted <= 0):
            known = ", ".join(sorted(REDUCTION_KEYS))
            raise arguments.wrong("reduce", f"false, or an object with some of {known}")
    return value


JOB: Final = Job(
    NAME,
    "Call a tool that search_tools showed. `fields` (items[].id) or `intent` shorten a long answer.",
    _PARAMETERS,
    ("name",),
    read_only=False,
    also=_ALSO,
)
