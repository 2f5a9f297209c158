"""Foreign text → one line that acts neither on a terminal nor on the CI system that reads the log."""

import re

from toolbooth.limits import SHOWN_LINE
from toolbooth.safetext import for_terminal

# GitHub obeys `::error …` at the start of a line and `##[…]` anywhere in it; Azure and TeamCity have the like.
# A long name may be wrapped, so it is taken apart wherever it stands.
_COMMAND = re.compile(
    r":(?=:(?:error|warning|notice|debug|echo|group|endgroup|add-mask|add-path|add-matcher|remove-matcher|"
    r"set-env|set-output|save-state|stop-commands)\b)|#(?=#(?:vso|teamcity)?\[)",
    re.IGNORECASE,
)


def clean(text: str, limit: int = SHOWN_LINE) -> str:
    """As `for_terminal`, and no word of it is a command to a build system."""
    return _COMMAND.sub(r"\g<0> ", for_terminal(text, limit)).strip()
