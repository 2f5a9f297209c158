"""Safe stdout and stderr: closed, full, unread or in another encoding, a command ends with an exit code.

It never ends with a traceback.
"""

import codecs
import errno
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from io import TextIOWrapper
from typing import TextIO

from toolbooth import safetext

_PLAINER = str.maketrans("−–—≈…·“”‘’→≤✗█▉▊▋▌▍▎▏", "---~~.\"\"''><x########")  # one for one: columns stay
_CANNOT_WRITE = {errno.ENOSPC, errno.EIO, errno.EBADF, errno.EFBIG, errno.EDQUOT}


def guarded(work: Callable[[], int]) -> int:
    """Do the work and flush its output; a closed pipe (`| head`) is exit 0, not an error."""
    _prepare_streams()
    try:
        code = _code_of(work)
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:
        _to_nowhere(sys.stdout)
        _to_nowhere(sys.stderr)
        return 0
    except OSError as error:
        _to_nowhere(sys.stdout)
        _last_words(error)
        return 2
    return code


def _code_of(work: Callable[[], int]) -> int:
    try:
        return work()
    except SystemExit as ended:  # argparse leaves this way after --help
        return ended.code if isinstance(ended.code, int) else 0


def _prepare_streams() -> None:
    codecs.register_error("toolbooth", _plainer)
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed with `>&-`: discard the output
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123
        elif isinstance(stream, TextIOWrapper):
            # Whole lines at once: in a pipe that both share, words to stderr must not overtake those to stdout.
            stream.reconfigure(errors="toolbooth", line_buffering=True)


def _plainer(error: UnicodeError) -> tuple[str | bytes, int]:
    """Replace characters that the encoding lacks: our own signs by plainer ones, others by their escapes."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    plain = error.object[error.start : error.end].translate(_PLAINER)
    return plain.encode("ascii", "backslashreplace").decode("ascii"), error.end


def _to_nowhere(stream: TextIO) -> None:
    """Discard what is still in the buffer, so that it does not fail again when Python exits."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def _last_words(error: OSError) -> None:
    reason = error.strerror or str(error)
    if error.filename is not None:
        reason = f"{error.filename}: {reason}"
    elif error.errno in _CANNOT_WRITE:
        reason = f"the output cannot be written: {reason}"
    try:
        sys.stderr.write(f"toolbooth: {safetext.for_terminal(reason, 400)}\n")
        sys.stderr.flush()
    except OSError:
        _to_nowhere(sys.stderr)
