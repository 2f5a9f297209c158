"""What the command line and the gateway's search need of saved scripts, without importing the sandbox itself."""

from toolbooth.sandbox.mentioned_names import mentions
from toolbooth.sandbox.script import Script, check_name, read_script, with_description
from toolbooth.sandbox.script_folder import Loaded, ScriptFolder, Stamp

__all__ = [
    "Loaded",
    "Script",
    "ScriptFolder",
    "Stamp",
    "check_name",
    "mentions",
    "read_script",
    "with_description",
]
