"""What bears on the intent of a call."""

import pytest

from toolbooth.catalog.config import Reduction
from toolbooth.gateway.reduce.hidden import NOT_SHOWN, Picked
from toolbooth.gateway.reduce.pieces import Pieces
from toolbooth.gateway.reduce.selection import filter_json, filter_text

ITEMS = [
    {"id": n, "text": f"item {n} is about {'refunds' if n in (17, 31) else 'shipping'} and so on"}
    for n in range(60)
]
SECTIONS = [f"# Part {n}\n\n{'Filling words of a page. ' * 30}\n\n" for n in range(20)]
SECTIONS[13] = f"# Refunds\n\nA refund takes nine days. {'Filling words of a page. ' * 28}\n\n"
REF = "r" * 22


def test_json_is_filtered_by_element_and_stays_json() -> None:
    found = filter_json({"items": ITEMS, "total": 60}, "how do refunds work", Reduction())
    assert isinstance(found["items"], Picked)
    assert found["items"].indices == [17, 31]
    assert found["items"][:2] == [ITEMS[17], ITEMS[31]]
    words = found["items"][2][NOT_SHOWN].words(REF)
    assert words.startswith("[58 of 60 items that fit the intent less are not shown:")
    assert found["items"][2][NOT_SHOWN].path == "items"
    assert "all 60" in found["items"][2]
    assert found["total"] == 60


@pytest.mark.parametrize("intent", ["how many refunds are there", "all refunds", "the highest refund"])
def test_who_asks_for_all_items_gets_ranges_and_counts_of_all(intent: str) -> None:
    assert filter_json(ITEMS, intent, Reduction()) is ITEMS


def test_where_all_or_none_bear_on_it_all_stay() -> None:
    value = {"items": ITEMS}
    assert filter_json(value, "item", Reduction()) is value
    assert filter_json(value, "zebra", Reduction()) is value


def test_a_rare_word_decides_and_not_a_common_one() -> None:
    found = filter_json(ITEMS, "items about refunds", Reduction())
    assert found.indices == [17, 31]


def test_short_lists_are_shown_whole() -> None:
    value = [{"text": "refunds"}, {"text": "x" * 3000}, {"text": "y"}]
    assert filter_json(value, "refunds", Reduction()) is value


def test_of_a_text_the_sections_that_bear_on_it_and_the_first_are_shown() -> None:
    text = "".join(SECTIONS)
    found = filter_text(Pieces.whole(text), "how long does a refund take", 3_000).words(REF)
    assert "A refund takes nine days." in found
    assert found.startswith("# Part 0")
    assert "# Part 5" not in found
    assert "start=" in found


def test_the_last_section_is_shown_where_the_intent_is_for_what_came_last() -> None:
    text = "".join(SECTIONS)
    found = filter_text(Pieces.whole(text), "the latest refund", 4_000).words(REF)
    assert "# Part 19" in found


def test_a_text_without_a_word_of_it_stays() -> None:
    pieces = Pieces.whole("".join(SECTIONS))
    assert filter_text(pieces, "zebra", 3_000) is pieces
