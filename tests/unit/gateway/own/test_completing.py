"""What was typed so far → what may stand there."""

import pytest
from tests.unit.gateway.own.street import Street

from toolbooth.gateway.own import TEMPLATES, completion
from toolbooth.limits import MAX_COMPLETIONS


def test_what_begins_so_comes_before_what_only_holds_it() -> None:
    values = ["files.unread", "mail.read", "read.mail", "files.Read_all", "other"]
    assert completion(values, "READ") == {
        "values": ["read.mail", "mail.read", "files.Read_all", "files.unread"], "total": 4, "hasMore": False
    }  # fmt: skip


def test_nothing_typed_offers_all_and_no_more_than_the_protocol_allows() -> None:
    values = [f"t{number}" for number in range(MAX_COMPLETIONS + 1)]
    offered = completion(values, "")
    assert (len(offered["values"]), offered["total"], offered["hasMore"]) == (100, 101, True)
    assert completion(values[:100], "")["hasMore"] is False


def test_what_fits_nothing_is_an_empty_list() -> None:
    assert completion(["a"], "x" * 1_000_000) == {"values": [], "total": 0, "hasMore": False}


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("template", "typed", "values"),
    [
        ("tool/{name}", "files.", ["files.read_file", "files.write_file", "files.searchFiles"]),
        ("tool/{name}", "inbox", ["mail.search_inbox"]),
        ("server/{name}", "m", ["mail"]),
        ("recent/{n}", "1", ["10", "100"]),
    ],
)
async def test_a_template_knows_what_may_stand_in_it(
    street: Street, template: str, typed: str, values: list[str]
) -> None:
    row = TEMPLATES[f"toolbooth://{template}"]
    assert completion(row.values(street.view), typed)["values"] == values
