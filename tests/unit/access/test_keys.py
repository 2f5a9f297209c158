"""Keys: each is one principal for ever, and nothing that is shown of it helps to find the key."""

import pytest

from toolbooth.access import AccessKey, AccessKeys, Principal
from toolbooth.errors import UserMistake

ONE, TWO = "correct horse battery", "staple-staple-staple"


def owner(keys: AccessKeys, sent: str) -> Principal:
    found = keys.owner(sent.encode())
    assert found is not None
    return found


def test_each_key_has_a_principal_that_is_named_after_its_variable() -> None:
    keys = AccessKeys([AccessKey(ONE, "ALICE"), AccessKey(TWO, "BOB")])
    assert [owner(keys, sent).label for sent in (ONE, TWO)] == ["ALICE", "BOB"]
    assert owner(keys, ONE).id != owner(keys, TWO).id


def test_a_principal_stays_the_same_whatever_its_variable_is_called() -> None:
    assert (
        owner(AccessKeys([AccessKey(ONE, "ALICE")]), ONE).id
        == owner(AccessKeys([AccessKey(f" {ONE}\n")]), ONE).id
    )


def test_an_id_is_a_slow_digest_of_the_key_and_the_same_for_ever() -> None:
    """Ledgers hold it: a change would make other people of all who have a key."""
    found = owner(AccessKeys([AccessKey(ONE)]), ONE).id
    assert found == "key-bbc132defede"


@pytest.mark.parametrize("sent", ["", " ", "correct", f"{ONE}x", ONE.upper(), f"{ONE} {TWO}"])
def test_any_other_text_is_nobodys_key(sent: str) -> None:
    assert AccessKeys([AccessKey(ONE), AccessKey(TWO)]).owner(sent.encode()) is None


def test_a_key_is_compared_with_every_other_also_after_a_match(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time of an answer must not show which of the keys it was, or how much of one was right."""
    keys, compared = AccessKeys([AccessKey(ONE), AccessKey(TWO)]), list[tuple[int, int]]()

    def compare(sent: bytes, known: bytes) -> bool:
        compared.append((len(sent), len(known)))
        return sent == known

    monkeypatch.setattr("secrets.compare_digest", compare)
    for sent in (ONE, TWO, "x"):
        keys.owner(sent.encode())
    assert compared == [(32, 32)] * 6


@pytest.mark.parametrize("blank", ["", " ", "\n\t"])
def test_a_blank_key_is_refused(blank: str) -> None:
    with pytest.raises(UserMistake, match="the key is blank"):
        AccessKeys([AccessKey(ONE), AccessKey(blank)])


def test_the_same_key_under_two_names_is_refused() -> None:
    with pytest.raises(
        UserMistake, match="ALICE and BOB hold the same key; give each client a key of its own"
    ):
        AccessKeys([AccessKey(ONE, "ALICE"), AccessKey(f"{ONE}\n", "BOB")])
