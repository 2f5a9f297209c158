"""Run the tests of faults, daemon and timing many times, and stop at the first failure: `make soak TIMES=20`.

These tests mostly wait for processes, so there are more workers than processors.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WORKERS = 3 * (os.cpu_count() or 1)
TESTS = (
    "tests/faults",
    "tests/unit/gateway/daemon",
    "tests/unit/gateway/upstreams",
    "tests/unit/catalog/connect",
    "tests/behaviour/test_daemon.py",
    "tests/behaviour/test_serve.py",
    "tests/behaviour/test_gateway_http.py",
    "tests/behaviour/test_gateway_protocol_versions.py",
    "tests/behaviour/test_provider_faults.py",
)


def main(times: int) -> int:
    for number in range(1, times + 1):
        began = time.monotonic()
        words = ("-n", str(WORKERS), "--dist", "loadfile", "-x", "-p", "no:cacheprovider")
        code = subprocess.run(
            [sys.executable, "-m", "pytest", *words, *TESTS], cwd=ROOT, check=False
        ).returncode
        print(
            f"round {number} of {times}: {'failed' if code else 'passed'} in {time.monotonic() - began:.0f} s",
            flush=True,
        )
        if code:
            print(f"{number - 1} rounds passed before this one")
            return code
    print(f"all {times} rounds passed")
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
