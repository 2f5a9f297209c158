"""The spare session: made ready after a run, and taken by the next."""

import pytest

from toolbooth.sandbox.workers import WARM_UP, Workers

pytestmark = pytest.mark.anyio


async def test_the_spare_is_made_ready_and_taken_by_the_next_run() -> None:
    workers = Workers()
    try:
        async with workers.checkout() as first:
            assert not first.modules
        spare = workers._spare
        assert spare is not None
        ready = await spare
        assert set(ready.modules) == {WARM_UP}
        async with workers.checkout() as second:
            assert second is ready
            assert await second.session.feed_run("1 + 1") == 2
    finally:
        await workers.close()


async def test_after_an_end_workers_start_again() -> None:
    workers = Workers()
    for _ in range(2):
        async with workers.checkout() as checkout:
            assert await checkout.session.feed_run("2 * 3") == 6
        await workers.close()
