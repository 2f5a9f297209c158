"""Python text is parsed beside other threads as it is alone."""

import ast
import gc
import threading
import warnings

from toolbooth.sandbox import parse_expression, parse_module

LONG = "x = [" + ",".join(["f(1, [2, {'a': 3}])"] * 500) + "]"
DEEP = "a(" * 40 + "1" + ")" * 40


def test_threads_that_parse_at_once_all_get_their_trees() -> None:
    """A garbage collection in the middle lets another thread run: Python 3.11.7 then mixed their depths up."""
    wrong: list[BaseException] = []

    def parse(text: str, times: int) -> None:
        try:
            for _ in range(times):
                assert ast.dump(parse_module(text).body[0])
        except BaseException as error:
            wrong.append(error)

    def collected(_phase: str, _about: dict[str, int]) -> None:
        sum(range(50))

    threads = [threading.Thread(target=parse, args=given) for given in [(LONG, 20), (DEEP, 500)] * 2]
    gc.callbacks.append(collected)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        gc.callbacks.remove(collected)
    assert wrong == []


def test_a_wrong_escape_prints_no_warning_and_leaves_the_filters_as_they_were() -> None:
    before = list(warnings.filters)
    assert isinstance(parse_expression(r"'\d'"), ast.Constant)
    assert warnings.filters == before
