"""What was measured before Ctrl-C is delivered."""

import json
from typing import Any

import pytest

from toolbooth.cli.bench import command, latency


def interrupt(*_given: Any) -> None:
    raise KeyboardInterrupt


def test_ctrl_c_delivers_the_sections_that_were_measured(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(latency, "section_of", interrupt)
    assert command.run(["--only", "tokens,latency", "--json"]) == 130
    report = json.loads(capsys.readouterr().out)
    assert report["tokens"]["corpus_tools"] == 69
    assert report["partial"] == ["latency: interrupted"]


def test_ctrl_c_before_any_section_is_ctrl_c(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(latency, "section_of", interrupt)
    with pytest.raises(KeyboardInterrupt):
        command.run(["--only", "latency", "--json"])
