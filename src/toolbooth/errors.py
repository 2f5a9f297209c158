"""The exceptions of Toolbooth, as one tree. Each branch has the exit code of a command that ends with it.

ToolboothError
├── UserMistake              exit 2   the command line or a file is wrong, and the user can correct it
│   ├── ConfigError                   a file is missing or broken, with line and column; if other files can still be
│   │                                 used it is only reported
│   ├── UnknownEncoding               the tokenizer has no such vocabulary
│   ├── UnknownModel                  the price of the model is unknown
│   ├── InvalidBound                  a threshold, cap or limit is impossible
│   └── WrongArguments                an agent called one of the built-in tools with wrong arguments
├── DaemonFault              exit 3   the shared daemon cannot be started or reached
├── NothingToWeigh           exit 3   there is no config, no server or no tool to work on
├── CodeFault                exit 1   code in the sandbox did not finish
│   ├── CodeMistake                   it is wrong (syntax, a name, an argument) and did not start
│   ├── CodeFailed                    it raised an exception
│   ├── CodeStopped                   it reached a limit: time, memory, calls or output
│   └── SandboxFault         exit 3   the sandbox itself is missing, busy or broken
├── ProviderFault            exit 3   a model's provider did not answer, or refused
│   ├── NoSuchModel                   a suite names a model of no known provider
│   └── NoKey                         the variable for the provider's key is empty
├── CannotCheck              exit 3   a lock could not be compared with servers: none was found, or one is down
├── Refused                  exit 5   a budget or a policy does not allow it
├── NothingSelected          exit 7   no test is left to run
└── BackendFault             exit 3   a server failed
    ├── BackendNotFound               the command or host does not exist
    ├── BackendCrashed                the process ended, or the connection closed
    ├── BackendTimeout                the server did not answer within the deadline
    ├── BackendRefused                the server answered with an error
    │   └── SignInNeeded              a person must sign in first
    ├── BackendResting                the server failed too often and is not called for a while
    ├── BackendBusy                   too many calls wait for the server already
    ├── ToolHeldBack                  the tool is not as it was locked, so it is not called
    └── BackendProtocolError          the answer is not valid MCP
        └── FrameTooLarge             one message is larger than the frame cap
"""

from pathlib import Path

EXIT_CODES = {
    0: "success",
    1: "over budget, or a gate failed",
    2: "wrong usage or a broken file",
    3: "nothing could be reached",
    5: "refused by a budget or policy",
    7: "nothing was selected to run",
    130: "interrupted",
}
"""Every exit code of the command line. The help pages are generated from it; a command may be more specific."""

NO_SUCH_FILE = "there is no such file"
NO_SUCH_FOLDER = "there is no such folder"


class ToolboothError(Exception):
    """The root of the tree. `str(error)` is one line for a person; it says what is wrong and what to do."""

    exit_code = 1


class UserMistake(ToolboothError):
    """The command line, or a file of the user, is wrong."""

    exit_code = 2


class ConfigError(UserMistake):
    """A config or catalog file cannot be used. `line` and `column` count from 1, and are None if unknown.

    `more` holds the other mistakes in the same file.
    """

    more: "tuple[ConfigError, ...]" = ()

    def __init__(
        self, message: str, path: Path | str | None = None, line: int | None = None, column: int | None = None
    ) -> None:
        self.message, self.path, self.line, self.column = message, path, line, column
        super().__init__(message)

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.path, self.line, self.column) if part is not None)
        return f"{place}: {self.message}" if place else self.message


class UnknownEncoding(UserMistake):
    """The tokenizer has no vocabulary of this name."""


class UnknownModel(UserMistake):
    """The price of this model is unknown; Toolbooth does not guess prices."""


class InvalidBound(UserMistake, ValueError):
    """A threshold, cap or limit is impossible: thresholds must rise, and no bound may be negative."""


class WrongArguments(UserMistake):
    """An agent called a built-in tool with wrong arguments; the message says how to call it."""


class DaemonFault(ToolboothError):
    """The shared daemon cannot be started or reached, or keeps crashing."""

    exit_code = 3


class NothingToWeigh(ToolboothError):
    """No config was found, or no server in it could be reached; `places` are the paths that were searched."""

    exit_code = 3

    def __init__(self, message: str, places: tuple[str, ...] = ()) -> None:
        self.places = places
        super().__init__(message)


class CodeFault(ToolboothError):
    """Code in the sandbox did not finish; the message is for its author and may have several lines."""

    printed = ""  # the output up to this point


class CodeMistake(CodeFault):
    """The code is wrong; none of it ran."""


class CodeFailed(CodeFault):
    """The code raised an exception that it did not catch."""


class CodeStopped(CodeFault):
    """The code reached one of its limits."""


class SandboxFault(CodeFault):
    """The sandbox could not be started, or has no free worker."""

    exit_code = 3


class ProviderFault(ToolboothError):
    """A model's provider could not be reached, refused the key, or failed; the message is one safe line."""

    exit_code = 3


class NoSuchModel(ProviderFault):
    """A suite names a model that belongs to no known provider; nothing ran."""


class NoKey(ProviderFault):
    """The environment variable for a provider's key is empty; nothing ran."""


class CannotCheck(ToolboothError):
    """A lock could not be compared with servers; `places` are the paths that were searched."""

    exit_code = 3

    def __init__(self, message: str, places: tuple[str, ...] = ()) -> None:
        self.places = places
        super().__init__(message)


class Refused(ToolboothError):
    """A budget or a policy does not allow it."""

    exit_code = 5


class NothingSelected(ToolboothError):
    """Filters or a shard leave no test to run."""

    exit_code = 7


class BackendFault(ToolboothError):
    """A server failed. `server` is its name, which may be filled in later.

    `sent` is False only if it is certain that the server received no part of the call.
    """

    exit_code = 3
    sent = True

    def __init__(self, message: str, server: str = "") -> None:
        self.message, self.server = message, server
        super().__init__(message)

    def __str__(self) -> str:
        return f"{self.server}: {self.message}" if self.server else self.message


class BackendNotFound(BackendFault):
    """The command or host does not exist."""


class BackendCrashed(BackendFault):
    """The process ended, or the connection closed, before the server answered."""


class BackendTimeout(BackendFault):
    """The server did not answer within the deadline."""


class BackendRefused(BackendFault):
    """The server answered with an error of its own."""


class SignInNeeded(BackendRefused):
    """A person must sign in; trying again without that does not help."""


class BackendResting(BackendFault):
    """The server failed too often in a short time and is not called for a while."""


class BackendBusy(BackendFault):
    """Too many calls wait for the server already."""


class ToolHeldBack(BackendFault):
    """A tool is new or has changed since it was locked; the message names it and says what a person can do."""

    def __str__(self) -> str:
        return self.message


class BackendProtocolError(BackendFault):
    """The server sent something that is not valid MCP."""


class FrameTooLarge(BackendProtocolError):
    """The server sent one message that is larger than the frame cap."""
