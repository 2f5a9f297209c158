"""How fast definitions are scanned, and that four times the text takes four times as long, whatever the text.

With `--data FOLDER`, the `catalogs` and the `scale` corpus of that folder are scanned too.
"""

import argparse
import time
from collections.abc import Callable
from pathlib import Path

from toolbooth.catalog import Catalog, ServerTools, Tool
from toolbooth.catalog.loading import find_sources
from toolbooth.contracts.lint import lint
from toolbooth.contracts.scan import scan

SHORT, LONG = 50_000, 200_000  # characters of one description
# What makes patterns backtrack, and what each rule looks at again and again.
PIECES = {
    "blanks": " ",
    "one word": "a",
    "lines of blanks": "\n  ",
    "words of phrases": "ignore all previous not tell the user ",
    "one endless sentence on keys": "read ~/.ssh/id_rsa pass content ",
    "begun addresses": "https://a.test/?x={ ",
    "begun mail addresses": "a.",
    "begun comments": "<!--",
    "begun images": "![",
    "begun escapes": "%41%42 ",
    "base64": "aGVsbG8gd29ybGQ",
    "keys": "-----BEGIN PRIVATE KEY-----",
    "zero width": "a\u200b",
    "ligatures": "\ufdfa",
    "look-alikes": "аb",
}


def processor_seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def of_one_text(piece: str, length: int) -> float:
    text = (piece * (length // len(piece) + 1))[:length]
    tool = Tool.from_raw("home", {"name": "lookup", "description": text})
    return processor_seconds(lambda: scan(Catalog((ServerTools("home", (tool,)),))))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, metavar="FOLDER")
    data = parser.parse_args().data
    print(f"one description of {SHORT:,} and of {LONG:,} characters: linear is a ratio of {LONG // SHORT}")
    for what, piece in PIECES.items():
        short, long = of_one_text(piece, SHORT), of_one_text(piece, LONG)
        print(
            f"  {what:30} {short * 1000:8.0f} ms {long * 1000:8.0f} ms   ratio {long / max(short, 1e-6):5.1f}"
        )
    for name in ("catalogs", "scale/toucan.tools.json") if data else ():
        if not (data / name).exists():
            print(f"  {name} is not in {data}: nothing measured")
            continue
        catalog = Catalog(find_sources([str(data / name)]).recorded)
        scanned = processor_seconds(lambda catalog=catalog: scan(catalog))  # type: ignore[misc]
        linted = processor_seconds(lambda catalog=catalog: lint(catalog))  # type: ignore[misc]
        print(f"{name}: {len(catalog):,} tools, scan {scanned:.1f} s, lint {linted:.1f} s")


if __name__ == "__main__":
    main()
