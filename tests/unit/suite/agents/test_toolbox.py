"""Groups of tasks end with a group of errors; who opened a toolbox hears of the one that tells most."""

import pytest

from toolbooth.errors import BackendCrashed
from toolbooth.suite.agents.toolbox import single_error

pytestmark = pytest.mark.anyio


async def test_an_error_of_ours_comes_out_of_any_depth() -> None:
    ours = BackendCrashed("ended")
    with pytest.raises(BackendCrashed) as caught:
        async with single_error():
            raise ExceptionGroup("", [ValueError(), ExceptionGroup("", [ours])])
    assert caught.value is ours


async def test_the_only_error_comes_alone_and_several_stay_together() -> None:
    with pytest.raises(KeyError):
        async with single_error():
            raise ExceptionGroup("", [ExceptionGroup("", [KeyError()])])
    with pytest.raises(ExceptionGroup):
        async with single_error():
            raise ExceptionGroup("", [KeyError(), ValueError()])
