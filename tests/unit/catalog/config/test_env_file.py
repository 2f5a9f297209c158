"""`.env` files in the forms that people write."""

from pathlib import Path

import pytest

from toolbooth.catalog.config.env_file import EnvFileUnreadable, read_env_file


def test_the_usual_forms_are_read(tmp_path: Path) -> None:
    path = tmp_path / ".env"
    path.write_text(
        '# comment\n\nA=1\nexport B = two words # said\nC="x \\"y\\"\\nz"\nD=\'a # b\'\nE=\nF=a#b\nnot a line\n'
    )
    assert read_env_file(path) == {
        "A": "1", "B": "two words", "C": 'x "y"\nz', "D": "a # b", "E": "", "F": "a#b",
    }  # fmt: skip


@pytest.mark.parametrize("content", [None, b"A=\xff"])
def test_an_unreadable_file_is_said_without_its_content(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / ".env"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(EnvFileUnreadable, match="envFile cannot be read"):
        read_env_file(path)
