"""Of what a server wrote before it ended, the lines that say why are shown, and no secret."""

import pytest

from toolbooth.catalog.connect.process import LastWords


def words(text: str, size: int = 65_536) -> LastWords:
    made = LastWords(size)
    for line in text.splitlines(keepends=True):
        made.add(line.encode())
    return made


@pytest.mark.parametrize(
    ("text", "last"),
    [
        (
            "npm error code E404\nnpm error 404\nnpm error 404  'no-such-server@*' is not there.\nnpm error 404\n"
            "npm error 404 Note that you can do it otherwise\nnpm error 404 tarball, folder, and so on\n"
            "npm error A complete log of this run can be found in: /home/me/.npm/_logs/x-debug-0.log\n",
            "npm error 404 'no-such-server@*' is not there.",
        ),
        (
            "node:internal/modules:1\n  throw err;\n  ^\n\nError: Cannot find module 'x'\n    at load (node:a:1:2)\n"
            "    at node:b:3:4 {\n  code: 'MODULE_NOT_FOUND',\n  requireStack: []\n}\n\nNode.js v22.1.0\n",
            "Error: Cannot find module 'x'",
        ),
        (
            "Traceback (most recent call last):\n  File 'a.py', line 1\nKeyError: 'TOKEN'\n",
            "KeyError: 'TOKEN'",
        ),
        ("npm notice New version\n", "npm notice New version"),
    ],
)
def test_the_last_useful_line_stands_last(text: str, last: str) -> None:
    said = str(words(text)).split(" | ")
    assert any(last in line for line in said[-2:]), said


def test_a_secret_goes_before_a_line_is_cut() -> None:
    made = words("x" * 150 + "hunter2-hunter2\n")
    made.clean = lambda text: text.replace("hunter2-hunter2", "•••")
    assert "hunter" not in str(made)


def test_the_rest_of_a_line_whose_start_is_lost_is_not_shown() -> None:
    made = words("before hunter2-\n" * 3 + "the end\n", size=20)
    assert str(made) == "the end"


def test_of_a_traceback_the_exception_is_shown_and_not_its_frames() -> None:
    frames = 'Traceback (most recent call last):\n  File "a.py", line 5, in b\n    raise RuntimeError(x)\n'
    assert str(words(f"reads the config\n{frames}RuntimeError: no token\n")) == (
        "reads the config | RuntimeError: no token"
    )
    assert "line 5" in str(words(frames)), "half a traceback is better than nothing"
