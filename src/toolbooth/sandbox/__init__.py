"""The sandbox for model-written code: Python that calls tools, checked against their schemas, in worker processes."""

from toolbooth.lazy import exports

TYPE_CHECKING = False  # as in `typing`, which takes too long to import

if TYPE_CHECKING:
    from toolbooth.sandbox.identifiers import Namespace as Namespace, identifier as identifier
    from toolbooth.sandbox.sandbox import CodeResult as CodeResult, Sandbox as Sandbox
    from toolbooth.sandbox.scope import CodeScope as CodeScope, HostFunctionStub as HostFunctionStub
    from toolbooth.sandbox.scripts import (
        Loaded as Loaded,
        Script as Script,
        ScriptFolder as ScriptFolder,
        Stamp as Stamp,
        check_name as check_name,
        mentions as mentions,
        read_script as read_script,
        with_description as with_description,
    )
    from toolbooth.sandbox.shapes import schema_shape as schema_shape, value_shape as value_shape
    from toolbooth.sandbox.simple_calls import (
        SimpleCall as SimpleCall,
        looks_like_a_call as looks_like_a_call,
        simple_call as simple_call,
    )
else:
    __getattr__, __all__ = exports(
        __name__,
        {
            "identifiers": "Namespace identifier",
            "sandbox": "CodeResult Sandbox",
            "scope": "CodeScope HostFunctionStub",
            "scripts": "Loaded Script ScriptFolder Stamp check_name mentions read_script with_description",
            "shapes": "schema_shape value_shape",
            "simple_calls": "SimpleCall looks_like_a_call simple_call",
        },
    )
