"""Everything that can go wrong, as one tree; each branch knows the exit code it stands for.

ToolboothError
├── UserMistake              exit 2   the call or a file is wrong; the person who typed it can mend it
│   ├── ConfigError                   a file, with line and column; as one source of many it is a line, and
│   │                                 where no source is left NothingToWeigh says so (exit 3)
│   ├── UnknownEncoding               no such tokenizer vocabulary
│   ├── UnknownModel                  no price is known for that model
│   ├── InvalidBound                  a threshold, cap or limit that cannot be
│   └── WrongArguments                an agent's call of one of the menu's own tools cannot be understood
├── DaemonFault              exit 3   the shared daemon cannot be started or reached
├── NothingToWeigh           exit 3   no config, no server, no tool: nothing could be done
├── CodeFault                exit 1   code that a model or a person wrote for the sandbox did not run to its end
│   ├── CodeMistake                   seen before it ran (syntax, a name, an argument): nothing was called
│   ├── CodeFailed                    it raised an exception
│   ├── CodeStopped                   it passed a limit: time, memory, calls, output
│   └── SandboxFault         exit 3   the sandbox itself is missing, busy or broken
├── ProviderFault            exit 3   a model's provider did not answer, or refused
│   ├── NoSuchModel                   a suite names a model that nobody here can talk to
│   └── NoKey                         the variable that should hold the provider's key is empty
├── CannotCheck              exit 2   a lock could not be compared with servers: none there, or one of them is down
├── Refused                  exit 5   a budget or a policy does not allow it
├── NothingSelected          exit 7   no test is left to run
└── BackendFault             exit 3   a server did not do its part
    ├── BackendNotFound               the command or host does not exist
    ├── BackendCrashed                the process ended, or the connection closed
    ├── BackendTimeout                no answer within the deadline
    ├── BackendRefused                the server answered with an error
    │   └── SignInNeeded              it wants a person to sign in first
    ├── BackendResting                it failed too often and is left alone for a while
    ├── BackendBusy                   too many calls wait for it already
    ├── ToolHeldBack                  the tool is not as it was locked, so it is not called
    └── BackendProtocolError          the answer is not MCP
        └── FrameTooLarge             one message over the frame cap
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


class ToolboothError(Exception):
    """Root of the tree. `str(error)` is one line for a person and says what to do next."""

    exit_code = 1


class UserMistake(ToolboothError):
    """The call, or a file the user wrote, is wrong."""

    exit_code = 2


class ConfigError(UserMistake):
    """A config or catalog file cannot be used; `line` and `column` count from 1 where they are known.

    `more` are further mistakes of the same file, for who wants them all.
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
    """No vocabulary of that name ships with the tokenizer."""


class UnknownModel(UserMistake):
    """No price is known for that model; Toolbooth does not guess one."""


class InvalidBound(UserMistake, ValueError):
    """A threshold, cap or limit that cannot be: thresholds must rise, and no bound is negative."""


class WrongArguments(UserMistake):
    """An agent called one of the menu's own tools wrongly; the message tells it how to call."""


class DaemonFault(ToolboothError):
    """The shared daemon cannot be started or reached, or keeps ending."""

    exit_code = 3


class NothingToWeigh(ToolboothError):
    """No config was found, or nothing in it could be reached; `places` are all the paths looked at."""

    exit_code = 3

    def __init__(self, message: str, places: tuple[str, ...] = ()) -> None:
        self.places = places
        super().__init__(message)


class CodeFault(ToolboothError):
    """Code in the sandbox did not run to its end; the message is for whoever wrote it, and may have several lines."""

    printed = ""  # what it had printed by then


class CodeMistake(CodeFault):
    """It cannot run as it stands, and nothing of it ran."""


class CodeFailed(CodeFault):
    """It raised an exception that it did not catch."""


class CodeStopped(CodeFault):
    """It passed one of its limits."""


class SandboxFault(CodeFault):
    """The sandbox could not be started, or has no room."""

    exit_code = 3


class ProviderFault(ToolboothError):
    """A model's provider could not be reached, refused the key, or failed; the message is one clean line."""

    exit_code = 3


class NoSuchModel(ProviderFault):
    """A suite names a model that is understood by no provider; nothing ran."""


class NoKey(ProviderFault):
    """The variable that should hold a provider's key is empty; nothing ran."""


class CannotCheck(ToolboothError):
    """A lock and servers could not be compared, so nothing is known; `places` are paths that were looked at."""

    exit_code = 2

    def __init__(self, message: str, places: tuple[str, ...] = ()) -> None:
        self.places = places
        super().__init__(message)


class Refused(ToolboothError):
    """A budget or a policy does not allow it."""

    exit_code = 5


class NothingSelected(ToolboothError):
    """Filters or a shard leave nothing to run."""

    exit_code = 7


class BackendFault(ToolboothError):
    """A server did not do its part. `server` is filled in by whoever knows its name.

    `sent` is False only where it is certain that the server received nothing of the call.
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
    """The process ended or the connection closed before it answered."""


class BackendTimeout(BackendFault):
    """No answer within the deadline."""


class BackendRefused(BackendFault):
    """The server answered with an error of its own."""


class SignInNeeded(BackendRefused):
    """The server wants a person to sign in; trying again without one does not help."""


class BackendResting(BackendFault):
    """It failed too often in a short time; the next try comes after a rest."""


class BackendBusy(BackendFault):
    """Too many calls wait for it already."""


class ToolHeldBack(BackendFault):
    """A tool that is new, or changed, since it was locked; the message names it and says what a person can do."""

    def __str__(self) -> str:
        return self.message


class BackendProtocolError(BackendFault):
    """The server sent something that is not MCP."""


class FrameTooLarge(BackendProtocolError):
    """The server sent one message over the frame cap."""
