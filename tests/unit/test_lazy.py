"""Lazy exports of a package, made by hand in a folder."""

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

PACKAGE = """\
from toolbooth.lazy import exports

__getattr__, __dir__, __all__ = exports(__name__, {"part.inner": "value", "other": "more"})
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A package whose sub-package imports its own module, as ours do."""
    (tmp_path / "sample" / "part").mkdir(parents=True)
    (tmp_path / "sample" / "__init__.py").write_text(PACKAGE)
    (tmp_path / "sample" / "other.py").write_text("more = object()\n")
    (tmp_path / "sample" / "part" / "__init__.py").write_text(
        "import sys\nsys.modules['__main__'].in_part()\nfrom sample.part.inner import value as value\n"
    )
    (tmp_path / "sample" / "part" / "inner.py").write_text("value = object()\n")
    return tmp_path


def run(folder: Path, code: str) -> str:
    words = [sys.executable, "-c", textwrap.dedent(code)]
    done = subprocess.run(words, cwd=folder, check=True, capture_output=True, text=True, timeout=60)
    return done.stdout.strip()


def test_a_name_is_loaded_once_and_its_package_lists_all_of_them(folder: Path) -> None:
    said = run(
        folder,
        """
        import sys, sample
        in_part = lambda: None
        print(dir(sample), "sample.other" in sys.modules, sample.more is sample.more, "more" in vars(sample))
        """,
    )
    assert said == "['more', 'value'] False True True"


def test_a_package_and_a_part_of_it_may_be_asked_for_at_once(folder: Path) -> None:
    """One thread is inside the sub-package; the other comes for a module of it and waits for the sub-package first."""
    said = run(
        folder,
        """
        import sys, threading
        inside, found = threading.Event(), []

        def in_part():
            inside.set()
            while not waiting():
                pass

        def waiting():
            frame = sys._current_frames().get(second.ident)
            names = set()
            while frame:
                names.add(frame.f_code.co_name)
                frame = frame.f_back
            return "acquire" in names

        def first():
            import sample.part
            found.append(sample.part.value)

        def later():
            inside.wait()
            import sample
            found.append(sample.value)

        second = threading.Thread(target=later)
        threads = [threading.Thread(target=first), second]
        for each in threads: each.start()
        for each in threads: each.join()
        print(len(found) == 2 and found[0] is found[1])
        """,
    )
    assert said == "True"
