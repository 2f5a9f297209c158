"""Whatever a server answers to a call, the agent reads one short sentence at once, and nobody else notices."""

from collections.abc import Iterator

import pytest

from tests.faults.gateway_driver import DrivenGateway, HostileServer, gateway

SIBLINGS = 20


@pytest.fixture(scope="module")
def bad(tmp_path_factory: pytest.TempPathFactory) -> HostileServer:
    return HostileServer("bad", tmp_path_factory.mktemp("answers"), settings={"call_timeout": 30})


@pytest.fixture(scope="module")
def booth(bad: HostileServer) -> Iterator[DrivenGateway]:
    with gateway(bad.folder, bad, HostileServer("good", bad.folder)) as made:
        yield made


@pytest.mark.promise("gateway:not-mcp")
@pytest.mark.parametrize(
    ("tool", "reason"),
    [
        ("not_json", "sent invalid JSON"),
        ("bad_utf8", "sent invalid JSON"),
        ("lone_surrogate", "sent invalid JSON"),
        ("deep", "sent invalid JSON"),
        ("long_integer", "sent invalid JSON"),
        ("nan", "sent invalid JSON"),
        ("infinity", "sent invalid JSON"),
        ("both", "exactly one of result and error"),
        ("neither", "exactly one of result and error"),
    ],
)
def test_an_answer_that_is_not_mcp_is_said_at_once_and_the_server_goes_on(
    booth: DrivenGateway, bad: HostileServer, tool: str, reason: str
) -> None:
    starts = len(bad.pids)
    said = booth.call(f"bad.{tool}")
    assert said.error
    assert said.text.startswith("bad: ")
    assert reason in said.text
    assert "Calling again will not help" in said.text
    assert booth.call("bad.ok").text == "ok"
    assert len(bad.pids) == starts or starts == 0


@pytest.mark.promise("gateway:strays")
def test_answers_nobody_asked_for_are_dropped_and_the_first_answer_wins(booth: DrivenGateway) -> None:
    assert booth.call("bad.wrong_then_double_id").text == "first"
    assert booth.call("bad.ok").text == "ok"


@pytest.mark.promise("gateway:odd-messages")
def test_ids_and_parameters_of_any_shape_harm_nobody(bad: HostileServer) -> None:
    folder = bad.folder / "odd"
    folder.mkdir()
    with gateway(folder, HostileServer("odd", folder)) as booth:
        assert booth.call("odd.odd_messages").text == "ok"
        assert booth.call("odd.ok").text == "ok"


@pytest.mark.promise("gateway:big-numbers")
def test_a_number_of_any_length_reaches_the_server_with_every_digit(bad: HostileServer) -> None:
    folder = bad.folder / "numbers"
    folder.mkdir()
    with gateway(folder, HostileServer("numbers", folder)) as booth:
        assert booth.call("numbers.ok").text == "ok"
        assert booth.call("numbers.shape", field1="a", n=10**30).text == f'{{"field1": "a", "n": {10**30}}}'
        assert booth.call("numbers.ok").text == "ok"


@pytest.mark.promise("gateway:noise")
@pytest.mark.parametrize("tool", ["noise", "stderr_flood"])
def test_noise_beside_the_answers_is_no_answer(booth: DrivenGateway, tool: str) -> None:
    assert booth.call(f"bad.{tool}").text == "ok"


@pytest.mark.promise("gateway:noise")
def test_noise_without_end_is_said_and_the_server_is_started_anew(
    booth: DrivenGateway, bad: HostileServer
) -> None:
    assert booth.call("bad.ok").text == "ok"
    starts = len(bad.pids)
    said = booth.call("bad.endless_noise")
    assert said.error
    assert "a stdio server must log to stderr" in said.text
    assert booth.call("bad.ok").text == "ok"
    assert len(bad.pids) == starts + 1


@pytest.mark.promise("gateway:frame-cap")
def test_a_hundred_megabytes_are_refused_while_siblings_answer(booth: DrivenGateway) -> None:
    flood = booth.begin_call("bad.flood")
    behind_the_flood = booth.begin_call("bad.ok")
    siblings = [booth.begin_call("good.ok") for _ in range(SIBLINGS)]
    assert "sent one message over 16 MiB. Ask for less" in booth.said(flood).text
    assert booth.said(behind_the_flood).text == "ok"
    for sibling in siblings:
        assert booth.said(sibling).text == "ok"
        assert booth.answered_before(sibling, behind_the_flood)


@pytest.mark.promise("gateway:frame-cap")
def test_a_line_that_never_ends_is_refused_and_the_server_is_started_anew(
    booth: DrivenGateway, bad: HostileServer
) -> None:
    assert booth.call("bad.ok").text == "ok"
    starts = len(bad.pids)
    endless = booth.begin_call("bad.never_ending_line")
    stuck_behind_it = booth.begin_call("bad.ok")
    assert "16 MiB" in booth.said(endless).text
    assert booth.call("good.ok").text == "ok"
    assert "16 MiB" in booth.said(stuck_behind_it).text
    assert booth.call("bad.ok").text == "ok"
    assert len(bad.pids) == starts + 1


@pytest.mark.promise("gateway:clean-texts")
def test_a_refusal_is_passed_on_without_escape_codes(booth: DrivenGateway) -> None:
    said = booth.call("bad.refuse")
    assert said.error
    assert "no way red" in said.text
    assert "\x1b" not in said.text
    assert "\u202e" not in said.text
