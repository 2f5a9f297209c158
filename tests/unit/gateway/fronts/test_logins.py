"""Wrong keys: what is said of them, and how long their answers wait."""

from toolbooth.gateway.fronts.logins import Logins, network_of
from toolbooth.limits import LOGIN_FREE, MAX_LOGIN_ADDRESSES, MAX_LOGIN_DELAY


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_the_first_few_are_answered_at_once_and_then_ever_later_up_to_a_bound() -> None:
    logins = Logins(lambda _line: None, Clock())
    delays = [logins.failed("192.0.2.1") for _ in range(100)]
    assert delays[:LOGIN_FREE] == [0.0] * LOGIN_FREE
    assert delays == sorted(delays)
    assert delays[LOGIN_FREE] > 0
    assert delays[-1] == MAX_LOGIN_DELAY


def test_another_address_is_not_slowed_and_one_of_ipv6_is_its_network() -> None:
    logins = Logins(lambda _line: None, Clock())
    for number in range(20):
        logins.failed(f"2001:db8::{number}")
    assert logins.failed("192.0.2.1") == 0.0
    assert logins.failed("2001:db8::ffff") > 0
    assert logins.failed("2001:db8:0:1::1") == 0.0


def test_an_address_that_was_quiet_begins_anew() -> None:
    clock = Clock()
    logins = Logins(lambda _line: None, clock)
    for _ in range(20):
        logins.failed("192.0.2.1")
    clock.now += 61
    assert logins.failed("192.0.2.1") == 0.0


def test_a_flood_of_wrong_keys_is_a_few_lines_and_a_bounded_table() -> None:
    clock, lines = Clock(), list[str]()
    logins = Logins(lines.append, clock)
    for number in range(5_000):
        clock.now += 0.0100001
        logins.failed(f"10.0.{number // 250}.{number % 250}")
    assert len(lines) == 5  # 50 seconds
    assert lines[0] == "a request with a wrong key was refused, from 10.0.0.0"
    assert lines[1].endswith("(1000 since the last such line)")
    assert len(logins._failures) == MAX_LOGIN_ADDRESSES


def test_addresses_of_ipv4_in_ipv6_are_not_one_network() -> None:
    assert network_of("::ffff:192.0.2.1") != network_of("::ffff:192.0.2.2")
    assert network_of("2001:db8::1") == network_of("2001:db8::2") != network_of("2001:db8:0:1::1")
