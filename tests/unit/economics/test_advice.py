"""Advice is ranked by its saving, and marks exact savings."""

from toolbooth.catalog import Catalog, ServerTools, SetAside, Tool
from toolbooth.economics import Advice, CatalogFacts, Cluster, advise, answer_risk
from toolbooth.economics.advice import KINDS, MENU_TOKENS, SEARCH_TOKENS, WORTH_A_GATEWAY
from toolbooth.limits import INSTRUCTION_TOKENS

A = (Tool("a", "one", "First"), Tool("a", "two", "Second"))
B = (Tool("b", "one", "First"), Tool("b", "two", "Second"), Tool("b", "three", "Third"))


def _catalog(*servers: tuple[Tool, ...], set_aside: tuple[SetAside, ...] = ()) -> Catalog:
    return Catalog(tuple(ServerTools(tools[0].server, tools, set_aside=set_aside) for tools in servers))


def _ids(advice: tuple[Advice, ...]) -> list[str]:
    return [each.id for each in advice]


def test_nothing_is_advised_if_nothing_is_wrong() -> None:
    assert advise(CatalogFacts(_catalog(A), {"a.one": 10, "a.two": 20})) == ()


def test_the_gateway_is_advised_for_a_heavy_surface_with_its_real_saving() -> None:
    light, heavy = {"a.one": 500, "a.two": 500}, {"a.one": 500, "a.two": 501}
    assert advise(CatalogFacts(_catalog(A), light)) == ()
    (advice,) = advise(CatalogFacts(_catalog(A), heavy))
    assert (advice.id, advice.saving_tokens, advice.exact) == ("gateway", 1001 - 190 - 120, False)
    assert advice.message.startswith("Put the server behind the gateway: `toolbooth wrap CLIENT`")
    assert "at most 310 tokens instead of 1,001" in advice.message


def test_the_gateway_pays_off_where_it_is_advised_even_for_one_call() -> None:
    carried = MENU_TOKENS + INSTRUCTION_TOKENS
    assert 3 * carried + 2 * SEARCH_TOKENS < 2 * WORTH_A_GATEWAY


def test_the_largest_saving_comes_first() -> None:
    evidence = CatalogFacts(
        _catalog(A),
        {"a.one": 900, "a.two": 400},
        description_tokens={"a.one": 700, "a.two": 300},
        slim_savings={"a.one": 5, "a.two": 40},
        answers=tuple(answer_risk(tool) for tool in A),
    )
    advice = advise(evidence)
    assert _ids(advice) == ["gateway", "long-descriptions", "slim-schemas", "unbounded-answers"]
    assert [each.saving_tokens for each in advice] == [990, 400, 45, 0]
    assert advice[2].tools == ("a.two", "a.one")
    assert advice[2].exact
    assert "`toolbooth serve --surface direct` slims every tool, with names such as" in advice[2].message


def test_the_longer_names_of_direct_are_mentioned() -> None:
    (advice,) = advise(CatalogFacts(_catalog(A), {}, slim_savings={"a.one": 5}))
    assert "with names such as `server__tool` that cost about 2 tokens more each" in advice.message


def _copy(server: str) -> tuple[Tool, ...]:
    return tuple(Tool(server, tool.name, tool.description) for tool in A)


def test_a_server_that_another_repeats_entirely_may_go_if_it_reaches_the_same() -> None:
    tokens = {"a.one": 10, "a.two": 20, "b.one": 10, "b.two": 20, "b.three": 30}
    (advice,) = advise(CatalogFacts(_catalog(A, B), tokens))
    assert (advice.id, advice.saving_tokens, advice.tools) == ("repeated-server", 30, ("a.one", "a.two"))
    assert not advice.exact
    assert advice.message == (
        "a has 2 tools, and b has each of them, word for word: if they reach the same data, remove a; "
        "if not, one server with both roots would do."
    )


def test_two_instances_of_one_server_are_never_called_the_same_for_certain() -> None:
    (advice,) = advise(CatalogFacts(_catalog(A, _copy("c")), {"c.one": 1, "c.two": 2}))
    assert (advice.tools, advice.saving_tokens, advice.exact) == (("c.one", "c.two"), 3, False)
    assert advice.message == (
        "a and c have the same 2 tools, word for word: if they reach the same data, remove one; "
        "if not, one server with both roots would do."
    )


def test_three_equal_servers_are_one_piece_of_advice() -> None:
    (advice,) = advise(CatalogFacts(_catalog(A, _copy("c"), _copy("d")), {"c.one": 1, "d.two": 2}))
    assert advice.saving_tokens == 3
    assert advice.message.startswith("a, c and d have the same 2 tools, word for word")


def test_a_kept_server_is_never_spare() -> None:
    small = (Tool("s", "one", "First"),)
    advice = advise(CatalogFacts(_catalog(small, A, B), {"s.one": 1, "a.one": 5}))
    assert [each.tools for each in advice] == [("a.one", "a.two"), ("s.one",)]
    assert all("b has each of them" in each.message for each in advice)


def test_look_alikes_of_a_repeated_server_are_not_counted_twice() -> None:
    cluster = Cluster(("a.one", "b.one"), ("a", "b"), 1.0, "same name", 20, 10)
    assert _ids(advise(CatalogFacts(_catalog(A, B), {}, duplicates=(cluster,)))) == ["repeated-server"]
    (advice,) = advise(CatalogFacts(_catalog(A), {}, duplicates=(cluster,)))
    assert (advice.id, advice.saving_tokens, advice.exact) == ("near-duplicates", 10, False)


def test_similar_tools_of_two_products_save_nothing() -> None:
    cluster = Cluster(("d.project-update", "l.updateProject"), ("d", "l"), 0.5, "same words in name", 20)
    (advice,) = advise(CatalogFacts(_catalog(A), {}, duplicates=(cluster,)))
    assert (advice.id, advice.saving_tokens) == ("confusable-names", 0)
    assert "Rename or hide one tool of each group" in advice.message


def test_unbounded_answers_come_with_the_line_that_bounds_them_worst_first() -> None:
    known = Tool("a", "rows", output_schema={"type": "array", "items": {"properties": {"rows": {}}}})
    unknown = Tool("a", "what")
    (advice,) = advise(
        CatalogFacts(_catalog((unknown, known)), {}, answers=(answer_risk(unknown), answer_risk(known)))
    )
    assert advice.tools == ("a.rows", "a.what")
    assert '`tools: {"a.rows": {max_bytes: 14000}}`' in advice.message
    assert "1 of unknown size" in advice.message


def test_tools_set_aside_are_named_with_the_reason() -> None:
    aside = SetAside("a", "", "an entry has no name")
    (advice,) = advise(CatalogFacts(_catalog(A, set_aside=(aside,)), {}))
    assert advice.id == "set-aside"
    assert "an entry has no name" in advice.message


def test_a_repeated_name_is_not_malformed_and_a_cut_list_gives_no_advice() -> None:
    twice = SetAside("a", "one", "the name stands twice", "duplicate")
    cut = SetAside("a", "", "only the first 20000 of its tools are read", "cut")
    (advice,) = advise(CatalogFacts(_catalog(A, set_aside=(twice, cut)), {}))
    assert (advice.id, advice.tools) == ("twice-in-one-list", ("a.one",))
    assert "malformed" not in advice.message


def test_every_kind_has_its_own_function() -> None:
    assert len({kind.__name__ for kind in KINDS}) == len(KINDS) == 9
