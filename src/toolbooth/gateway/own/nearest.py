"""A name that does not exist × those that do → the nearest, the best first."""

from collections.abc import Sequence

from toolbooth.gateway.names import NEAREST
from toolbooth.limits import MAX_FUZZY_NAME


def nearest_of(name: str, names: Sequence[str]) -> list[str]:
    """By spelling; there is always one where there is any name."""
    from rapidfuzz import process, utils
    from rapidfuzz.fuzz import WRatio

    found = process.extract(
        name[:MAX_FUZZY_NAME], names, scorer=WRatio, processor=utils.default_process, limit=NEAREST
    )
    return [each for each, _score, _at in found]
