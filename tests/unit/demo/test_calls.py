"""Every demo tool answers a sample call, over MCP, the same in every run and in both protocol versions."""

import base64
import json

import pytest
from tests.unit.demo.fleet import Fleet, text_of
from tests.unit.demo.samples import SAMPLES

pytestmark = pytest.mark.anyio

EVERY = [(server, tool) for server, tools in SAMPLES.items() for tool in tools]
FAT = {
    "files.read_file": 15_000,
    "files.read_multiple_files": 60_000,
    "files.search_file_contents": 20_000,
    "notes.list_notes": 20_000,
    "notes.export_notes": 90_000,
    "calendar.list_events": 40_000,
    "tickets.search_tickets": 90_000,
    "tickets.export_tickets": 60_000,
    "weather.get_observations": 50_000,
    "weather.get_forecast": 30_000,
    "history.list_commits": 90_000,
    "history.get_build_log": 40_000,
    "history.get_diff": 90_000,
    "database.export_table": 100_000,
    "database.run_query": 200_000,
    "mail.get_message": 30_000,
}


async def test_the_table_of_samples_names_every_tool(modern: Fleet) -> None:
    for server, tools in modern.listed.items():
        assert {tool["name"] for tool in tools} == SAMPLES[server].keys()


@pytest.mark.parametrize(("server", "tool"), EVERY)
async def test_sample_call_works_and_repeats(server: str, tool: str, legacy: Fleet, modern: Fleet) -> None:
    one, other = legacy.answers[server][tool], modern.answers[server][tool]
    assert not one.is_error, text_of(one)
    assert one.content == other.content
    assert one.structured_content == other.structured_content


async def test_structured_content_stands_where_a_schema_promises_it(modern: Fleet) -> None:
    for server, tools in modern.listed.items():
        for tool in tools:
            answer = modern.answers[server][tool["name"]]
            assert (answer.structured_content is not None) == ("outputSchema" in tool)
            if answer.structured_content is not None:
                assert json.loads(text_of(answer)) == answer.structured_content


@pytest.mark.parametrize("name", FAT)
async def test_fat_answers_are_fat(name: str, modern: Fleet) -> None:
    server, tool = name.split(".")
    assert len(text_of(modern.answers[server][tool])) > FAT[name]


async def test_small_answers_are_small(modern: Fleet) -> None:
    sizes = [len(text_of(answer)) for answers in modern.answers.values() for answer in answers.values()]
    assert sum(size < 600 for size in sizes) >= 25


async def test_the_radar_is_a_picture(modern: Fleet) -> None:
    picture = modern.answers["weather"]["get_radar_image"].content[1]
    assert picture.type == "image"
    assert base64.b64decode(picture.data).startswith(b"\x89PNG\r\n\x1a\n")


async def test_an_attachment_is_a_blob(modern: Fleet) -> None:
    block = modern.answers["mail"]["get_attachment"].content[1]
    assert block.type == "resource"
    assert block.resource.mime_type == "text/csv"


async def test_observations_come_without_whitespace(modern: Fleet) -> None:
    assert '": ' not in text_of(modern.answers["weather"]["get_observations"])
