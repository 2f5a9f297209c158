"""Signatures of locks: the required key decides, every change is noticed, and no key is repeated."""

import os
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

from toolbooth.contracts import Budgets, Contracts, Lock, ServerContract, ToolContract
from toolbooth.contracts.signing import fingerprint, new_key, private_key, public_key, signed, verify
from toolbooth.contracts.toolbooth_lock import write_lock
from toolbooth.errors import ConfigError, UserMistake
from toolbooth.suggest import install_extra

HERE = Path("toolbooth.lock")
OURS, THEIRS = (Ed25519PrivateKey.from_private_bytes(bytes([number] * 32)) for number in (1, 2))
TOOL = ToolContract("mail", "send", {"name": "send"})
LOCK = Lock(Contracts({"mail": ServerContract("mail", {"send": TOOL})}))


def refusal(lock: Lock, trusted: Ed25519PrivateKey | None = OURS) -> str:
    with pytest.raises(ConfigError) as caught:
        verify(lock, HERE, trusted.public_key() if trusted else None)
    return str(caught.value)


@pytest.mark.promise("contracts:signed")
def test_a_lock_signed_by_the_required_key_is_accepted() -> None:
    verify(signed(LOCK, OURS), HERE, OURS.public_key())
    verify(signed(LOCK, OURS), HERE, None)
    verify(LOCK, HERE, None)


@pytest.mark.promise("contracts:signed")
def test_a_lock_without_a_signature_or_of_another_key_is_refused() -> None:
    assert "is not signed, and a signature is required" in refusal(LOCK)
    said = refusal(signed(LOCK, THEIRS))
    assert fingerprint(THEIRS.public_key()) in said
    assert fingerprint(OURS.public_key()) in said


@pytest.mark.promise("contracts:signed")
def test_a_lock_changed_after_signing_is_refused_with_or_without_a_key() -> None:
    changed = replace(signed(LOCK, OURS), budgets=Budgets(total=1))
    assert "invalid signature" in refusal(changed)
    assert "invalid signature" in refusal(changed, None)


def test_an_invalid_signature_is_refused() -> None:
    lock = signed(LOCK, OURS)
    assert lock.signature is not None
    for part in (
        {"value": "???"},
        {"key": "AA=="},
        {"value": f"{lock.signature.value[:-3]}x=="},
        {"value": ""},
    ):
        assert "invalid signature" in refusal(replace(lock, signature=replace(lock.signature, **part)))
    assert "algorithm" in refusal(replace(lock, signature=replace(lock.signature, algorithm="rsa")))


def test_the_same_key_signs_the_same_lock_the_same_way() -> None:
    assert signed(LOCK, OURS) == signed(signed(LOCK, THEIRS), OURS)


def test_a_new_pair_signs_and_verifies_and_only_its_owner_reads_the_private_half(tmp_path: Path) -> None:
    public = new_key(tmp_path / "key.pem")
    assert public == tmp_path / "key.pem.pub"
    assert stat.S_IMODE((tmp_path / "key.pem").stat().st_mode) == 0o600
    verify(signed(LOCK, private_key(str(tmp_path / "key.pem"))), HERE, public_key(str(public)))


@pytest.mark.parametrize("taken", ["key.pem", "key.pem.pub"])
def test_no_key_is_overwritten(taken: str, tmp_path: Path) -> None:
    (tmp_path / taken).write_text("mine")
    with pytest.raises(UserMistake, match="never overwritten"):
        new_key(tmp_path / "key.pem")
    assert [file.name for file in tmp_path.iterdir()] == [taken]


def test_a_key_that_cannot_be_written_gives_one_line(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be written"):
        new_key(tmp_path / "no" / "key.pem")


def pem(key: Ed25519PrivateKey) -> str:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()


def test_a_key_may_come_from_a_variable_on_one_line_or_many() -> None:
    environ = {"KEY": pem(OURS), "ONE_LINE": pem(OURS).replace("\n", "\\n")}
    for name in environ:
        assert private_key(f"env:{name}", environ).public_key() == OURS.public_key()
    with pytest.raises(UserMistake, match="the variable MISSING is empty"):
        private_key("env:MISSING", environ)


def test_a_key_of_the_wrong_kind_is_refused_and_not_repeated() -> None:
    other = generate_private_key(SECP256R1())
    wrong = {
        "KIND": other.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode(),
        "LOCKED": OURS.private_bytes(
            Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"word")
        ).decode(),
        "PUBLIC": OURS.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode(),
        "NOISE": "canary-noise-5ad9c1",
    }
    for name, value in wrong.items():
        with pytest.raises(UserMistake) as caught:
            private_key(f"env:{name}", wrong)
        assert value.splitlines()[-1] not in str(caught.value)
        assert len(str(caught.value).splitlines()) == 1
    with pytest.raises(UserMistake, match="is a private key; give the public key"):
        public_key("env:KIND", wrong)
    with pytest.raises(UserMistake, match="is not a public key"):
        public_key("env:NOISE", wrong)


def test_a_missing_key_file_gives_one_line(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there is no such file"):
        public_key(str(tmp_path / "none.pub"))


WITHOUT_CRYPTOGRAPHY = """
import sys
sys.modules["cryptography"] = None
from toolbooth.cli.main import main
sys.exit(main(sys.argv[1:]))
"""


def without_cryptography(folder: Path, *words: str) -> tuple[int, str]:
    """Run a command in a Python whose `import cryptography` fails."""
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_CRYPTOGRAPHY, *words],
        capture_output=True,
        text=True,
        env={**os.environ, "HOME": str(folder), "PYTHONUTF8": "1"},
        cwd=folder,
        timeout=120,
        check=False,
    )
    return done.returncode, done.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("lock", "--new-key", "key.pem"),
        ("lock", "mcp.json", "--sign", "key.pem"),
        ("lock", "mcp.json", "--check", "--verify-key", "key.pem.pub"),
        ("diff", "signed.lock", "unsigned.lock"),
    ],
)
def test_without_cryptography_a_signature_is_one_line_that_names_the_extra(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    (tmp_path / "mcp.json").write_text('{"mcpServers": {"mail": {"command": "no-such-command"}}}')
    for name, lock in (
        ("signed.lock", signed(LOCK, OURS)),
        ("unsigned.lock", LOCK),
        ("toolbooth.lock", LOCK),
    ):
        write_lock(lock, tmp_path / name)
    code, said = without_cryptography(tmp_path, *words)
    assert code == 2
    assert said == f"toolbooth: signed locks need cryptography: {install_extra('signing')}\n"
    assert not (tmp_path / "key.pem").exists()


def test_without_cryptography_unsigned_locks_are_read(tmp_path: Path) -> None:
    write_lock(LOCK, tmp_path / "toolbooth.lock")
    assert without_cryptography(tmp_path, "diff", "toolbooth.lock", "toolbooth.lock") == (0, "")
