"""Advice is ranked by what it saves, and says what is exact."""

from toolbooth.catalog import Catalog, ServerTools, SetAside, Tool
from toolbooth.economics import Advice, Cluster, Evidence, advise, answer_risk
from toolbooth.economics.advice import KINDS

A = (Tool("a", "one", "First"), Tool("a", "two", "Second"))
B = (Tool("b", "one", "First"), Tool("b", "two", "Second"), Tool("b", "three", "Third"))


def _catalog(*servers: tuple[Tool, ...], set_aside: tuple[SetAside, ...] = ()) -> Catalog:
    return Catalog(tuple(ServerTools(tools[0].server, tools, set_aside=set_aside) for tools in servers))


def _ids(advice: tuple[Advice, ...]) -> list[str]:
    return [each.id for each in advice]


def test_nothing_is_advised_where_nothing_is_wrong() -> None:
    assert advise(Evidence(_catalog(A), {"a.one": 10, "a.two": 20})) == ()


def test_the_gateway_is_an_estimate_and_only_worth_it_for_a_heavy_surface() -> None:
    light, heavy = {"a.one": 500, "a.two": 500}, {"a.one": 500, "a.two": 501}
    assert advise(Evidence(_catalog(A), light)) == ()
    (advice,) = advise(Evidence(_catalog(A), heavy))
    assert (advice.id, advice.saving_tokens, advice.exact) == ("gateway", 1001 - 190, False)


def test_the_largest_saving_stands_first() -> None:
    evidence = Evidence(
        _catalog(A),
        {"a.one": 900, "a.two": 400},
        description_tokens={"a.one": 700, "a.two": 300},
        slim_savings={"a.one": 5, "a.two": 40},
        answers=tuple(answer_risk(tool) for tool in A),
    )
    advice = advise(evidence)
    assert _ids(advice) == ["gateway", "long-descriptions", "slim-schemas", "unbounded-answers"]
    assert [each.saving_tokens for each in advice] == [1110, 400, 45, 0]
    assert advice[2].tools == ("a.two", "a.one")
    assert advice[2].exact


def test_a_server_that_another_repeats_entirely_may_go() -> None:
    tokens = {"a.one": 10, "a.two": 20, "b.one": 10, "b.two": 20, "b.three": 30}
    (advice,) = advise(Evidence(_catalog(A, B), tokens))
    assert (advice.id, advice.saving_tokens, advice.tools) == ("repeated-server", 30, ("a.one", "a.two"))


def test_of_two_equal_servers_only_the_later_goes() -> None:
    same = tuple(Tool("c", tool.name, tool.description) for tool in A)
    (advice,) = advise(Evidence(_catalog(A, same), {"c.one": 1, "c.two": 2}))
    assert advice.tools == ("c.one", "c.two")


def test_look_alikes_of_a_repeated_server_are_not_counted_twice() -> None:
    cluster = Cluster(("a.one", "b.one"), ("a", "b"), 1.0, "same name", 20, 10)
    assert _ids(advise(Evidence(_catalog(A, B), {}, duplicates=(cluster,)))) == ["repeated-server"]
    (advice,) = advise(Evidence(_catalog(A), {}, duplicates=(cluster,)))
    assert (advice.id, advice.saving_tokens) == ("near-duplicates", 10)


def test_unbounded_answers_come_with_the_line_that_bounds_them_worst_first() -> None:
    known = Tool("a", "rows", output_schema={"properties": {"rows": {}}})
    unknown = Tool("a", "what")
    (advice,) = advise(
        Evidence(_catalog((unknown, known)), {}, answers=(answer_risk(unknown), answer_risk(known)))
    )
    assert advice.tools == ("a.rows", "a.what")
    assert '`tools: {"a.rows": {max_bytes: 14000}}`' in advice.message
    assert "1 of unknown size" in advice.message


def test_tools_set_aside_are_named_with_the_reason() -> None:
    aside = SetAside("a", "", "an entry has no name")
    (advice,) = advise(Evidence(_catalog(A, set_aside=(aside,)), {}))
    assert advice.id == "set-aside"
    assert "an entry has no name" in advice.message


def test_every_kind_has_its_own_function() -> None:
    assert len({kind.__name__ for kind in KINDS}) == len(KINDS) == 7
