"""Model-written code → result: Python that calls tools, checked against their schemas, in worker processes."""

from toolbooth.sandbox.identifiers import Namespace
from toolbooth.sandbox.sandbox import Ran, Sandbox
from toolbooth.sandbox.simple_call import SimpleCall, simple_call
from toolbooth.sandbox.world import OwnFunction, World

__all__ = ["Namespace", "OwnFunction", "Ran", "Sandbox", "SimpleCall", "World", "simple_call"]
