"""`python -m toolbooth.demo NAME`: runs that demo server on stdin and stdout until stdin closes."""

import gc
import sys
from importlib import import_module

from toolbooth.demo import DEMO_SERVERS


def main(arguments: list[str]) -> int:
    """Serve the named server; returns 2 if the name is missing or unknown."""
    if len(arguments) != 1 or arguments[0] not in DEMO_SERVERS:
        sys.stderr.write(f"usage: python -m toolbooth.demo {{{'|'.join(DEMO_SERVERS)}}}\n")
        return 2
    gc.disable()  # importing the SDK builds about 600 models; without garbage collection it takes a tenth less time
    from toolbooth.demo.stdio import run

    demo = import_module(f"toolbooth.demo.{arguments[0]}").server
    gc.freeze()
    gc.enable()
    return run(demo)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
