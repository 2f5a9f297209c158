"""What stands where a secret was."""

from typing import Final

REDACTED: Final = "[redacted]"
