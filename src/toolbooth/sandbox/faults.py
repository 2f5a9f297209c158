"""The faults of the sandbox, explained to whoever wrote the code: the line, and what is wrong with it."""

import builtins
import re
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from toolbooth import errors, limits, safetext
from toolbooth.sandbox.diagnostics import Mistake, source_lines

if TYPE_CHECKING:
    from pydantic_monty import Frame, MontyCrashedError, MontyRuntimeError, MontySyntaxError

Help = Callable[[str], Sequence[str]]
_SOURCE: Final = 160  # characters of a line of code that are shown
_NOT_PYTHON_HERE: Final = re.compile(r"^The monty syntax parser does not yet support (?:the )?(.*)$")
_NO_ATTRIBUTE: Final = re.compile(r"^'(\w+)' object has no attribute '(?!__)(\w+)'$")
_NOT_ONE_TEXT: Final = re.compile(r"^Internal error in monty: exceptions can only be called with")


class _Limit(NamedTuple):
    kind: str
    said: re.Pattern[str]
    words: str


_LIMITS: Final = (
    _Limit(
        "TimeoutError",
        re.compile(r"(?:feed|turn) time limit"),
        f"the code computed longer than {limits.CODE_CPU:g} s; do less in one run, or let a tool do the work",
    ),
    _Limit(
        "TimeoutError",
        re.compile(r"sleep limit"),
        f"the code slept longer than {limits.CODE_SLEEP:g} s; wait between two runs instead",
    ),
    _Limit(
        "MemoryError",
        re.compile(rf"> {limits.CODE_PRINTED} bytes"),
        f"the code printed more than {limits.CODE_PRINTED // limits.MIB} MB; print less, or end with the value",
    ),
    _Limit(
        "MemoryError",
        re.compile(r"memory limit"),
        f"the code needed more than {limits.CODE_MEMORY // limits.MIB} MB; ask the tools for less, or keep less of it",
    ),
    _Limit(
        "RuntimeError",
        re.compile(r"suspension limit"),
        "the code made too many calls; ask for more in fewer calls",
    ),
    _Limit(
        "RecursionError",
        re.compile(r""),
        "the recursion is too deep; use a loop",
    ),
)


def syntax_fault(error: "MontySyntaxError", code: str) -> errors.CodeFault:
    """The code is not valid Python."""
    frames = error.traceback()
    said = _shown(error.display("msg"))
    return errors.CodeMistake(_at(_line_of(frames), code, f"SyntaxError: {said}"))


def typing_fault(
    found: Sequence[Mistake], code: str, help_with: Help, servers: Collection[str] = ()
) -> errors.CodeFault:
    """Mistakes that the check found before the run; nothing was called."""
    parts = []
    for each in found[: limits.MAX_MISTAKES]:
        parts.append(_at(each.line, code, _words(each, servers), help_with))
    more = len(found) - limits.MAX_MISTAKES
    return errors.CodeMistake("\n".join([*dict.fromkeys(parts), *([f"and {more} more"] if more > 0 else [])]))


def runtime_fault(error: "MontyRuntimeError", code: str) -> errors.CodeFault:
    """An exception that the code did not catch, or a limit that it exceeded."""
    kind, _, message = error.display("type-msg")[: limits.CODE_ERROR * 2].partition(": ")
    limit = next((each for each in _LIMITS if each.kind == kind and each.said.search(message)), None)
    if limit is not None:
        return errors.CodeStopped(_at(_line_of(error.traceback()), code, limit.words))
    unsupported = _NOT_PYTHON_HERE.match(message)
    if unsupported is not None:
        words = (
            f"the sandbox's Python has no {safetext.for_terminal(unsupported[1])}; write the code without it"
        )
        return errors.CodeMistake(_at(_line_of(error.traceback()), code, words))
    if _NOT_ONE_TEXT.match(message):
        return errors.CodeFailed('an exception takes one text here: write `raise ValueError("…")`')
    said = _shown(f"{kind}: {message}" if message else kind) + _method_as_value(message)
    return errors.CodeFailed(_at(_line_of(error.traceback()), code, said))


def _method_as_value(message: str) -> str:
    """The sandbox knows methods only in calls: it reports `key=d.get` as a missing attribute."""
    match = _NO_ATTRIBUTE.match(message)
    if match is None or not hasattr(getattr(builtins, match[1], None), match[2]):
        return ""
    return f"; a method cannot be passed as a value here: write `lambda …: ….{match[2]}(…)`"


def crash_fault(error: "MontyCrashedError") -> errors.CodeFault:
    """The worker process is gone; the next run gets a new one."""
    if error.timed_out:
        return errors.CodeStopped(
            f"the code took longer than {limits.CODE_CPU:g} s in one step; do less in one run"
        )
    return errors.CodeStopped(
        "the sandbox ended while it ran the code, probably because it ran out of memory; keep less in memory in one run"
    )


def _at(line: int | None, code: str, said: str, help_with: Help | None = None) -> str:
    """`line 3: KeyError: 'rows'`, with the line itself below it."""
    lines = source_lines(code)
    source = lines[line - 1].strip() if line and line <= len(lines) else ""
    shown = [f"line {line}: {said}" if source else said]
    if source:
        shown.append(f"    {safetext.for_terminal(source, _SOURCE)}")
    return "\n".join([*shown, *(help_with(source) if help_with is not None else ())])


def _line_of(frames: "Sequence[Frame]") -> int | None:
    """The innermost line of the code itself, not of a text that it passed to `eval`."""
    own = [each.line for each in frames if each.filename == frames[0].filename]
    return own[-1] if own else None


def _shown(message: str) -> str:
    """The text, cleaned and short enough to read."""
    return safetext.for_terminal(message, limits.CODE_ERROR)


_NO_MEMBER: Final = re.compile(r"^Module `(.*)` has no member `(.*)`$")
_INSTEAD: Final = {
    "asyncio.create_task": "; pass the calls to `asyncio.gather`",
    "asyncio.wait_for": "; each call already has its own deadline",
}
_REWORDED: Final = (
    (re.compile(r"^Name `(.*)` used when not defined$"), r"the name \1 is not defined here"),
    (re.compile(r"^Cannot resolve imported module `(.*)`$"), r"there is no module \1 here"),
    (
        re.compile(r"^Method `__getitem__` of type .*with key of type `Literal\[(.*)\]` on.*"),
        r"there is no tool \1",
    ),
    (
        re.compile(r"^.*`CoroutineType.*"),
        "the result of a tool has to be awaited first: `await server.tool(…)`",
    ),
    (re.compile(r" of (?:bound method|function) `[^`]*`"), ""),
    (
        re.compile(r"Argument to (?:bound method|function) `[^`]*` is incorrect: Expected"),
        "wrong argument: expected",
    ),
    (re.compile(r" to (?:bound method|function) `[^`]*`"), ""),
    (re.compile(r"^No argument provided for required parameter"), "missing argument"),
)


def _words(mistake: Mistake, servers: Collection[str]) -> str:
    said = mistake.message
    missing = _NO_MEMBER.match(said)
    if missing is not None:
        module, name = missing.groups()
        server = next((each for each in (module, module.removesuffix("_server")) if each in servers), None)
        if server is not None:
            return safetext.for_terminal(f"there is no tool {server}.{name}")
        instead = _INSTEAD.get(f"{module}.{name}", "")
        return safetext.for_terminal(f"the module {module} has no {name} here{instead}")
    for pattern, words in _REWORDED:
        said = pattern.sub(words, said)
    return safetext.for_terminal(said)
