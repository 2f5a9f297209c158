"""The arguments of a call → what is wrong with them, judged by the tool's own schema in bounded work."""

from toolbooth.gateway.arguments.bad_call import explain_bad_call
from toolbooth.gateway.arguments.check import check_arguments, judged
from toolbooth.gateway.arguments.checker import Judged
from toolbooth.gateway.arguments.problem import Problem

__all__ = ["Judged", "Problem", "check_arguments", "explain_bad_call", "judged"]
