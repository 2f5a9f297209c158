"""`toolbooth serve` with the echo daemon behind it."""

import sys
from pathlib import Path

from toolbooth.gateway.daemon.bridge import bridge

if __name__ == "__main__":
    sys.exit(bridge(sys.argv[1:], (str(Path(__file__).with_name("echo_daemon.py")), "3")))
