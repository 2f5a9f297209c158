"""A URI leads to its row; one that leads nowhere is refused with those that it may have meant."""

import pytest
from tests.unit.gateway.own.street import Street

from toolbooth.errors import WrongArguments
from toolbooth.gateway.own import find, is_own, read_own
from toolbooth.limits import MAX_ASKED_NAME


@pytest.mark.parametrize(
    ("uri", "row", "value"),
    [
        ("toolbooth://overview", "toolbooth://overview", ""),
        ("toolbooth://overview/", "toolbooth://overview", ""),
        ("toolbooth://recent", "toolbooth://recent", ""),
        ("toolbooth://recent/5", "toolbooth://recent/{n}", "5"),
        ("toolbooth://tool/github.create_issue", "toolbooth://tool/{name}", "github.create_issue"),
        ("toolbooth://tool/git%20hub.a%2Fb", "toolbooth://tool/{name}", "git hub.a/b"),
        ("toolbooth://tool/a/b", "toolbooth://tool/{name}", "a/b"),
        ("toolbooth://server/files", "toolbooth://server/{name}", "files"),
    ],
)
def test_a_uri_leads_to_its_row(uri: str, row: str, value: str) -> None:
    found = find(uri)
    assert (found.resource.uri, found.value) == (row, value)


@pytest.mark.parametrize(
    ("uri", "nearest"),
    [
        ("toolbooth://stat", "toolbooth://stats"),
        ("toolbooth://tool", "toolbooth://tools"),
        ("toolbooth://server/", "toolbooth://servers"),
        ("toolbooth://", ""),
        ("toolbooth://x\x1b[31m\u202e" + "y" * 5_000, ""),
    ],
)
def test_an_unknown_uri_is_refused_with_the_nearest(uri: str, nearest: str) -> None:
    with pytest.raises(WrongArguments, match="There is no resource toolbooth://") as refused:
        find(uri)
    words = str(refused.value)
    assert nearest in words
    assert "Nearest: toolbooth://" in words
    assert words.isprintable()
    assert len(words) < 400


def test_a_name_without_end_is_not_compared_with_all_others() -> None:
    assert len(find("toolbooth://tool/" + "x" * 1_000_000).value) < MAX_ASKED_NAME


@pytest.mark.parametrize("uri", ["note://1", "inner+toolbooth://overview", "", "toolbooth:overview"])
def test_what_is_not_ours_is_not_taken_for_it(uri: str) -> None:
    assert not is_own(uri)


@pytest.mark.anyio
async def test_the_content_stands_under_the_uri_that_was_asked_for(street: Street) -> None:
    content = await read_own(street.view, street.session, "toolbooth://tool/files%2Eread_file")
    assert content["uri"] == "toolbooth://tool/files%2Eread_file"
    assert content["mimeType"] == "text/plain"
    assert content["text"].startswith("files.read_file(path)")
