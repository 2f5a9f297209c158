"""What is saved is read back, and arguments reach a script as they are."""

import ast
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import example, given, strategies as st

from toolbooth.errors import UserMistake
from toolbooth.sandbox import ScriptFolder, read_script, with_description

texts = st.text(st.characters(exclude_categories=["Cs"]))
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)
arguments = st.dictionaries(texts, json_values, max_size=5)
names = st.from_regex(r"[a-z][a-z0-9_]{0,20}", fullmatch=True)
ends = st.sampled_from(
    ["", "\n", "  # end", "\n\n   ", "\nif x:\n    y", "\r\n", "\n\f\n", "\nz = '''a\n'''", ";"]
)
mains = st.sampled_from(["async def main(a=1): pass", "def main(a, b=[]): return a"])


@given(arguments, mains, ends)
@example({"a": "'}); import os; main(**{'"}, "def main(a=1): pass", "")
@example({"a": "\\", "\\": "\\\n"}, "async def main(a=1): pass", "  # end")
def test_source_is_python_whose_literal_equals_the_arguments(
    given_: dict[str, Any], main: str, end: str
) -> None:
    script = read_script("x", f'"""Does."""\n{main}{end}')
    *before, last = ast.parse(script.source(given_)).body
    assert ast.dump(ast.Module(before, [])) == ast.dump(ast.parse(script.code))
    assert isinstance(last, ast.Expr)
    call = last.value.value if isinstance(last.value, ast.Await) else last.value
    assert isinstance(last.value, ast.Await) == main.startswith("async")
    assert isinstance(call, ast.Call)
    (keyword,) = call.keywords
    read = ast.literal_eval(keyword.value)
    assert (call.args, keyword.arg) == ([], None)
    assert repr(read) == repr(given_)  # repr tells 1 from True and 1.0


@given(names, texts, texts)
def test_what_is_saved_is_read_back(name: str, description: str, comment: str) -> None:
    try:
        text = with_description(f"x = {comment!r}\nx\n", description, "x.py")
        read_script(name, text)
    except UserMistake:
        return
    with tempfile.TemporaryDirectory() as path:
        folder = ScriptFolder(Path(path) / "scripts")
        saved = folder.save(name, text)
        assert folder.read(name) == saved
        assert folder.load().scripts == {name: saved}
        assert (saved.code, saved.description.split()) == (text, description.split())


@given(st.text())
def test_no_text_is_too_odd_to_be_read_or_refused(text: str) -> None:
    for code in (
        text,
        f'"""{text}"""',
        f'"""x"""\ndef main({text}): pass',
        f'"""x"""\ndef main(a: {text}): pass',
    ):
        try:
            script = read_script("x", code)
        except UserMistake:
            continue
        assert script.description
        script.tool("scripts").description.encode()
