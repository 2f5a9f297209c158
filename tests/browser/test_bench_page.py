"""The benchmark's page in a real browser: it loads alone, fits, can be read, and foreign text does nothing."""

import pytest

from tests.browser.conftest import Open
from tests.browser.page_checks import CHARTS, FAINT, OVERLAPS, STICKS_OUT
from tests.unit.web.reports import (
    HOSTILE,
    LONG,
    bare,
    empty_sections,
    negative,
    retrieval,
    rich,
    with_numbers,
    with_words,
)
from toolbooth.bench.report import BenchReport
from toolbooth.web import bench_page

REPORTS = {
    "rich": rich(partial=("lazy-mcp went away",)),
    "long names": with_words(rich(), LONG),
    "wide letters": with_words(rich(), "検索ツール" * 60),
    "large numbers": with_numbers(rich(), 123_456_789.0),
    "zeros": with_numbers(rich(), 0.0),
    "dearer than the baseline": bare(tokens=negative()),
    "nothing measured": empty_sections(),
}


@pytest.mark.promise("bench:page-alone")
def test_it_asks_for_nothing_and_the_console_stays_silent(opened: Open, heard: list[str]) -> None:
    page = opened(bench_page(REPORTS["rich"]))
    assert heard == [page.url]
    assert page.evaluate("performance.getEntriesByType('resource').length") == 0


@pytest.mark.parametrize("name", REPORTS)
def test_nothing_sticks_out_and_no_label_is_cut_at_any_width(opened: Open, name: str) -> None:
    page = opened(bench_page(REPORTS[name]))
    for width in (320, 390, 700, 1400):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate(STICKS_OUT) == []
        for chart in page.evaluate(CHARTS):
            assert chart["width"] > 200, chart
            assert chart["height"] > 20, chart
            assert chart["cut"] == [], (width, chart)


@pytest.mark.parametrize("width", [320, 390, 700, 1400])
def test_labels_do_not_lie_on_one_another(opened: Open, width: int) -> None:
    assert opened(bench_page(REPORTS["rich"]), width).evaluate(OVERLAPS) == []


def test_each_chart_is_shown_once_at_every_width(opened: Open) -> None:
    page = opened(bench_page(REPORTS["rich"]))
    for width in (320, 820, 1400):
        page.set_viewport_size({"width": width, "height": 900})
        shown = [chart["id"].rsplit("-", 2)[0] for chart in page.evaluate(CHARTS)]
        assert len(shown) == len(set(shown)) == page.locator("figure").count()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_ground(opened: Open, scheme: str) -> None:
    page = opened(bench_page(REPORTS["rich"]), scheme=scheme)
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    seen = page.evaluate(FAINT)
    assert len(seen) >= 6
    assert [each for each in seen if each["ratio"] < 4.5] == []


def test_light_and_dark_are_two_looks(opened: Open) -> None:
    grounds = {
        opened(bench_page(bare()), scheme=scheme).evaluate("getComputedStyle(document.body).backgroundColor")
        for scheme in ("light", "dark")
    }
    assert len(grounds) == 2


@pytest.mark.promise("bench:page-safe")
@pytest.mark.parametrize("words", [HOSTILE, HOSTILE * 40], ids=["once", "5,000 characters"])
def test_foreign_text_does_nothing_and_hides_nothing(opened: Open, words: str) -> None:
    page = opened(bench_page(with_words(rich(), words)), 390)
    assert page.title() != "owned"
    assert (
        page.evaluate("document.querySelectorAll('script, img, iframe, object, link, [onerror]').length") == 0
    )
    assert page.locator("style").count() == 1
    text = page.evaluate("document.documentElement.textContent")
    assert "<script>" in text  # shown as it was written
    assert not [letter for letter in "\u202e\u202c\u200b\x1b\ue000\u2028" if letter in text]
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_script_could_not_run_even_if_it_got_in(opened: Open) -> None:
    page = opened(bench_page(bare()).replace("</main>", "<script>document.title='owned'</script></main>"))
    assert page.title() != "owned"


def test_wide_tables_are_scrolled_by_keys_and_the_numbers_open_by_keys(opened: Open) -> None:
    page = opened(bench_page(REPORTS["rich"]), 320)
    page.locator("summary").nth(1).focus()
    page.keyboard.press("Enter")
    table = page.locator("figure").nth(1).locator(".scroll")
    assert table.is_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    scrolled = "document.activeElement.className == 'scroll' && document.activeElement.scrollLeft > 0"
    for _ in range(200):  # not `wait_for_function`: it polls by `eval`, which the page's own policy forbids
        if page.evaluate(scrolled):
            break
        page.wait_for_timeout(50)
    assert page.evaluate(scrolled)


def test_a_stacked_table_is_a_table_to_a_screen_reader_on_a_phone(opened: Open) -> None:
    page = opened(bench_page(bare(retrieval=retrieval(3))), 390)
    table = page.get_by_role("table").filter(has=page.get_by_role("columnheader", name="wanted"))
    assert table.get_by_role("row").count() == 4
    assert page.get_by_role("img").count() == page.locator("figure").count()


@pytest.mark.parametrize(
    "report", [REPORTS["rich"], bare(retrieval=retrieval(2792))], ids=["rich", "2,792 rows"]
)
def test_it_prints_on_a4_with_no_chart_cut(opened: Open, report: BenchReport) -> None:
    page = opened(bench_page(report), 688, "dark")  # A4 less its margins
    assert page.pdf(prefer_css_page_size=True, print_background=True).startswith(b"%PDF")
    page.emulate_media(media="print")
    heights = page.evaluate("[...document.querySelectorAll('figure')].map(each => each.offsetHeight)")
    assert heights
    assert max(heights) < 1016  # pixels of a page between its margins
    assert (
        page.evaluate("getComputedStyle(document.body).color") == "rgb(28, 32, 36)"
    )  # ink, in spite of the dark
    assert page.evaluate("document.documentElement.scrollWidth") <= 688
