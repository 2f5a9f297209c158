"""Catalogs of any size out of one: samples below its size, made-up tools beyond."""

from tests.unit.bench.growth.thirty_tools import CATALOG

from toolbooth.bench.growth.sample import Sampler


def ids(size: int, seed: int = 0) -> set[str]:
    return {each.id for each in Sampler(CATALOG, seed).catalog(size).catalog}


def test_a_sample_has_the_wanted_size_and_only_tools_of_the_catalog() -> None:
    assert len(ids(7)) == 7
    assert ids(7) < {each.id for each in CATALOG}
    assert Sampler(CATALOG, 0).catalog(7).made_up == 0


def test_each_size_is_the_beginning_of_the_next() -> None:
    assert ids(5) < ids(17) < ids(30) < ids(45) < ids(170)


def test_another_seed_draws_other_tools() -> None:
    assert ids(7, seed=1) != ids(7, seed=0) == ids(7, seed=0)


def test_what_is_missing_is_made_up_and_counted() -> None:
    sized = Sampler(CATALOG, 0).catalog(250)
    assert len(sized.catalog) == len({each.id for each in sized.catalog}) == 250
    assert sized.made_up == 220
    assert {each.id for each in CATALOG} < {each.id for each in sized.catalog}


def test_what_was_set_aside_is_in_no_sample() -> None:
    assert not Sampler(CATALOG, 0).catalog(30).catalog.set_aside
