"""Whatever tools say of themselves, the first suite parses, holds the tests that were chosen, and nothing more."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, strategies as st

from toolbooth.catalog import Catalog, ServerTools, Tool
from toolbooth.catalog.config import parse_document
from toolbooth.suite.first_suite_servers import SuiteServerEntries
from toolbooth.suite.first_suites import first_suite, scalar
from toolbooth.suite.spec.load import load_suite

NASTY = (
    "x\n    no_calls: true\n",
    'x"\nbudget: 1 #',
    "# c\r  - name: smuggled\u2028evil: 1\x85more: 2",
    "\x1b[31m \u202e \x00 \ufeff \ufffe \U0001f600 \ue000",
    "a: b, [c] {d} & *e !f | > %g @h `i` ' \" \\",
    "--- \n...\n",
    "long " * 2_048,
    "\ud800 lone",
    "",
)
signs = st.text("ab \n\r\t#:-\"'\\{}[]&*!|>%@`\0\x85\u2028", max_size=60)
texts = st.one_of(st.sampled_from(NASTY), st.text(max_size=40), signs)
names = texts.filter(lambda text: bool(text.strip()))
servers = st.lists(st.sampled_from(["a", "b-c", "no", "1", "名前"]), min_size=1, max_size=3, unique=True)


@st.composite
def catalogs(draw: st.DrawFn) -> Catalog:
    return Catalog(
        tuple(
            ServerTools(
                server,
                tuple(
                    Tool(server, name, draw(texts))
                    for name in draw(st.lists(names, min_size=1, max_size=6, unique=True))
                ),
            )
            for server in draw(servers)
        )
    )


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with TemporaryDirectory() as name:
        yield Path(name)


def can_be_written(tool: Tool) -> bool:
    return len(tool.id) <= 200 and not any("\ud800" <= letter <= "\udfff" for letter in tool.id)


@given(catalogs(), texts.filter(lambda text: "\ud800" not in text))
def test_the_file_parses_and_holds_exactly_the_chosen_tests(
    folder: Path, catalog: Catalog, argument: str
) -> None:
    if not any(map(can_be_written, catalog)):
        return
    known = tuple(server.server for server in catalog.servers)
    entries = {known[0]: {"command": "x", "args": [argument[:100]]}}
    made = first_suite(catalog, SuiteServerEntries((), entries, known))
    path = folder / "first.toolbooth.yaml"
    path.write_text(made.text, encoding="utf-8")
    value = parse_document(path).value
    assert value.keys() == {"version", "name", "servers", "defaults", "tests"}
    assert value["servers"] == entries
    assert value["tests"] == [
        {
            "name": test.name,
            "prompt": "",
            "equal_function_sets": {"classes": [{"name": test.name, "members": list(test.members)}]},
        }
        for test in made.tests
    ]
    assert {member for test in made.tests for member in test.members} <= {tool.id for tool in catalog}
    path.write_text(made.text.replace('    prompt: ""  #', "    prompt: Please do it.  #"), encoding="utf-8")
    suite = load_suite(path)
    assert [test.name for test in suite.tests] == [test.name for test in made.tests]


@given(st.text())
def test_a_scalar_is_read_back_as_it_was(text: str) -> None:
    with TemporaryDirectory() as name:
        path = Path(name) / "a.yaml"
        path.write_text(f"key: {scalar(text)}  # comment\nnext: 1\n", encoding="utf-8")
        assert parse_document(path).value == {"key": text, "next": 1}
