"""The command line itself: help, version, start-up, signals."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.behaviour.command_line import toolbooth
from toolbooth import __version__
from toolbooth.cli.main import COMMAND_GROUPS, COMMANDS

HEAVY = {
    "mcp",
    "pydantic",
    "rich",
    "splintr",
    "genai_prices",
    "anyio",
    "yaml",
    "orjson",
    "httpx2",
    "asyncio",
    "argparse",
    "json",
}


@pytest.mark.promise("cli:fast-start")
@pytest.mark.parametrize("word", ["--version", "--help"])
def test_version_and_help_import_nothing_heavy(word: str) -> None:
    code = f"import sys; from toolbooth.cli.main import main; main([{word!r}]); sys.stderr.write(' '.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout
    assert not HEAVY & {name.split(".")[0] for name in done.stderr.split()}


@pytest.mark.promise("cli:help")
def test_help_lists_every_command_in_its_group(tmp_path: Path) -> None:
    said = toolbooth("--help", home=tmp_path)
    assert said.code == 0
    for title, verbs in COMMAND_GROUPS.items():
        group = said.out.split(f"{title}:\n")[1].split("\n\n")[0].splitlines()
        assert [line.split()[0] for line in group] == list(verbs)
    assert toolbooth(home=tmp_path).out == toolbooth("help", home=tmp_path).out == said.out


@pytest.mark.promise("cli:help")
def test_help_of_a_command_can_be_asked_for_by_name(tmp_path: Path) -> None:
    for words in (["doctor"], ["bench", "tokens"]):
        said = toolbooth("help", *words, home=tmp_path)
        assert (said.code, said.out) == (0, toolbooth(*words, "--help", home=tmp_path).out)
    assert "did you mean `toolbooth doctor`" in toolbooth("help", "docter", home=tmp_path).err
    assert "did you mean `toolbooth --version`" in toolbooth("--versoin", home=tmp_path).err


@pytest.mark.promise("cli:help")
@pytest.mark.parametrize("verb", COMMANDS)
def test_every_verb_teaches_with_examples(verb: str, tmp_path: Path) -> None:
    said = toolbooth(verb, "--help", home=tmp_path)
    assert said.code == 0
    assert f"  toolbooth {verb}" in said.out.split("examples:")[1]


def test_the_version_is_the_packages(tmp_path: Path) -> None:
    assert toolbooth("--version", home=tmp_path).out == f"toolbooth {__version__}\n"


def test_an_unknown_verb_is_met_with_a_suggestion(tmp_path: Path) -> None:
    said = toolbooth("docter", home=tmp_path)
    assert said.code == 2
    assert "toolbooth doctor" in said.err


@pytest.mark.promise("cli:no-orphans")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupt_leaves_no_orphans(tmp_path: Path, number: signal.Signals) -> None:
    pid_file = tmp_path / "pid"
    script = tmp_path / "stubborn.py"
    script.write_text(
        "import os, signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        f"open({str(pid_file)!r}, 'w').write(str(os.getpid()))\ntime.sleep(3600)\n"
    )
    config = tmp_path / "c.json"
    config.write_text(json.dumps({"mcpServers": {"s": {"command": sys.executable, "args": [str(script)]}}}))
    running = subprocess.Popen(
        [sys.executable, "-m", "toolbooth", "doctor", str(config)],
        stderr=subprocess.PIPE,
        env={**os.environ, "HOME": str(tmp_path)},
    )
    while not (pid_file.exists() and pid_file.read_text()):
        assert running.poll() is None
        time.sleep(0.02)
    running.send_signal(number)
    _, said = running.communicate(timeout=240)
    assert running.returncode == 130
    assert b"Traceback" not in said
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid_file.read_text()), 0)


def big_catalog(folder: Path) -> Path:
    catalog = folder / "c.json"
    catalog.write_text(json.dumps({"tools": [{"name": f"t{n}\u2192"} for n in range(1000)]}))
    return catalog


def at_shell(folder: Path, words: str, then: str = "", **environ: str) -> subprocess.CompletedProcess[str]:
    """`toolbooth WORDS THEN` in bash; the exit code is Toolbooth's own, not that of the reader behind it."""
    command = f"{sys.executable} -m toolbooth {words} {then}; exit ${{PIPESTATUS[0]}}"
    env = {**os.environ, "HOME": str(folder), "PYTHONUNBUFFERED": "", **environ}
    encoding = environ.get("PYTHONIOENCODING", "utf-8")
    return subprocess.run(
        ["bash", "-c", command], capture_output=True, encoding=encoding, cwd=folder, env=env, check=False
    )


SAYINGS = [
    "--help",
    "--version",
    "doctor --help",
    "doctor c.json --top 1000",
    "doctor c.json --top 1000 --markdown",
    "doctor c.json --json",
    "doctor c.json --list",
    "search t7 --catalog c.json --limit 900",
]


@pytest.mark.promise("cli:closed-pipe")
@pytest.mark.parametrize("reader", ["head -1", "true"])
@pytest.mark.parametrize("words", SAYINGS)
def test_a_closed_pipe_is_no_error(tmp_path: Path, words: str, reader: str) -> None:
    big_catalog(tmp_path)
    done = at_shell(tmp_path, words, f"| {reader}")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a full disk is played by /dev/full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("words", SAYINGS)
def test_output_that_cannot_be_written_is_one_line_and_exit_2(
    tmp_path: Path, words: str, unbuffered: str
) -> None:
    big_catalog(tmp_path)
    done = at_shell(tmp_path, words, "> /dev/full", PYTHONUNBUFFERED=unbuffered)
    assert done.returncode == 2
    assert done.stderr == "toolbooth: the output cannot be written: No space left on device\n"


@pytest.mark.parametrize("words", SAYINGS)
def test_a_closed_stdout_or_stderr_is_no_error(tmp_path: Path, words: str) -> None:
    big_catalog(tmp_path)
    for then in (">&-", "2>&-", ">&- 2>&-"):
        done = at_shell(tmp_path, words, then)
        assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
@pytest.mark.parametrize("words", SAYINGS)
def test_what_an_encoding_lacks_is_shown_plainer(tmp_path: Path, words: str, encoding: str) -> None:
    big_catalog(tmp_path)
    done = at_shell(tmp_path, words, PYTHONIOENCODING=encoding, PYTHONUTF8="0")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout


@pytest.mark.parametrize("verb", ["doctor", "search"])
def test_the_usage_names_the_command_behind_two_dashes(verb: str, tmp_path: Path) -> None:
    assert "[-- COMMAND ...]\n\n" in toolbooth(verb, "--help", home=tmp_path).out


@pytest.mark.promise("cli:background")
def test_a_background_job_ends_on_sigterm_too(tmp_path: Path) -> None:
    """A shell starts a job of a script with SIGINT ignored."""
    config = tmp_path / "c.json"
    pid_file = tmp_path / "pid"
    script = f"import os, time; open({str(pid_file)!r}, 'w').write(str(os.getpid())); time.sleep(3600)"
    config.write_text(json.dumps({"mcpServers": {"s": {"command": sys.executable, "args": ["-c", script]}}}))
    running = subprocess.Popen(
        [sys.executable, "-m", "toolbooth", "doctor", str(config)],
        stderr=subprocess.DEVNULL,
        env={**os.environ, "HOME": str(tmp_path)},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),
    )
    while not (pid_file.exists() and pid_file.read_text()):
        assert running.poll() is None
        time.sleep(0.02)
    running.send_signal(signal.SIGTERM)
    assert running.wait(timeout=240) == 130
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid_file.read_text()), 0)


@pytest.mark.promise("cli:did-you-mean")
@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["doctor", "--jsn"], "--json"),
        (["doctor", "--budgt=5"], "--budget"),
        (["stats", "--sinse", "7d"], "--since"),
        (["bench", "retrieval", "--goldn", "x"], "--golden"),
        (["daemon", "statuss"], "status"),
        (["schema", "confg"], "config"),
        (["lock", "--fail-on", "riskyy"], "risky"),
    ],
)
def test_a_mistyped_option_is_met_with_the_nearest_one(tmp_path: Path, words: list[str], meant: str) -> None:
    said = toolbooth(*words, home=tmp_path)
    assert said.code == 2
    assert f"did you mean {meant}?" in said.err
    assert said.err.count("\n") == 1


@pytest.mark.promise("cli:pipes")
def test_what_goes_into_a_pipe_is_neither_padded_nor_wrapped(tmp_path: Path) -> None:
    tools = [
        {
            "name": f"tool_{number}_with_a_rather_long_name_that_no_terminal_of_eighty_columns_shows_beside_others",
            "description": "Does something. " * 40,
            "inputSchema": {"type": "object", "properties": {"limit": {"type": "integer"}}},
        }
        for number in range(3)
    ]
    catalog = tmp_path / "catalog.json"
    catalog.write_text(json.dumps({"tools": tools}))
    for words in (
        ["doctor", str(catalog)],
        ["profile", str(catalog), "--no-ledger"],
        ["scan", str(catalog), "--lint"],
        ["search", "something", "--catalog", str(catalog)],
        ["bench", "tokens", "--catalog", str(catalog)],
    ):
        said = toolbooth(*words, home=tmp_path, COLUMNS="80")
        assert said.code in (0, 1), said.err
        lines = said.out.splitlines()
        assert [line for line in lines if line != line.rstrip()] == []
        assert "left out at" not in said.out
    assert str(tools[0]["name"]) in toolbooth("doctor", str(catalog), home=tmp_path).out


@pytest.mark.promise("cli:wrote")
def test_a_file_that_was_written_is_named_on_stderr(tmp_path: Path) -> None:
    catalog = tmp_path / "catalog.json"
    catalog.write_text(json.dumps({"tools": [{"name": "a", "inputSchema": {"type": "object"}}]}))
    out = tmp_path / "out"
    said = toolbooth("bench", "tokens", "--catalog", catalog, "--output", out, "--json", home=tmp_path)
    assert said.err == f"wrote {out / 'report.json'}\nwrote {out / 'report.html'}\n"
    assert said.json
    former = toolbooth("bench", "tokens", "--corpus", catalog, "--out", out, "--json", home=tmp_path)
    assert (former.code, former.err) == (0, said.err)
    page = tmp_path / "page.html"
    assert (
        f"wrote {page}\n"
        in toolbooth("bench", "report", out / "report.json", "--html", page, home=tmp_path).err
    )
    saved = tmp_path / "saved.json"
    assert f"wrote {saved}\n" in toolbooth("doctor", catalog, "--save", saved, home=tmp_path).err
    sarif = tmp_path / "scan.sarif"
    assert f"wrote {sarif}\n" in toolbooth("scan", catalog, "--report", f"sarif:{sarif}", home=tmp_path).err


def test_a_search_needs_no_quotes(tmp_path: Path) -> None:
    catalog = tmp_path / "catalog.json"
    tools = [
        {"name": "send_mail", "description": "Send a mail."},
        {"name": "read_file", "description": "Read."},
    ]
    catalog.write_text(json.dumps({"tools": tools}))
    said = toolbooth(
        "search", "send", "a", "--catalog", catalog, "mail", "--top", "1", "--json", home=tmp_path
    )
    assert (said.code, said.err) == (0, "")
    quoted = toolbooth("search", "send a mail", "--catalog", catalog, "--limit", "1", "--json", home=tmp_path)
    assert said.json == quoted.json


@pytest.mark.promise("cli:pipes")
def test_words_to_stderr_do_not_overtake_those_to_stdout(tmp_path: Path) -> None:
    code = (
        "import sys; from toolbooth.cli.streams import guarded;"
        "say = lambda: print('one') or print('two', file=sys.stderr) or print('three') or 0;"
        "sys.exit(guarded(say))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=True,
        cwd=tmp_path,
    )
    assert done.stdout.split() == [b"one", b"two", b"three"]


@pytest.mark.promise("cli:missing-file")
@pytest.mark.parametrize(
    "words",
    [
        ["doctor", "X"],
        ["search", "mail", "--catalog", "X"],
        ["search", "mail", "--config", "X"],
        ["scan", "X"],
        ["profile", "X"],
        ["init", "X"],
        ["lock", "X"],
        ["diff", "X", "X"],
        ["validate", "X"],
        ["report", "X"],
        ["score", "X", "--classes", "a=b.c"],
        ["wrap", "./X"],
        ["bench", "tokens", "X"],
        ["bench", "tokens", "--catalog", "X"],
        ["bench", "record", "X", "--output", "corpus.json"],
    ],
    ids=" ".join,
)
def test_a_file_that_is_not_there_is_a_wrong_call_in_every_command(tmp_path: Path, words: list[str]) -> None:
    said = toolbooth(*(word.replace("X", "no-such.json") for word in words), home=tmp_path)
    assert said.code == 2
    assert "no-such.json" in said.err
    assert "weighed" not in said.err


@pytest.mark.promise("cli:lock-name")
@pytest.mark.parametrize(
    "words",
    [
        ["lock", "c.json", "--output", "my.lock"],
        ["lock", "c.json", "--report", "json:my.lock"],
        ["diff", "c.json", "c.json", "--output", "my.lock"],
        ["scan", "c.json", "--output", "my.lock"],
    ],
    ids=" ".join,
)
def test_a_report_is_not_written_under_the_name_of_a_lock(tmp_path: Path, words: list[str]) -> None:
    big_catalog(tmp_path)
    said = toolbooth(*words, home=tmp_path)
    assert (said.code, said.err.count("\n"), (tmp_path / "my.lock").exists()) == (2, 1, False)
    assert "--file" in said.err


@pytest.mark.promise("cli:lock-name")
def test_the_lock_has_the_name_that_file_gives_it(tmp_path: Path) -> None:
    big_catalog(tmp_path)
    said = toolbooth("lock", "c.json", "--file", "my.lock", "--output", "report.txt", home=tmp_path)
    assert (said.code, (tmp_path / "my.lock").exists()) == (0, True)
    assert "my.lock is written" in (tmp_path / "report.txt").read_text()


@pytest.mark.promise("validate:client-config")
@pytest.mark.parametrize("command", ["validate", "test"])
@pytest.mark.parametrize(
    "config", ['{"mcpServers": {}}', '{"servers": {"a": {"command": "x"}}, "inputs": []}']
)
def test_a_clients_config_is_not_taken_for_a_misspelled_suite(
    tmp_path: Path, command: str, config: str
) -> None:
    (tmp_path / "mcp.json").write_text(config)
    said = toolbooth(command, "./mcp.json", home=tmp_path)
    assert said.code == 2
    assert "is a client's config, not a suite" in said.err
    assert "`toolbooth doctor mcp.json`" in said.err
    assert "did you mean" not in said.err


@pytest.mark.promise("cli:exit-codes")
def test_a_broken_source_is_not_said_to_be_unreachable(tmp_path: Path) -> None:
    (tmp_path / "broken.json").write_text('{"mcpServers": {')
    said = toolbooth("lock", "broken.json", home=tmp_path)
    assert "toolbooth.lock is not written: broken.json:1:17 could not be read" in said.err
    assert "reached" not in said.err
