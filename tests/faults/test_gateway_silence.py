"""A server that does not answer holds up nobody: not its caller for long, not its siblings, not who comes after."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.gateway_driver import DrivenGateway, HostileServer, gateway, until
from toolbooth.limits import BREAKER_TIMEOUTS, MAX_QUEUED_CALLS

IMPATIENT = {"call_timeout": 1}  # for servers that never answer in time: nothing races against it
ANSWERS_TOO = {"call_timeout": 10}  # for those that have to answer some calls, also on a busy machine


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("silence")


@pytest.fixture(scope="module")
def booth(folder: Path) -> Iterator[DrivenGateway]:
    with gateway(
        folder,
        HostileServer("mute", folder, settings=IMPATIENT),
        HostileServer("sibling", folder, settings=ANSWERS_TOO),
        HostileServer("forgiven", folder, settings=ANSWERS_TOO),
        HostileServer("crowd", folder, settings={**IMPATIENT, "concurrency": 2}),
        HostileServer("drip", folder, settings=IMPATIENT),
        HostileServer("narrow", folder, settings={"concurrency": 2}),
        HostileServer("full", folder, settings={"concurrency": 1}),
        HostileServer("impatient", folder, settings={"concurrency": 1, "call_timeout": 1}),
        HostileServer("patient", folder),
        HostileServer("good", folder),
    ) as made:
        yield made


@pytest.fixture(scope="module", autouse=True)
def forsaken(folder: Path) -> Iterator[DrivenGateway]:
    """Its client is gone from the start: it gives open calls some seconds, in which the other tests run."""
    left = HostileServer("left", folder)
    with gateway(folder, left) as made:
        made.begin_call("left.hang")
        until(lambda: left.seen("call", "hang"))
        assert made.process.stdin is not None
        made.process.stdin.close()
        yield made


@pytest.mark.promise("gateway:hang")
def test_a_call_that_hangs_ends_at_its_deadline_and_the_server_is_told(
    booth: DrivenGateway, folder: Path
) -> None:
    assert booth.call("good.ok").text == "ok"
    hanging = booth.begin_call("sibling.hang")
    siblings = [booth.begin_call("good.ok") for _ in range(20)]
    said = booth.said(hanging)
    assert said.error
    assert "sibling: did not answer tools/call within 10 s" in said.text
    assert "check before you repeat it" in said.text
    assert all(booth.said(each).text == "ok" and booth.answered_before(each, hanging) for each in siblings)
    until(lambda: HostileServer("sibling", folder).seen("cancelled", "hang"))


@pytest.mark.promise("gateway:breaker")
def test_three_silences_in_a_row_open_the_breaker_and_the_server_is_not_asked(
    booth: DrivenGateway, folder: Path
) -> None:
    mute = HostileServer("mute", folder)
    while len(mute.seen("call", "hang")) < BREAKER_TIMEOUTS:
        assert "did not answer" in booth.call("mute.hang").text
    said = booth.call("mute.ok")
    assert said.error
    assert f"did not answer {BREAKER_TIMEOUTS} times in a row; it is not called for another" in said.text
    assert mute.seen("call", "ok") == []
    assert "mute: resting" in booth.builtin("manage_servers").text
    assert booth.call("good.ok").text == "ok"


@pytest.mark.promise("gateway:breaker")
def test_an_answer_between_them_forgives_the_silences(booth: DrivenGateway) -> None:
    for _ in range(2):
        silent = [booth.begin_call("forgiven.hang") for _ in range(BREAKER_TIMEOUTS - 1)]
        assert all("did not answer" in booth.said(each).text for each in silent)
        assert booth.call("forgiven.ok").text == "ok"


@pytest.mark.promise("gateway:breaker")
def test_calls_that_wait_behind_silent_ones_are_refused_when_the_breaker_opens(
    booth: DrivenGateway, folder: Path
) -> None:
    crowd = HostileServer("crowd", folder)
    calls = [booth.begin_call("crowd.hang") for _ in range(20)]
    texts = [booth.said(each).text for each in calls]
    assert any("did not answer" in text for text in texts)
    assert any("it is not called for" in text or "had no free slot" in text for text in texts)
    assert len(crowd.seen("call", "hang")) <= 2 * BREAKER_TIMEOUTS


@pytest.mark.promise("gateway:hang")
def test_an_answer_that_drips_is_given_up(booth: DrivenGateway, folder: Path) -> None:
    dripping = booth.begin_call("drip.drip")
    assert booth.call("good.ok").text == "ok"
    assert "did not answer tools/call within 1 s" in booth.said(dripping).text
    until(lambda: HostileServer("drip", folder).seen("cancelled", "drip"))


@pytest.mark.promise("gateway:concurrency")
def test_a_server_never_has_more_calls_at_once_than_its_limit(booth: DrivenGateway, folder: Path) -> None:
    narrow, release = HostileServer("narrow", folder), folder / "narrow-go"
    calls = [booth.begin_call("narrow.slow", release=str(release)) for _ in range(6)]
    until(lambda: len(narrow.seen("overlap")) == 2)
    assert booth.call("good.ok").text == "ok"
    assert len(narrow.seen("call", "slow")) == 2
    release.touch()
    assert {booth.said(each).text for each in calls} == {"ok"}
    assert max(int(line.split()[1]) for line in narrow.seen("overlap")) == 2
    assert len(narrow.seen("call", "slow")) == 6


@pytest.mark.promise("gateway:queue")
def test_a_queue_that_is_full_refuses_at_once_and_a_cancelled_call_makes_room(
    booth: DrivenGateway, folder: Path
) -> None:
    release = folder / "full-go"
    first = booth.begin_call("full.slow", release=str(release))
    until(lambda: HostileServer("full", folder).seen("call", "slow"))
    waiting = [booth.begin_call("full.ok") for _ in range(MAX_QUEUED_CALLS)]
    said = booth.call("full.ok")
    assert said.error
    assert f"already has {MAX_QUEUED_CALLS} calls waiting" in said.text
    assert "Make fewer calls at once" in said.text
    booth.cancel(waiting.pop())
    last = booth.begin_call("full.ok")
    assert booth.call("good.ok").text == "ok"
    release.touch()
    assert {booth.said(each).text for each in (first, *waiting, last)} == {"ok"}


@pytest.mark.promise("gateway:queue")
def test_nobody_waits_for_a_place_longer_than_a_call_may_take(booth: DrivenGateway, folder: Path) -> None:
    impatient = HostileServer("impatient", folder)
    first = booth.begin_call("impatient.hang")
    until(lambda: impatient.seen("call", "hang"))
    calls = [booth.begin_call("impatient.hang") for _ in range(3)]
    assert "did not answer" in booth.said(first).text
    texts = [booth.said(each).text for each in calls]
    assert any("had no free slot for this call within 1 s" in text for text in texts)


@pytest.mark.promise("gateway:cancel-reaches")
def test_a_call_that_its_client_cancels_is_cancelled_at_the_server(
    booth: DrivenGateway, folder: Path
) -> None:
    patient = HostileServer("patient", folder)
    assert booth.call("patient.ok").text == "ok"
    hanging = booth.begin_call("patient.hang")
    until(lambda: patient.seen("call", "hang"))
    booth.cancel(hanging)
    until(lambda: patient.seen("cancelled", "hang"))
    assert booth.call("patient.ok").text == "ok"
    assert booth.unanswered(hanging)


@pytest.mark.promise("gateway:cancel-reaches")
def test_a_cancelled_call_gives_its_place_back(booth: DrivenGateway, folder: Path) -> None:
    for _ in range(3):  # twice as many as there are places
        hanging = [booth.begin_call("narrow.hang") for _ in range(2)]
        for each in hanging:
            booth.cancel(each)
    assert booth.call("narrow.ok").text == "ok"


@pytest.mark.promise("gateway:cancel-reaches")
def test_calls_of_a_client_that_went_away_are_cancelled_at_the_server(
    forsaken: DrivenGateway, folder: Path
) -> None:
    until(lambda: HostileServer("left", folder).seen("cancelled", "hang"))
    assert forsaken.process.wait(240) == 0
