"""Requests that are made from a tool's own words."""

import random
from pathlib import Path

import pytest
from tests.unit.search.sample_catalog import TOOLS, tool
from training import generate
from training.generate import Generator, action, name_words, partner, product_of, sentences, slip

from toolbooth.catalog import Tool

ORDERS = tool(
    "Shop-MCP-Server", "list_open_orders", "Retrieves all open orders of a customer.", "customer", "date"
)
REFUND = tool("Shop-MCP-Server", "refund_payment", "Refunds a payment to the customer.", "id")

SAYABLE = (
    "please and then thanks in on with using from via to a of the list retrieve fetch all open orders order purchase "
    "customer shop dana smith refund payment"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Texts so few that every request can be foretold."""
    texts = {
        "lexicon.tsv": "order\tpurchase\n# a remark\nretrieve\tfetch",
        "openers.txt": "# {} is the request\nplease {}\n",
        "closers.txt": "thanks\n",
        "joiners.txt": " and then \n",
        "values.toml": 'customer = ["Dana Smith"]\n',
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


@pytest.fixture
def without_slips(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generate, "slip", lambda text, _: text)


def described(text: str) -> Tool:
    return Tool("any", "any", text)


def test_the_same_tool_and_seed_give_the_same_requests() -> None:
    for each in TOOLS:
        assert Generator(seed=3).requests(each, REFUND) == Generator(seed=3).requests(each, REFUND)


def test_requests_do_not_depend_on_what_was_asked_before() -> None:
    worn = Generator()
    for each in TOOLS:
        worn.requests(each, REFUND)
    assert worn.requests(ORDERS, REFUND) == Generator().requests(ORDERS, REFUND)


def test_another_seed_or_tool_gives_other_requests() -> None:
    mine = Generator(seed=0).requests(ORDERS, REFUND)
    assert mine != Generator(seed=1).requests(ORDERS, REFUND)
    assert mine != Generator(seed=0).requests(REFUND, ORDERS)


def test_there_are_plain_terse_and_two_step_requests_each_once() -> None:
    found = Generator().requests(ORDERS, REFUND, plain=5, terse=3)
    kinds = [request.kind for request in found]
    assert set(kinds) == {"plain", "terse", "steps"}
    assert kinds.count("steps") == 1
    assert kinds.count("plain") <= 5
    assert kinds.count("terse") <= 3
    assert len(found) == len(set(found))


@pytest.mark.parametrize("seed", range(20))
def test_a_request_has_more_than_a_word_and_no_hole(seed: int) -> None:
    for each in (*TOOLS, ORDERS, Tool("x", "y")):
        for request in Generator(seed=seed).requests(each, REFUND):
            assert len(request.text.split()) > 1
            assert "{}" not in request.text


def test_a_request_says_what_the_texts_let_it_say(folder: Path, without_slips: None) -> None:
    allowed = frozenset(SAYABLE.split())
    for seed in range(50):
        for request in Generator(folder, seed).requests(ORDERS, REFUND):
            assert set(request.text.lower().split()) <= allowed, request


def test_words_are_replaced_by_others_of_the_lexicon_and_values_and_products_are_named(folder: Path) -> None:
    steps = {Generator(folder).step(ORDERS, random.Random(seed)) for seed in range(200)}
    for part in ("fetch all", "retrieve all", "open purchase", "open orders", "Dana Smith", "shop"):
        assert any(part in step for step in steps), part


def test_a_task_of_two_steps_is_both_in_either_order(folder: Path, without_slips: None) -> None:
    firsts = set()
    for seed in range(20):
        *_, last = Generator(folder, seed).requests(ORDERS, REFUND)
        assert last.kind == "steps"
        halves = last.text.split(" and then ")
        assert len(halves) == 2
        assert ["refund" in half for half in halves].count(True) == 1
        assert ["open" in half for half in halves].count(True) == 1
        firsts.add("refund" in halves[0])
    assert firsts == {True, False}


@pytest.mark.parametrize(
    ("said", "imperative"),
    [
        ("Retrieves all orders", "retrieve all orders"),
        ("Gets the weather. Needs a city.", "get the weather"),
        ("Copies a file", "copy a file"),
        ("Searches the web", "search the web"),
        ("Pushes a commit", "push a commit"),
        ("Processes a payment", "process a payment"),
        ("Fixes a bug", "fix a bug"),
        ("Uses a template", "use a template"),
        ("Closes an issue", "close an issue"),
        ("List all orders", "list all orders"),
        ("Access a vault", "access a vault"),
        ("This is a list", "this is a list"),
        ("This tool allows you to send a mail", "send a mail"),
        ("Use this tool to send a mail", "send a mail"),
        ("Tool for sending a mail", "sending a mail"),
        ("`ping` - Pings a host", "ping a host"),
        ("", ""),
        ("Ping", ""),
    ],
)
def test_the_first_sentence_becomes_an_imperative(said: str, imperative: str) -> None:
    assert action(described(said)) == imperative


@pytest.mark.parametrize(
    ("said", "imperative"),
    [
        ("Summarizes a page", "summarize a page"),
        ("Analyzes a log file", "analyze a log file"),
        ("Press a key", "press a key"),
        ("Compress a folder", "compress a folder"),
        ("Focus a window", "focus a window"),
        ("Caches a page", "cache a page"),
    ],
)
def test_no_verb_is_maimed(said: str, imperative: str) -> None:
    assert action(described(said)) == imperative


def test_sentences_are_those_that_say_something() -> None:
    text = "Lists orders. Really!  Needs a\nlogin first\nArgs:\n  limit: how many; `page`: which one"
    assert sentences(text) == [
        "Lists orders",
        "Needs a",
        "login first",
        "limit: how many",
        "page`: which one",
    ]


@pytest.mark.parametrize(
    ("server", "product"),
    [
        ("Office-Word-MCP-Server", "office word"),
        ("google_calendar", "google calendar"),
        ("notionApi", "notion"),
        ("mcp-server", ""),
        ("", ""),
        (
            "a-very-long-name-that-somebody-has-given-to-a-small-thing",
            "very long name that somebody has given t",
        ),
    ],
)
def test_a_product_is_what_people_call_the_server(server: str, product: str) -> None:
    assert product_of(Tool(server, "any")) == product


def test_the_words_of_a_name_are_without_the_product_unless_nothing_is_left() -> None:
    assert name_words(Tool("notion-mcp-server", "notion_create_page")) == ["create", "page"]
    assert name_words(Tool("notion", "createPages")) == ["create", "pages"]
    assert name_words(Tool("notion", "notion")) == ["notion"]


def test_a_slip_changes_one_letter() -> None:
    text = "Delete the old folder"
    found = {slip(text, random.Random(seed)) for seed in range(300)}
    assert len(found) > 20
    assert {len(each) - len(text) for each in found} == {-1, 0, 1}
    assert all(each == text or one_slip(text, each) for each in found)


def one_slip(text: str, other: str) -> bool:
    """Two neighbours swapped, one letter lost, or one twice."""
    places = range(len(text))
    swapped = {text[:at] + text[at + 1 : at + 2] + text[at] + text[at + 2 :] for at in places}
    lost = {text[:at] + text[at + 1 :] for at in places}
    twice = {text[:at] + text[at] + text[at:] for at in places}
    return other in swapped | lost | twice


@pytest.mark.parametrize("text", ["", "a", "ab", "1234 5678", "? ! ."])
def test_a_text_without_two_letters_beside_each_other_has_no_slip(text: str) -> None:
    assert slip(text, random.Random(0)) == text


def test_a_partner_is_mostly_of_the_same_server() -> None:
    drawn = [partner(TOOLS, 1, random.Random(seed)) for seed in range(200)]
    near = sum(each.server == TOOLS[1].server for each in drawn)
    assert 100 < near < 200
    assert all(each in TOOLS for each in drawn)
