"""HTML pages of finished reports; nothing is measured here."""

from toolbooth.lazy import exports

TYPE_CHECKING = False  # as in `typing`, which takes too long to import

if TYPE_CHECKING:
    from toolbooth.web.bench_pages import (
        bench_page as bench_page,
        measured_tools as measured_tools,
        partial_reasons as partial_reasons,
    )
else:
    __getattr__, __dir__, __all__ = exports(
        __name__,
        {
            "bench_pages": "bench_page measured_tools partial_reasons",
        },
    )
