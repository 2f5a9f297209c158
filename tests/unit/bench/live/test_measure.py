"""Several endpoints in one run: they take turns, and one that fails neither stops nor hides the others."""

import json
import sys
from pathlib import Path

import pytest
from tests.unit.bench.retrieval.small_set import TOOLS, corpus_document, small_pair

from toolbooth.bench import pair, read_corpus
from toolbooth.bench.live import (
    Endpoint,
    MeasuredEndpoint,
    endpoint_section,
    exam_of,
    exam_of_corpus,
    find_adapter,
    measure_endpoints as measure,
)
from toolbooth.bench.live.exam import Exam
from toolbooth.catalog import ServerSpec
from toolbooth.errors import BackendFault

pytestmark = pytest.mark.anyio
ROOT = Path(__file__).parents[4]
SEARCHING = ROOT / "tests" / "behaviour" / "search_server.py"
CORPUS_SERVER = ROOT / "scripts" / "bench_peers" / "corpus_server.py"
STRANGER = """\
name: stranger
finds: search
ids: "{server}/{tool}"
steps:
  - {call: find, role: search, arguments: {words: "{query}"}, ids_in: json, path: "[].id"}
call: {tool: use, arguments: {id: "{id}", with: "{arguments}"}}
"""
EXAM = exam_of(small_pair())


class Bench:
    """Endpoints over the small corpus."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.corpus = folder / "corpus.json"
        self.corpus.write_text(json.dumps(corpus_document()))

    def spec(self, name: str, *words: object) -> ServerSpec:
        return ServerSpec(name, "stdio", sys.executable, tuple(map(str, words)), timeout=240)

    def stranger(self, name: str, *then: str) -> Endpoint:
        adapter = self.folder / "stranger.yaml"
        adapter.write_text(STRANGER)
        return Endpoint(name, self.spec(name, SEARCHING, self.corpus, *then), find_adapter(str(adapter)))

    def plain(self, server: str) -> Endpoint:
        spec = self.spec(server, "-IS", CORPUS_SERVER, self.corpus, server)
        return Endpoint(server, spec, find_adapter("passthrough"))


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


async def run(*endpoints: Endpoint, exam: Exam = EXAM) -> list[MeasuredEndpoint]:
    return await measure(endpoints, exam, lambda *_: None)


@pytest.mark.promise("bench:live-partial")
async def test_one_that_dies_or_never_comes_up_leaves_the_others_whole(bench: Bench) -> None:
    missing = Endpoint("gone", bench.spec("gone", "-c", "raise SystemExit(7)"), find_adapter("passthrough"))
    well, dying, gone = await run(bench.stranger("well"), bench.stranger("dying", "dies", "3"), missing)
    whole, cut = endpoint_section(well), endpoint_section(dying)
    assert (whole.partial, whole.steps[0].answers) == ("", 6)
    assert cut.steps[0].answers == 2
    assert "2 of 6 questions were answered" in cut.partial
    assert cut.retrieval is not None
    assert cut.retrieval.query_count == 2
    with pytest.raises(BackendFault, match="exited with code 7"):
        endpoint_section(gone)


@pytest.mark.promise("bench:live-partial")
async def test_one_that_answers_no_more_ends_at_a_deadline(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toolbooth.limits.CALL_TIMEOUT", 0.5)
    (hanging,) = await run(bench.stranger("hanging", "hangs", "2"))
    section = endpoint_section(hanging)
    assert "did not answer tools/call within 0.5 s" in section.partial
    assert section.steps[0].answers == 1


async def test_endpoints_take_turns_question_by_question(bench: Bench) -> None:
    heard: list[str] = []
    first, second = bench.stranger("first"), bench.stranger("second")

    def listening(endpoint: Endpoint) -> Endpoint:
        async def beside(question: object) -> None:
            heard.append(endpoint.name)

        return Endpoint(endpoint.name, endpoint.spec, endpoint.adapter, beside=beside)

    await run(listening(first), listening(second))
    assert heard[2:] == ["first", "second", "second", "first"] * 3  # two warm-ups before


async def test_a_tool_that_is_not_in_the_menu_is_not_taken_for_found(bench: Bench) -> None:
    (measured,) = await run(bench.plain("files"))
    section = endpoint_section(measured)
    assert section.session is not None
    assert (section.session.questions, section.session.correct) == (5, 2)
    assert section.retrieval is None
    assert any("no search" in note for note in section.notes)
    assert any("3 of 5 wanted tools are not in its menu: calendar" in note for note in section.notes)


async def test_a_bare_name_that_two_tools_share_is_taken_for_neither(bench: Bench) -> None:
    document = corpus_document(**{"trash:delete_file": "Empty the trash."})
    twice = pair(read_corpus(document, Path("corpus.json")), small_pair().golden)
    (measured,) = await run(bench.plain("files"), exam=exam_of(twice))
    session = endpoint_section(measured).session
    assert session is not None
    assert session.correct == 1  # files.read_file


async def test_without_labels_there_is_no_verdict(bench: Bench) -> None:
    (measured,) = await run(bench.stranger("well"), exam=exam_of_corpus(small_pair().corpus))
    section = endpoint_section(measured)
    assert (section.session, section.retrieval) == (None, None)
    assert section.steps[0].answers == len(TOOLS)


async def test_without_questions_the_menu_alone_is_weighed(bench: Bench) -> None:
    (measured,) = await run(bench.stranger("well"), exam=Exam(()))
    section = endpoint_section(measured)
    assert (section.mode.context_tools, section.steps, section.baseline_tokens) == (2, (), None)


async def test_savings_are_withheld_where_the_corpus_has_no_schemas(bench: Bench) -> None:
    (measured,) = await run(bench.stranger("well"))
    section = endpoint_section(measured)
    assert section.mode.savings_vs_baseline is None
    assert any("8 of 8 tools of the corpus have no schema" in note for note in section.notes)
