"""The text of a saved script: its description, its arguments and the code that calls it (docs/design/scripts.md)."""

import ast
import inspect
import keyword
import re
from dataclasses import dataclass, field
from typing import Any, Final

from toolbooth import catalog, errors, limits, safetext
from toolbooth.sandbox.annotations import arguments_schema, parameters_schema
from toolbooth.sandbox.json_literal import NotLiteral, literal
from toolbooth.sandbox.python_text import parse_module

MAIN: Final = "main"
_NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,63}")
_NO_DESCRIPTION: Final = (
    'has no description; begin it with a docstring such as """Open issues with a label.""", '
    "which the search finds it by"
)
# Null bytes, lone surrogates, nesting
_UNREADABLE: Final = (
    ValueError,
    MemoryError,
    RecursionError,
    SystemError,
)
_BREAK: Final = re.compile(rb"\r\n|\r|\n")


@dataclass(frozen=True)
class Script:
    """One saved script.

    `start` is the expression that calls it (`main`, `await main`); it is empty where the file is only top-level code.
    """

    name: str
    description: str
    code: str = field(repr=False)
    input_schema: dict[str, Any] = field(hash=False)
    start: str = ""

    def tool(self, server: str) -> catalog.Tool:
        """The script as agents find it."""
        raw = {"name": self.name, "description": self.description, "inputSchema": self.input_schema}
        return catalog.Tool.from_raw(server, raw)

    def source(self, arguments: dict[str, Any]) -> str:
        """The code that runs the script with these arguments, which must be JSON data; raises UserMistake."""
        if not self.start:
            if arguments:
                raise errors.UserMistake(
                    f"the script {self.name} has no `main`, so it takes no arguments; send none"
                )
            return self.code
        try:
            written = literal(arguments)
        except NotLiteral as error:
            raise errors.UserMistake(f"the arguments of {self.name} are not JSON: {error}") from None
        source = f"{self.code}\n{self.start}(**{written})\n"
        if len(source) > limits.MAX_CODE:
            raise errors.UserMistake(
                f"the script {self.name} and its arguments are longer than {limits.MAX_CODE:,} characters together; "
                "send less"
            )
        return source


def is_name(name: str) -> bool:
    """Whether a script may have this name."""
    return bool(_NAME.fullmatch(name)) and not keyword.iskeyword(name)


def check_name(name: str) -> None:
    """Raises UserMistake unless the name is valid as a file name and a Python name on every system."""
    if is_name(name):
        return
    if not _NAME.fullmatch(name):
        raise errors.UserMistake(
            f"{safetext.for_terminal(name, 80)!r} is not a valid script name; use a letter, then a-z, 0-9 and "
            "_, 64 at most"
        )
    raise errors.UserMistake(f"{name!r} is a Python keyword and cannot be a script name; choose another name")


def read_script(name: str, text: str, path: str = "") -> Script:
    """Read one script; raises ConfigError with the line, and with `path` as the file (by default NAME.py)."""
    check_name(name)
    file = path or f"{name}.py"
    code = text.removeprefix("\ufeff")
    tree = _parsed(code, file)
    try:
        description = _clean(ast.get_docstring(tree) or "")
        if not description:
            raise errors.ConfigError(_NO_DESCRIPTION, file, 1)
        main = _main(tree)
        if main is None:
            return Script(name, description, code, arguments_schema({}, []))
        _refuse_own_call(tree, file)
        start = f"await {MAIN}" if isinstance(main, ast.AsyncFunctionDef) else MAIN
        return Script(name, description, code, parameters_schema(main, file), start)
    except _UNREADABLE:
        raise errors.ConfigError("is nested too deeply", file) from None


def with_description(text: str, description: str, path: str) -> str:
    """The script with this description instead of the one at its top; raises ConfigError."""
    code = text.removeprefix("\ufeff")
    written = _docstring(description)
    tree = _parsed(code, path)
    if ast.get_docstring(tree, clean=False) is None:
        return f"{written}\n{code}"
    data, old = code.encode(), tree.body[0]
    starts = [0, *(match.end() for match in _BREAK.finditer(data))]
    begin = starts[old.lineno - 1] + old.col_offset
    end = starts[(old.end_lineno or 1) - 1] + (old.end_col_offset or 0)
    return (data[:begin] + written.encode() + data[end:]).decode()


def _parsed(code: str, file: str) -> ast.Module:
    if len(code) > limits.MAX_CODE:
        raise errors.ConfigError(f"is longer than {limits.MAX_CODE:,} characters", file)
    try:
        return parse_module(code)
    except SyntaxError as error:
        raise errors.ConfigError(
            f"is not valid Python: {error.msg}", file, error.lineno, error.offset
        ) from None
    except _UNREADABLE as error:
        reason = "it is nested too deeply" if not isinstance(error, ValueError) else "it is not plain text"
        raise errors.ConfigError(f"is not valid Python: {reason}", file) from None


def _clean(text: str) -> str:
    """The text without lone surrogates, which no message could carry."""
    return text.strip().encode("utf-8", "replace").decode()


def _main(tree: ast.Module) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """The last definition of `main` counts, as it does when the file runs."""
    found = [
        node
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == MAIN
    ]
    return found[-1] if found else None


def _refuse_own_call(tree: ast.Module, file: str) -> None:
    """Refuse `await main()` as a last line, a common habit: it would run twice, first without arguments."""
    defined = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    for node in (each for top in tree.body if not isinstance(top, defined) for each in ast.walk(top)):
        match node:
            case ast.Call(func=ast.Name(id="main")):
                raise errors.ConfigError(
                    "calls main itself; leave that line out, because Toolbooth calls main", file, node.lineno
                )


def _docstring(description: str) -> str:
    clean = inspect.cleandoc(description)
    if not clean.strip():
        raise errors.UserMistake("the description is empty; say in a sentence what the script does")
    escaped = "".join(
        each if each.isprintable() or each == "\n" else each.encode("unicode_escape").decode()
        for each in clean.replace("\\", "\\\\").replace('"""', r"\"\"\"")
    )
    return f'"""{escaped[:-1]}\\""""' if escaped.endswith('"') else f'"""{escaped}"""'
