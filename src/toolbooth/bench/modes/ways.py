"""The modes that are measured, each with the surface of the gateway that it is."""

from typing import Final, NamedTuple


class Way(NamedTuple):
    """One way to offer the tools. `surface` is empty where the servers are asked themselves."""

    mode: str
    surface: str
    searches: bool


BASELINE: Final = Way("baseline", "", searches=False)
DIRECT_SLIM: Final = Way("direct_slim", "direct", searches=False)
HEADLINE: Final = Way("retrieve_tools", "search", searches=True)
WAYS: Final = (
    BASELINE,
    DIRECT_SLIM,
    HEADLINE,
    Way("code_execution", "code", searches=True),
    Way("full", "full", searches=True),
)
