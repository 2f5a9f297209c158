"""The sandbox for model-written code: Python that calls tools, checked against their schemas, in worker processes."""

from typing import TYPE_CHECKING, Any, Final

from toolbooth.sandbox.identifiers import Namespace, identifier
from toolbooth.sandbox.shapes import schema_shape, value_shape
from toolbooth.sandbox.simple_call import SimpleCall, looks_like_a_call, simple_call

if TYPE_CHECKING:
    from toolbooth.sandbox.sandbox import CodeResult, Sandbox
    from toolbooth.sandbox.scope import CodeScope, HostFunctionStub

__all__ = [
    "CodeResult",
    "CodeScope",
    "HostFunctionStub",
    "Namespace",
    "Sandbox",
    "SimpleCall",
    "identifier",
    "looks_like_a_call",
    "schema_shape",
    "simple_call",
    "value_shape",
]

# These import the interpreter, which `sandbox.scripts` does not need; this module runs before it.
_LATER: Final = {
    "CodeResult": "sandbox",
    "CodeScope": "scope",
    "HostFunctionStub": "scope",
    "Sandbox": "sandbox",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_LATER[name]}"), name)
