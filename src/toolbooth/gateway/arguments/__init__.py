"""The check of a call's arguments against the tool's own schema, in bounded work."""

from toolbooth.gateway.arguments.check import Judged, check_arguments, explain_bad_call, judged
from toolbooth.gateway.arguments.inspection import Problem

__all__ = ["Judged", "Problem", "check_arguments", "explain_bad_call", "judged"]
