"""Making foreign text safe to print on a terminal, in a log, a build system, an HTML page or Markdown.

All text that comes from servers, models and files goes through one of these functions before it is printed.
"""

import re
import unicodedata

from toolbooth import limits

# A whole escape sequence is removed; a single control character is shown as its escape, so nothing is hidden.
_ESCAPE_SEQUENCE = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b\x9c]{0,4096}(?:\x07|\x1b\\|\x9c)|[ -/]*[0-~])"
    r"|\x9b[0-?]*[ -/]*[@-~]|\x9d[^\x07\x1b\x9c\x9d]{0,4096}(?:\x07|\x9c)"
)
_HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
# Letters and marks that are invisible on a screen: fillers, variation selectors.
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
_PLAIN = re.compile(r"[\x20-\x7e]*")
_JOINERS_IN_USE = frozenset("\u200c\u200d")  # Persian words and emoji families need them between letters
_MARKDOWN_SPECIAL = re.compile(r"([\\`*_{}\[\]()#+!|<>~@-])")
_ADDRESS = re.compile(r":(?=//)|(?<=www)\.", re.IGNORECASE)  # GitHub turns these into links
# GitHub obeys `::error …` at the start of a line and `##[…]` anywhere in it; Azure and TeamCity have similar
# commands. A long line may be wrapped, so a command is broken up wherever it occurs.
_BUILD_COMMAND = re.compile(
    r":(?=:(?:error|warning|notice|debug|echo|group|endgroup|add-mask|add-path|add-matcher|remove-matcher|"
    r"set-env|set-output|save-state|stop-commands)\b)|#(?=#(?:vso|teamcity)?\[)",
    re.IGNORECASE,
)
IT_SAID, NEXT_LINE = "it said: ", " | "  # what introduces and separates a server's last lines in a fault
_WHOLE_FAULT = 2000  # characters, far more than a fault has


def _visible(character: str, previous: str) -> str:
    if character in _JOINERS_IN_USE and previous and unicodedata.category(previous)[0] in "LMS":
        return character
    if unicodedata.category(character) not in _HIDDEN_CATEGORIES:
        return character
    return f"\\x{ord(character):02x}" if ord(character) < 0x100 else f"\\u{{{ord(character):x}}}"


def _without_hidden(text: str, keep: str) -> str:
    if _PLAIN.fullmatch(text):
        return text
    text = _ESCAPE_SEQUENCE.sub("", text)
    shown: list[str] = []
    previous = ""
    for character in text:
        shown.append(character if character in keep else _visible(character, previous))
        previous = character
    return "".join(shown)


def for_terminal(text: str, limit: int = limits.SHOWN_LINE) -> str:
    """One line without escape sequences, control, bidi or zero-width characters, cut at `limit` characters.

    The result is plain text, not Rich markup: hand it to `rich.text.Text`, never to a markup string.
    """
    line = _without_hidden(" ".join(text[: limit * 8].split()), keep="")
    return line if len(line) <= limit else line[: limit - 1] + "…"


def fault_for_terminal(message: str, limit: int = limits.SHOWN_LINE) -> str:
    """As `for_terminal`, for a server's fault. The last of its lines say why, so the first ones are cut."""
    line = for_terminal(message, _WHOLE_FAULT)
    how, mark, said = line.partition(IT_SAID)
    if len(line) <= limit or not mark:
        return for_terminal(line, limit)
    *before, kept = said.split(NEXT_LINE)
    while before and len(how + mark + before[-1] + NEXT_LINE + kept) <= limit:
        kept = before.pop() + NEXT_LINE + kept
    return for_terminal(how + mark + kept, limit)


def code_for_terminal(text: str) -> str:
    """A program with its lines and indentation, without anything that is hidden or acts on the terminal."""
    return _without_hidden(text.replace("\r\n", "\n"), keep="\n\t")


def for_log(text: str, limit: int = limits.SHOWN_LINE) -> str:
    """One ASCII line for a log: a newline cannot forge a second entry, and the log's encoding does not matter."""
    return for_terminal(text, limit).encode("ascii", "backslashreplace").decode("ascii")


def for_build_log(text: str, limit: int = limits.SHOWN_LINE) -> str:
    """As `for_terminal`, without any command to the build system that reads the log."""
    return _BUILD_COMMAND.sub(r"\g<0> ", for_terminal(text, limit)).strip()


def whole_text(text: str) -> str:
    """As `for_build_log`, but complete: nothing is cut, and hidden or active characters become their escapes.

    This is for texts that a person approves: a model also reads what an escape sequence would hide.
    """
    line = " ".join(text.split())
    if not _PLAIN.fullmatch(line):
        shown: list[str] = []
        previous = ""
        for character in line:
            unseen = _UNSEEN.match(character) and not (character == "\ufe0f" and _is_symbol(previous))
            shown.append(f"\\u{{{ord(character):x}}}" if unseen else _visible(character, previous))
            previous = character
        line = "".join(shown)
    return _BUILD_COMMAND.sub(r"\g<0> ", line).strip()


def _is_symbol(character: str) -> bool:
    return bool(character) and (unicodedata.category(character)[0] == "S" or character in "#*0123456789")


def workflow_command(kind: str, message: str, **properties: str) -> str:
    """One line that GitHub shows as an annotation. `message` must be safe already; separators in it are escaped."""
    listed = ",".join(f"{key}={_property(value)}" for key, value in properties.items() if value)
    return f"::{kind} {listed}::{_data(message)}" if listed else f"::{kind}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def for_markdown(text: str, limit: int = limits.SHOWN_LINE) -> str:
    """One line without any markup: no link, mention, table bar, HTML tag or code span."""
    line = _MARKDOWN_SPECIAL.sub(r"\\\1", for_terminal(text, limit)).replace("&", "&amp;")
    return _ADDRESS.sub(r"\\\g<0>", line)
