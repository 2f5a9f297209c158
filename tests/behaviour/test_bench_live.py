"""`toolbooth bench live` as a user runs it: a running gateway, and endpoints of strangers by an adapter file."""

import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.behaviour.command_line import CommandResult, toolbooth
from tests.behaviour.gateway_process import GatewayProcess, gateway_process, write_config
from tests.unit.bench.retrieval.small_set import QUESTIONS, TOOLS, corpus_document, golden_document
from toolbooth.bench import read_corpus
from toolbooth.bench.report import read_report
from toolbooth.gateway.offline import OfflineGateway
from toolbooth.tokens import count, weigh

ROOT = Path(__file__).parents[2]
CORPUS_SERVER = ROOT / "scripts" / "bench_peers" / "corpus_server.py"
SEARCHING = Path(__file__).with_name("search_server.py")
SCHEMA = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
ADAPTER = """\
name: stranger
finds: search
ids: "{server}/{tool}"
steps:
  - call: find
    role: search
    arguments: {words: "{query}"}
    ids_in: structured
    path: hits[].id
call:
  tool: use
  arguments: {id: "{id}", with: "{arguments}"}
"""


def document() -> dict[str, Any]:
    whole = corpus_document()
    return {**whole, "tools": [{**each, "schema": SCHEMA} for each in whole["tools"]]}


class Files:
    """A corpus, its questions and an adapter, in a folder that is also the user's home."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.corpus, self.golden = folder / "corpus.json", folder / "golden.json"
        self.adapter = folder / "stranger.yaml"
        self.corpus.write_text(json.dumps(document()))
        self.golden.write_text(json.dumps(golden_document()))
        self.adapter.write_text(ADAPTER)

    def live(self, *words: str | Path, key: str | None = None) -> CommandResult:
        given = {} if key is None else {"TOOLBOOTH_KEY": key}
        return toolbooth("bench", "live", *words, home=self.folder, cwd=self.folder, **given)

    def stranger(self, *words: str | Path, then: tuple[str, ...] = ()) -> CommandResult:
        command: tuple[str | Path, ...] = ("--", sys.executable, SEARCHING, self.corpus, *then)
        return self.live(
            "--adapter", self.adapter, "--corpus", self.corpus, "--golden", self.golden, *words, *command
        )


@pytest.fixture(scope="module")
def files() -> Files:
    return Files(Path(tempfile.mkdtemp(prefix="tb-")))


@pytest.fixture(scope="module")
def gateway(files: Files) -> Iterator[GatewayProcess]:
    home = Path(tempfile.mkdtemp(prefix="tb-"))
    names = dict.fromkeys(each.partition(":")[0] for each in TOOLS)
    server = ["-IS", str(CORPUS_SERVER), str(files.corpus)]
    servers = {name: {"command": sys.executable, "args": [*server, name]} for name in names}
    with gateway_process(home, "--config", write_config(home / "servers.json", servers)) as running:
        yield running


def url(gateway: GatewayProcess, path: str = "") -> str:
    return f"http://127.0.0.1:{gateway.port}{path}"


@pytest.mark.promise("bench:live-gateway")
def test_a_running_gateway_is_measured_with_nothing_but_its_address_and_key(
    files: Files, gateway: GatewayProcess
) -> None:
    said = files.live(url(gateway), "--golden", files.golden, "--json", key=str(gateway.key))
    section = said.json
    assert (said.code, section["partial"], section["adapter"]) == (0, "", "toolbooth")
    assert section["baseline_tokens"] == weigh(read_corpus(document(), Path("c.json")).catalog).total_tokens
    assert section["retrieval"]["query_count"] == 5
    assert section["retrieval"]["rejection"]["unanswerable"] == 1
    assert section["session"]["questions"] == 5
    assert [step["step"] for step in section["steps"]] == ["search_tools"]
    assert [step["step"] for step in section["beside"]] == ["GET /api/v1/index/search"]
    assert any("showed the same tools first in 6 of 6" in note for note in section["notes"])
    assert str(gateway.key) not in said.out + said.err


@pytest.mark.promise("bench:builders")
@pytest.mark.parametrize("surface", ["search", "direct"])
def test_each_surface_weighs_over_mcp_what_its_builders_say(
    files: Files, gateway: GatewayProcess, surface: str
) -> None:
    said = files.live(url(gateway, f"/mcp/{surface}"), "--key", str(gateway.key), "--json")
    mode = said.json["mode"]
    built = OfflineGateway(read_corpus(document(), Path("c.json")).catalog)
    assert mode["tokens"] == weigh(built.menu(surface)).total_tokens
    assert mode["instructions_tokens"] == count(built.instructions(surface))


@pytest.mark.promise("bench:live-gateway")
def test_the_table_and_the_report_say_the_same_and_hold_no_key(files: Files, gateway: GatewayProcess) -> None:
    out = files.folder / "report"
    said = files.live(url(gateway), "--key", str(gateway.key), "--golden", files.golden, "--out", out)
    report = read_report(out / "report.json")
    (section,) = report.endpoints
    assert said.code == 0
    assert f"{section.mode.tokens:,}" in said.out
    assert "recall@5" in said.out
    assert "paid / right" in said.out
    for file in out.iterdir():
        assert str(gateway.key) not in file.read_text()


def test_without_questions_tokens_and_times_are_reported(files: Files, gateway: GatewayProcess) -> None:
    section = files.live(url(gateway, "/mcp"), "--key", str(gateway.key), "--json").json
    assert (section["session"], section["retrieval"]) == (None, None)
    assert section["steps"][0]["answers"] == len(TOOLS)
    assert any("no golden set is named" in note for note in section["notes"])


@pytest.mark.promise("bench:live-refused")
def test_a_wrong_key_is_one_line_without_it(files: Files, gateway: GatewayProcess) -> None:
    for said in (
        files.live(url(gateway), "--key", "wrong-5e8b1f77"),
        files.live(url(gateway, "/mcp"), "--adapter", "toolbooth", "--key", "wrong-5e8b1f77"),
    ):
        assert said.code in (2, 3)
        assert (said.out, said.err.count("\n")) == ("", 1)
        assert "wrong-5e8b1f77" not in said.err


@pytest.mark.promise("bench:live-refused")
def test_the_key_of_the_gateway_is_sent_to_no_stranger(files: Files, gateway: GatewayProcess) -> None:
    words = (url(gateway, "/mcp"), "--adapter", "toolbooth")
    assert files.live(*words, key=str(gateway.key)).code == 3
    assert files.live(*words, "--key", str(gateway.key)).code == 0


@pytest.mark.promise("bench:live-refused")
def test_nobody_there_is_one_line_and_exit_3(files: Files) -> None:
    said = files.live("http://127.0.0.1:9", "--golden", files.golden)
    assert (said.code, said.out, said.err.count("\n")) == (3, "", 1)
    assert "toolbooth: 127.0.0.1:9: could not be reached" in said.err


@pytest.mark.promise("bench:live-refused")
def test_a_wrong_call_is_one_line_and_exit_2(files: Files) -> None:
    said = files.live("--", "some-server")
    assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)
    assert "a command needs --adapter" in said.err


@pytest.mark.promise("bench:live-refused")
def test_a_gateway_with_other_tools_than_the_labels_is_refused_or_said(
    files: Files, gateway: GatewayProcess
) -> None:
    golden = files.folder / "other.json"
    golden.write_text(json.dumps(golden_document(q9=("fly", "literal", {"kites:fly": 2}))))
    words = (url(gateway), "--key", str(gateway.key), "--golden", golden)
    said = files.live(*words)
    assert (said.code, "kites:fly" in said.err) == (2, True)
    allowed = files.live(*words, "--allow-unknown", "--json")
    assert allowed.json["retrieval"]["unknown_labels"] == ["kites:fly"]


# -- endpoints of strangers --------------------------------------------------------------------------------
@pytest.mark.promise("bench:adapters")
def test_a_stranger_on_stdio_is_measured_by_a_file_of_the_user(files: Files) -> None:
    said = files.stranger("--json")
    section = said.json
    assert (said.code, section["adapter"], section["finds"]) == (0, "stranger", "search")
    assert section["mode"]["context_tools"] == 2
    assert section["mode"]["instructions_tokens"] == count("Find, then use.")
    (step,) = section["steps"]
    assert (step["step"], step["answers"]) == ("find", len(QUESTIONS))
    assert 0 < step["tokens_mean"] <= step["tokens_most"]
    assert step["copy_tokens_mean"] > 0
    assert section["session"]["turns"] == 3
    rows = {row["id"]: row for row in section["retrieval"]["rows"]}
    assert (rows["q1"]["rank"], rows["q1"]["came"][0]) == (1, "files.read_file")
    assert section["retrieval"]["rejection"]["rejected"] == 1


@pytest.mark.promise("bench:adapters")
def test_a_plain_server_is_a_pass_through(files: Files) -> None:
    command = ("--", sys.executable, "-IS", CORPUS_SERVER, files.corpus, "files")
    golden = files.folder / "files.json"
    golden.write_text(json.dumps(golden_document("q2", "q4", "q5")))
    said = files.live("--adapter", "passthrough", "--golden", golden, "--json", *command)
    section = said.json
    assert (said.code, section["steps"], section["retrieval"]) == (0, [], None)
    assert (section["session"]["turns"], section["session"]["correct"]) == (2, 2)
    assert section["baseline_tokens"] is None


def test_an_answer_that_is_an_error_is_counted_and_is_no_rejection(files: Files) -> None:
    section = files.stranger("--json", then=("errs", "0")).json
    assert any("6 of 6 questions ended in an error" in note for note in section["notes"])
    assert section["session"]["correct"] == 0
    assert section["session"]["paid_per_correct"] is None
    rejection = section["retrieval"]["rejection"]
    assert (rejection["unanswerable"], rejection["rejected"], rejection["rate"]) == (0, 0, None)
    assert rejection["answerable_rejected"] == 0
    assert section["retrieval"]["query_count"] == 5


@pytest.mark.promise("bench:live-refused")
@pytest.mark.parametrize("calls", [("call: find", "call: seek"), ("tool: use", "tool: invoke")])
def test_an_adapter_of_another_endpoint_is_reported_before_anything_is_asked(
    files: Files, calls: tuple[str, str]
) -> None:
    adapter = files.folder / "another.yaml"
    adapter.write_text(ADAPTER.replace(*calls))
    command = ("--", sys.executable, SEARCHING, files.corpus)
    said = files.live("--adapter", adapter, "--corpus", files.corpus, "--golden", files.golden, *command)
    assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)
    assert f"calls {calls[1].split()[-1]}, which the endpoint does not offer" in said.err
    assert "it offers find, use" in said.err


@pytest.mark.promise("bench:live-partial")
def test_an_endpoint_that_dies_in_mid_run_leaves_what_it_answered(files: Files) -> None:
    out = files.folder / "partial"
    said = files.stranger("--out", out, then=("dies", "4"))
    assert said.code == 3
    assert "partial" in said.out
    assert "3 of 6 questions were answered" in " ".join(said.out.split())
    report = read_report(out / "report.json")
    (section,) = report.endpoints
    assert len(report.partial) == 1
    assert "the search index is gone" in section.partial
    assert section.steps[0].answers == 3  # the first question was asked once before
    assert section.retrieval is not None
    assert (section.retrieval.query_count, section.mode.tokens > 0) == (3, True)
    again = toolbooth("bench", "report", out / "report.json", home=files.folder)
    assert again.code == 3
    assert "partial" in again.out


@pytest.mark.promise("bench:live-partial")
def test_an_endpoint_that_dies_at_the_first_question_leaves_its_menu(files: Files) -> None:
    said = files.stranger("--json", then=("dies", "0"))
    assert said.code == 3
    assert (said.json["mode"]["context_tools"], said.json["steps"], said.json["retrieval"]) == (2, [], None)


@pytest.mark.promise("bench:live-refused")
def test_a_command_that_is_no_server_is_one_line(files: Files) -> None:
    words = (
        "--adapter",
        "passthrough",
        "--timeout",
        "20",
        "--",
        sys.executable,
        "-c",
        "raise SystemExit('not me')",
    )
    said = files.live(*words)
    assert (said.code, said.out) == (3, "")
    assert "not me" in said.err
