"""Whatever a config writes as a command, looking for its package ends, and takes whole words of it only."""

from hypothesis import given, strategies as st

from toolbooth.bench.package_pin import pin_of
from toolbooth.catalog import ServerSpec

WORDS = st.one_of(
    st.text(max_size=20), st.sampled_from(["-y", "--from", "-p", "--package=a@1.2.3", "a@1.2.3", "./a"])
)


@given(
    st.sampled_from(["npx", "uvx", "docker", "uv", "cmd"]), st.lists(WORDS, max_size=8), st.text(max_size=10)
)
def test_any_command_is_answered(runner: str, words: list[str], reported: str) -> None:
    found = pin_of(ServerSpec("x", "stdio", runner, tuple(words)), reported)
    assert not (found.package and found.how)
    assert not found.package or found.package in {*words, "a@1.2.3"}
