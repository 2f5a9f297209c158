"""A suite's own pattern × text → the text without the words, or lines, in which the pattern is found."""

import re
from typing import Final

from toolbooth.errors import ConfigError
from toolbooth.safetext import for_terminal
from toolbooth.suite.linear_regex import NoPattern, found_in

# Between these stands what a person would call a word, in sentences as well as in JSON, URLs and settings.
_BETWEEN: Final = re.compile(r"([\s\"'<>{}()\[\],;=&?]+)")


class LinearPattern:
    """The engine says only whether a pattern is found, so a hit takes its whole word; one that spans words, the line.

    Linear in the text, and never too little: what is left of a line does not fit the pattern any more.
    """

    def __init__(self, pattern: str) -> None:
        try:
            self._is_in = found_in(pattern)
        except NoPattern as error:
            raise ConfigError(f"the redact pattern {for_terminal(pattern, 60)}: {error}") from None
        if self._is_in(""):
            raise ConfigError(
                f"the redact pattern {for_terminal(pattern, 60)} fits everywhere, even in no text"
            )

    def without(self, text: str, mark: str) -> str:
        """Each word or line that is taken out becomes one `mark`."""
        return "".join(self._line(line, mark) for line in text.splitlines(keepends=True))

    def _line(self, line: str, mark: str) -> str:
        body = line.rstrip("\r\n")
        if not self._is_in(body) or body == mark:
            return line
        words = (mark if self._is_in(word) and word != mark else word for word in _BETWEEN.split(body))
        left = "".join(words)
        return (mark if self._is_in(left) else left) + line[len(body) :]
