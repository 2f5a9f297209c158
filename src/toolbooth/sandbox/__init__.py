"""The sandbox for model-written code: Python that calls tools, checked against their schemas, in worker processes."""

from toolbooth.lazy import exports

TYPE_CHECKING = False  # as in `typing`, which takes too long to import

if TYPE_CHECKING:
    from toolbooth.sandbox.names import Namespace as Namespace, identifier as identifier, mentions as mentions
    from toolbooth.sandbox.python_text import (
        parse_expression as parse_expression,
        parse_module as parse_module,
    )
    from toolbooth.sandbox.sandbox import CodeResult as CodeResult, Sandbox as Sandbox
    from toolbooth.sandbox.scope import CodeScope as CodeScope, HostFunctionStub as HostFunctionStub
    from toolbooth.sandbox.script import (
        Script as Script,
        check_name as check_name,
        read_script as read_script,
        with_description as with_description,
    )
    from toolbooth.sandbox.script_folder import Loaded as Loaded, ScriptFolder as ScriptFolder, Stamp as Stamp
    from toolbooth.sandbox.shapes import schema_shape as schema_shape, value_shape as value_shape
    from toolbooth.sandbox.simple_calls import (
        SimpleCall as SimpleCall,
        looks_like_a_call as looks_like_a_call,
        simple_call as simple_call,
    )
else:
    __getattr__, __dir__, __all__ = exports(
        __name__,
        {
            "names": "Namespace identifier mentions",
            "python_text": "parse_expression parse_module",
            "sandbox": "CodeResult Sandbox",
            "scope": "CodeScope HostFunctionStub",
            "script": "Script check_name read_script with_description",
            "script_folder": "Loaded ScriptFolder Stamp",
            "shapes": "schema_shape value_shape",
            "simple_calls": "SimpleCall looks_like_a_call simple_call",
        },
    )
