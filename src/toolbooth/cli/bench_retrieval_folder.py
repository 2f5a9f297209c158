"""A folder of golden sets → each measured in turn, told as one table or one JSON."""

from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from toolbooth.bench.retrieval import (
    Found,
    LeftOut,
    MeasuredSet,
    find_sets,
    means_over,
    measure_retrieval,
)
from toolbooth.cli.bench_output import new_report, write_report
from toolbooth.cli.bench_progress import telling
from toolbooth.cli.terminal import complain, print_json
from toolbooth.errors import ConfigError, UserMistake


def measure_folder(folder: Path, options: Namespace) -> int:
    """A set that cannot be measured is a line, and the others go on (exit 3); without any the folder is wrong."""
    found = find_sets(folder)
    left_out = list(found.left_out)
    measured = list(_measured(found, left_out, options))
    for each in left_out:
        complain(each.file, each.why)
    if not measured:
        raise ConfigError("none of its sets can be measured", folder)
    if options.json:
        print_json(_as_json(measured, left_out))
    else:
        from toolbooth.cli.bench_retrieval_sets import print_sets

        print_sets(measured)
    return 3 if left_out else 0


def _measured(found: Found, left_out: list[LeftOut], options: Namespace) -> Iterator[MeasuredSet]:
    with telling(f"{len(found.sets):,} sets") as told:
        for at, each in enumerate(found.sets, 1):
            told(f"set {at:,} of {len(found.sets):,} · {each.name}")
            try:
                pair = each.load(allow_unknown=options.allow_unknown)
                section = measure_retrieval(pair, options.engine, against=options.against, seed=options.seed)
            except UserMistake as error:
                left_out.append(LeftOut(str(each.golden), str(error).removeprefix(f"{each.golden}: ")))
                continue
            if options.out:
                write_report(new_report(pair, retrieval=section), Path(options.out, *each.name.split()))
            yield MeasuredSet(each.name, section)


def _as_json(measured: Sequence[MeasuredSet], left_out: Sequence[LeftOut]) -> dict[str, Any]:
    import msgspec

    return {
        "sets": [{"name": each.name, **msgspec.to_builtins(each.section)} for each in measured],
        "means": msgspec.to_builtins(means_over(measured)),
        "left_out": [each._asdict() for each in left_out],
    }
