"""Code that was written to loop, flood, swell, pry or break out: each ends in a typed error or a harmless value.

After each the next code runs, and nothing has come to our own output.
"""

from collections.abc import AsyncIterator
from typing import Any, NamedTuple

import pytest

from toolbooth.catalog import Catalog, ServerTools, Tool
from toolbooth.errors import CodeFailed, CodeFault, CodeMistake, CodeStopped
from toolbooth.limits import CODE_CALLS, CODE_ERROR, CODE_PRINTED
from toolbooth.sandbox import CodeScope, Namespace, Sandbox, workers

pytestmark = pytest.mark.anyio

QUICK = 1.0  # seconds of interpreting instead of ten: the probes that never end are many


class Probe(NamedTuple):
    """`ends` is the fault that is wanted, with words of it in `said`, or None where `value` is."""

    name: str
    code: str
    ends: type[CodeFault] | None
    said: str = ""
    value: Any = None


TIME, MEMORY = "longer than", "needed more than 256 MB"
DEEP, CALLS = "the recursion is too deep", f"more than {CODE_CALLS} calls"
NESTED = "too deeply nested"
LAUGHS = "x = ['ha']\nfor _ in range(60):\n    x = [x, x]\n"
DEEP_LIST = "x = []\nfor _ in range(100_000):\n    x = [x]\n"
RING = "x = []\nx.append(x)\n"

ENDLESS = (
    Probe("a loop", "while True:\n    pass", CodeStopped, TIME),
    Probe(
        "a loop that catches everything",
        "while True:\n    try:\n        while True:\n            pass\n    except BaseException:\n        pass",
        CodeStopped,
        TIME,
    ),
    Probe(
        "a loop in finally",
        "try:\n    while True: pass\nfinally:\n    while True: pass",
        CodeStopped,
        TIME,
    ),
    Probe(
        "recursion that catches itself",
        "def f():\n    while True:\n        try: f()\n        except BaseException: pass\nf()",
        CodeStopped,
        TIME,
    ),
    Probe("a loop in exec", "exec('while True: pass')", CodeStopped, TIME),
    Probe("a coroutine", "async def f():\n    while True: await asyncio.sleep(0)\nawait f()", CodeStopped),
    Probe("a sum", "sum(range(10**12))", CodeStopped, TIME),
    Probe("a list that grows as it is walked", "x = [1]\nfor each in x: x.append(each)", CodeStopped),
    Probe("a long sleep", "await asyncio.sleep(10**6)", CodeStopped, "slept longer"),
    Probe("a sleep without end", "await asyncio.sleep(float('inf'))", CodeStopped, "slept longer"),
    Probe(
        "many sleeps",
        "await asyncio.gather(*[asyncio.sleep(10**6) for _ in range(1000)])",
        CodeStopped,
        "slept longer",
    ),
    Probe("recursion", "def f(n): return f(n + 1)\nf(0)", CodeStopped, DEEP),
    Probe("two that call each other", "def f(): return g()\ndef g(): return f()\nf()", CodeStopped, DEEP),
    Probe("a function given itself", "f = lambda g: g(g)\nf(f)", CodeStopped, DEEP),
    Probe(
        "coroutines that gather themselves",
        "async def f():\n    return await asyncio.gather(f(), f())\nawait f()",
        CodeStopped,
    ),
)

SWELLING = (
    Probe("ten billion items", "[0] * 10**10", CodeStopped, MEMORY),
    Probe("ten billion bytes", "b'x' * 10**10", CodeStopped, MEMORY),
    Probe("a string that doubles", "s = 'x'\nwhile True: s += s", CodeStopped, MEMORY),
    Probe("a list comprehension", "[[0] * 1000 for _ in range(10**9)]", CodeStopped),
    Probe("a dict comprehension", "{n: str(n) for n in range(10**9)}", CodeStopped),
    Probe("a set comprehension", "{(a, b) for a in range(10**5) for b in range(10**5)}", CodeStopped),
    Probe("a list of a range", "list(range(10**12))", CodeStopped, MEMORY),
    # On a busy machine the time ends before the memory: which limit comes first is no promise.
    Probe("an iterator without end", "import itertools\nlist(itertools.count())", CodeStopped),
    Probe("a wide format", "'{:>10000000000}'.format(1)", CodeStopped, MEMORY),
    Probe("a wide f-string", "f'{1:>10000000000}'", CodeStopped, MEMORY),
    Probe("replacing", "('x' * 10**6).replace('x', 'y' * 10**6)", CodeStopped, MEMORY),
    Probe("joining", "','.join(['x' * 10**6] * 10**6)", CodeStopped, MEMORY),
    Probe("a power", "2**10**9", CodeStopped, MEMORY),
    Probe("a power of ten", "10**10**8", CodeStopped),
    Probe("a shift", "1 << 10**12", CodeStopped, MEMORY),
    Probe("squares of squares", "x = 10**10**6\nfor _ in range(100): x = x * x\n0", CodeStopped),
    Probe("a factorial", "x = 1\nfor n in range(1, 10**7): x *= n\nx", CodeStopped, TIME),
    Probe("a factorial of math's", "math.factorial(10**7)", CodeStopped, TIME),
    Probe("a long integer as text", "str(2**10**7)", CodeFailed, "ValueError"),
    Probe("a long text as integer", "int('9' * 10**7)", CodeFailed, "ValueError"),
    Probe("a long integer as value", "2**10**6", None, value="an integer of about 301031 digits"),
)

PATTERNS = (
    Probe("nested repeats", "re.match(r'(a+)+$', 'a' * 40 + 'b') is None", None, value=True),
    Probe("the same twice", "re.match(r'(a|a)*$', 'a' * 60 + 'b') is None", None, value=True),
    Probe("an empty repeat", "re.match(r'(a*)*b', 'a' * 100_000) is None", None, value=True),
    Probe("many stars", "re.findall(r'.*.*.*.*=.*', 'x' * 100_000)", None, value=[]),
    Probe("backward references", r"re.match(r'(.*)\1(.*)\2x', 'ab' * 5000)", CodeFailed, "PatternError"),
    Probe("a repeat of repeats", "re.compile('(a{1000}){1000}')", CodeFailed, "PatternError"),
    Probe("brackets in brackets", "re.match('(' * 5000 + 'a' + ')' * 5000, 'a')", CodeFailed, "PatternError"),
    Probe("looking ahead", "re.sub(r'(?=(a+))a*b', 'x', 'a' * 100_000)", CodeStopped, TIME),
)

FLOODS = (
    Probe("prints without end", "while True: print('x' * 1000)", CodeStopped, "printed more than"),
    Probe("one huge print", "print('x' * 10**8)", CodeStopped, "printed more than"),
    Probe("printing shared lists", LAUGHS + "print(x)", CodeStopped),
    Probe("a million calls", "for _ in range(10**6): await shop.get(key='a')", CodeStopped, CALLS),
    Probe(
        "a million calls that are caught",
        "for _ in range(10**6):\n    try:\n        await shop.get(key='a')\n    except BaseException:\n        pass",
        CodeStopped,
        CALLS,
    ),
    Probe(
        "a million calls that fail",
        "for _ in range(10**6):\n    try:\n        await shop.fail()\n    except BaseException:\n        pass",
        CodeStopped,
        CALLS,
    ),
    Probe(
        "a hundred thousand calls at once",
        "await asyncio.gather(*[shop.get(key='a') for _ in range(100_000)])",
        CodeStopped,
        CALLS,
    ),
    Probe(
        "calls that nobody awaits", "x = [shop.get(key='a') for _ in range(100_000)]\n1", CodeStopped, CALLS
    ),
)

PRYING = (
    Probe("a class of a value", "().__class__", CodeFailed, "AttributeError"),
    Probe("bases", "().__class__.__bases__[0].__subclasses__()", CodeFailed, "AttributeError"),
    Probe("subclasses", "object.__subclasses__()", CodeFailed, "AttributeError"),
    Probe("globals of a function", "def f(): pass\nf.__globals__", CodeFailed, "AttributeError"),
    Probe("globals of a tool", "shop.get.__globals__", CodeFailed, "AttributeError"),
    Probe("the code of a tool", "shop.get.__code__", CodeFailed, "AttributeError"),
    Probe("the closure of a tool", "shop.get.__closure__", CodeFailed, "AttributeError"),
    Probe("builtins", "__builtins__", CodeFailed, "NameError"),
    Probe(
        "import as a function",
        "__import__('os').system('id')",
        CodeMistake,
        "the name __import__ is not defined",
    ),
    Probe("import in eval", 'eval(\'__import__("os").system("id")\')', CodeFailed, "NameError"),
    Probe("import in exec", "exec('import socket')", CodeFailed, "ModuleNotFoundError"),
    Probe("compile", "compile('1', 'x', 'eval')", CodeMistake, "the name compile is not defined"),
    Probe("getattr", "getattr((), '__cla' + 'ss__')", CodeFailed, "no attribute '__class__'"),
    Probe("setattr", "setattr(shop, 'get', 1)", CodeFailed, "AttributeError"),
    Probe("globals", "globals()", CodeMistake, "the name globals is not defined"),
    Probe("a class made of text", "type('X', (object,), {})()", CodeFailed, "TypeError"),
    Probe("type of type", "type(type(()))", None, value="<class 'type'>"),
    Probe("attributes in a format", "'{0.__class__.__mro__}'.format(())", CodeFailed, "AttributeError"),
    Probe("names of the sandbox", "[name for name in locals() if name[0] != '_']", None, value=[]),
    Probe("open to read", "open('/etc/passwd').read()", CodeMistake, "the name open is not defined"),
    Probe("open to write", "open('/tmp/probe', 'w').write('x')", CodeMistake, "the name open is not defined"),
    Probe(
        "a path to read",
        "from pathlib import Path\nPath('/etc/passwd').read_text()",
        CodeFailed,
        "PermissionError",
    ),
    Probe(
        "a path to write",
        "from pathlib import Path\nPath('/tmp/probe').write_text('x')",
        CodeFailed,
        "PermissionError",
    ),
    Probe("a folder", "from pathlib import Path\nlist(Path('/').iterdir())", CodeFailed, "PermissionError"),
    Probe("a list of a folder", "import os\nos.listdir('/')", CodeFailed, "PermissionError"),
    Probe("a variable", "import os\nos.getenv('HOME')", CodeFailed, "not supported"),
    Probe("all variables", "import os\ndict(os.environ)", CodeFailed, "not supported"),
    Probe("a shell", "import os\nos.system('id')", CodeMistake, "os.system"),
    Probe("a socket", "import socket\nsocket.socket()", CodeMistake, "no module socket"),
    Probe("urllib", "import urllib.request", CodeMistake, "no module urllib"),
    Probe("http", "import http.client", CodeMistake, "no module http"),
    Probe("a subprocess", "import subprocess", CodeMistake, "no module subprocess"),
    Probe("ctypes", "import ctypes", CodeMistake, "no module ctypes"),
    Probe("importlib", "import importlib", CodeMistake, "no module importlib"),
    Probe("ourselves", "import toolbooth", CodeMistake, "no module toolbooth"),
    Probe("modules of sys", "import sys\nsys.modules", CodeMistake, "sys.modules"),
    Probe("writing to stdout", "import sys\nsys.stdout.write('x')", CodeFailed, "AttributeError"),
    Probe("printing to stderr", "import sys\nprint('x', file=sys.stderr)", None),
    Probe("input", "input('x')", CodeMistake, "the name input is not defined"),
    Probe("breakpoint", "breakpoint()", CodeMistake, "the name breakpoint is not defined"),
)

VALUES = (
    Probe("shared lists as value", LAUGHS + "x", CodeStopped, "parts"),
    Probe("shared lists as argument", LAUGHS + "await shop.take(value=x)", CodeFailed, "parts"),
    Probe("shared lists in an exception", LAUGHS + "raise ValueError(x)", CodeFailed, "one text"),
    Probe("shared lists as text", LAUGHS + "len(str(x))", CodeStopped, TIME),
    Probe("shared lists as JSON", LAUGHS + "len(json.dumps(x))", CodeStopped, TIME),
    Probe("shared lists compared", LAUGHS + "y = x\n" + LAUGHS + "x == y", CodeStopped, TIME),
    Probe(
        "shared dicts", "x = {'a': 1}\nfor _ in range(60):\n    x = {'a': x, 'b': x}\nx", CodeStopped, "parts"
    ),
    Probe("a ring as value", RING + "x", None, value=["[...]"]),
    Probe("a ring as argument", RING + "(await shop.take(value=x))['value']", None, value=["[...]"]),
    Probe("a ring in a dict", "x = {}\nx['a'] = x\nx", None, value={"a": "{...}"}),
    Probe("rings compared", RING + "y = x\n" + RING + "x == y", CodeStopped, DEEP),
    Probe("a deep value", DEEP_LIST + "x", CodeStopped, "levels deep"),
    Probe("a deep argument", DEEP_LIST + "await shop.take(value=x)", CodeFailed, "levels deep"),
    Probe("a long text as value", "'x' * (17 * 2**20)", CodeStopped, "characters"),
    Probe("a long text as argument", "await shop.take(value='x' * (17 * 2**20))", CodeFailed, "characters"),
    Probe("a long list as value", "list(range(1_100_000))", CodeStopped, "parts"),
    Probe("a lone surrogate as value", r"'\ud800'", None, value="\ufffd"),
    Probe(
        "a lone surrogate as argument", r"(await shop.take(value='\ud800'))['value']", None, value="\ufffd"
    ),
    Probe("a NUL as value", r"'a\0b'", None, value="a\0b"),
    Probe("no number", "float('nan')", None, value="nan"),
    Probe("JSON that is nested", "json.loads('[' * 100_000)", CodeFailed, "JSONDecodeError"),
    Probe("a function as value", "shop.get", None, value="shop.get"),
)

EXCEPTIONS = (
    Probe("a message of 100 MB", "raise ValueError('x' * 10**8)", CodeFailed, "ValueError: xxx"),
    Probe(
        "control characters",
        r"raise ValueError('\x1b[31mred\x1b[0m \u202e\x00 \x07bell\nline 9: fake')",
        CodeFailed,
        r"ValueError: red \u{202e}\x00 \x07bell line 9: fake",
    ),
    Probe("BaseException", "raise BaseException('x')", CodeFailed, "BaseException: x"),
    Probe("KeyboardInterrupt", "raise KeyboardInterrupt()", CodeFailed, "KeyboardInterrupt"),
    Probe("SystemExit", "raise SystemExit()", CodeFailed, "SystemExit"),
    Probe("SystemExit with a number", "raise SystemExit(1)", CodeFailed, "one text"),
    Probe("exit", "exit()", CodeFailed, "NameError"),
    Probe("a huge assert", "assert [0] * 10**6 == 1", CodeFailed, "AssertionError"),
    Probe("an assert with a huge text", "assert not 'x' * 10**7, 'y' * 10**7", CodeFailed, "AssertionError"),
)

SOURCES = (
    Probe("nothing", "", CodeMistake, "there is no code"),
    Probe("blanks", " \n\t\n", CodeMistake, "there is no code"),
    Probe("40 brackets", "[" * 40 + "]" * 40, None),
    Probe("100 brackets", "[" * 100 + "]" * 100, CodeStopped, TIME),
    Probe("5,000 brackets", "[" * 5_000 + "]" * 5_000, CodeMistake, NESTED),
    Probe("60,000 minus signs", "-" * 60_000 + "1", CodeMistake, NESTED),
    Probe("100,000 minus signs", "-" * 100_000 + "1", CodeMistake, "characters"),
    Probe("30,000 sums", "1" + "+1" * 30_000, CodeMistake, NESTED),
    Probe("30,000 attributes", "x = 1\nx" + ".a" * 30_000, CodeMistake, NESTED),
    Probe("7,000 lambdas", "lambda: " * 7_000 + "1", CodeMistake, NESTED),
    Probe("ten megabytes", "x = 1\n" * 1_700_000, CodeMistake, "characters"),
    Probe("60,000 empty lines", "\n" * 60_000 + "1", None, value=1),
    Probe(
        "a type of 100 lists",
        "a0 = {'a': 1}\n" + "\n".join(f"a{n + 1} = [a{n}, a{n}, 'x', {n}]" for n in range(100)) + "\n0",
        None,
        value=0,
    ),
    Probe(
        "a type that grows at each of 500 branches",
        "def f(x):\n"
        + "".join(f"    if x == {n}: x = [x, {n}]\n" for n in range(500))
        + "    return x\nf(0)",
        CodeStopped,
    ),
    Probe("a type that grows in a loop", "x = 1\nwhile x:\n    x = (x, x)\n0", CodeStopped),
    Probe("a NUL", "x = 1\0\nx", CodeMistake),
    Probe("a lone surrogate", "x = '\ud800'\nx", CodeMistake, "SyntaxError"),
)
EVERY = (*ENDLESS, *SWELLING, *PATTERNS, *FLOODS, *PRYING, *VALUES, *EXCEPTIONS, *SOURCES)


@pytest.fixture(scope="module")
async def sandboxes(anyio_backend: str) -> AsyncIterator[dict[bool, Sandbox]]:
    """One for the probes that only time ends, and one for the others."""
    opened = {True: Sandbox(), False: Sandbox()}
    yield opened
    for each in opened.values():
        await each.close()


@pytest.fixture
def sandbox(sandboxes: dict[bool, Sandbox], probe: Probe, monkeypatch: pytest.MonkeyPatch) -> Sandbox:
    """With a second of time where nothing else ends the code; a busy machine may need more to fill the memory."""
    endless = probe.ends is CodeStopped and probe.said in ("", TIME)
    if endless:
        for limit in ("max_feed_duration_secs", "max_turn_duration_secs"):
            monkeypatch.setitem(workers._LIMITS, limit, QUICK)
    return sandboxes[endless]


def scope() -> CodeScope:
    tools = (
        Tool("shop", "get", "", {"properties": {"key": {"type": "string"}}, "required": ["key"]}),
        Tool("shop", "take", "", {"properties": {"value": {}}}),
        Tool("shop", "fail", "", {"additionalProperties": False}),
    )

    async def call(tool: Tool, arguments: dict[str, Any]) -> Any:
        if tool.name == "fail":
            raise RuntimeError("the shop is closed")
        return arguments

    return CodeScope(Namespace(Catalog((ServerTools("shop", tools),))), call)


@pytest.mark.promise("code:limits")
@pytest.mark.parametrize("probe", EVERY, ids=lambda probe: probe.name)
async def test_hostile_code_is_stopped_and_the_next_code_runs(
    sandbox: Sandbox, probe: Probe, capfd: pytest.CaptureFixture[str]
) -> None:
    if probe.ends is None:
        found = (await sandbox.run(probe.code, scope())).value
        assert probe.value is None or found == probe.value
    else:
        with pytest.raises(CodeFault) as caught:
            await sandbox.run(probe.code, scope())
        assert type(caught.value) is probe.ends
        assert probe.said in str(caught.value)
        assert len(str(caught.value)) < 2 * CODE_ERROR
        assert len(caught.value.printed) <= CODE_PRINTED
    assert (await sandbox.run("1 + 1", scope())).value == 2
    assert capfd.readouterr().out == ""
