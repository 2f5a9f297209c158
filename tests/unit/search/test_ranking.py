"""A tool that undoes what is asked for does not come first."""

import pytest
from tests.unit.search.sample_catalog import catalog, tool

from toolbooth.search import SearchEngine
from toolbooth.search.ranking import opposites

SHELF = catalog(
    (
        tool("tickets", "create_ticket", "Create a ticket."),
        tool("tickets", "close_ticket", "Close a ticket."),
        tool("users", "enable_account", "Enable an account."),
        tool("users", "disable_account", "Disable an account."),
        tool("jobs", "start_job", "Start a job."),
        tool("jobs", "stop_job", "Stop a job."),
    )
)


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("open a ticket about the login page", "tickets.create_ticket"),
        ("close the ticket about the login page", "tickets.close_ticket"),
        ("activate the account", "users.enable_account"),
        ("halt the job", "jobs.stop_job"),
    ],
)
def test_the_right_way_round_comes_first(query: str, first: str) -> None:
    assert SearchEngine.of(SHELF).search(query).hits[0].tool.id == first


def test_a_query_that_names_both_sides_is_left_alone() -> None:
    hits = SearchEngine.of(SHELF).search("enable and disable accounts").hits
    assert {hit.tool.id for hit in hits[:2]} == {"users.enable_account", "users.disable_account"}


def test_opposites_go_both_ways() -> None:
    for word, against in opposites().items():
        assert word not in against
        assert all(word in opposites()[other] for other in against)
