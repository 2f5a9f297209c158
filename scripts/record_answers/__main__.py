"""`python -m scripts.record_answers`: asks real servers about the made-up shop, and keeps their answers."""

import gzip
import json
import sys
import tempfile
from pathlib import Path

from .calls import CALLS
from .recording import recorder
from .server_packages import CACHE, ROOT, install
from .servers import servers
from .shop.files import write_project
from .shop.repository import write_repository
from .web import serving

SHELF = ROOT / "tests" / "data" / "answers"


def main() -> None:
    """All answers, or those whose names begin with a word of the command line."""
    if not (CACHE / "npm-servers" / ".installed").exists():
        sys.exit("the public servers are not installed: run scripts/fetch_test_parts.py first")
    install()
    wanted = tuple(sys.argv[1:]) or ("",)
    SHELF.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="answers-") as folder, serving() as site:
        base = Path(folder).resolve()
        write_project(base / "shop")
        write_repository(base / "repository", 170)
        with recorder(base, site, servers(base / "shop")) as record:
            for call in CALLS:
                if call.name.startswith(wanted):
                    _keep(call.name, json.dumps(record.record(call), ensure_ascii=False))


def _keep(name: str, text: str) -> None:
    data = gzip.compress(text.encode(), 9, mtime=0)
    (SHELF / f"{name}.json.gz").write_bytes(data)
    print(f"  {name:14} {len(text.encode()):9,} bytes, {len(data):8,} stored", flush=True)


main()
