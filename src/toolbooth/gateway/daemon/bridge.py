"""The bridge between a client's stdin and stdout and the shared daemon, which it starts if there is none.

A client waits for this process, so a warm start imports three small modules and nothing of the daemon's own.
When the daemon is replaced, the bridge hands the client to the new one.
"""

import _socket
import os
import stat

from toolbooth.gateway.daemon.endpoint import (
    END,
    OK,
    PROTOCOL,
    DaemonPaths,
    connect,
    find_paths,
    framed,
    peer_uid,
    quoted,
    receive,
    send_with_descriptors,
)

__all__ = ["bridge"]


IN_THIS_PROCESS = {"-h", "--help", "--http", "--no-daemon"}  # options that need no daemon
# Every request in one chunk of a client's stdin has a slot; unused slots take no memory.
JOURNAL_BYTES = 1280 * 1024
STDIN, STDOUT, STDERR = 0, 1, 2


def bridge(words: list[str], command: tuple[str, ...] | None = None) -> int | None:
    """The exit code of `toolbooth serve WORDS`; None if this process has to do the work itself.

    `command` starts another daemon than Toolbooth's own.
    """
    if os.name != "posix" or IN_THIS_PROCESS & {*words}:
        return None
    _fill_closed_descriptors()
    if os.isatty(STDIN):
        _say(
            "a client starts this command and speaks MCP with it; `toolbooth wrap` adds it to one. Ctrl-D ends it"
        )
    try:
        return _Bridge(words, command).run()
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        _say(f"the daemon cannot be reached: {error.strerror or error}; `--no-daemon` works without it")
        return 3
    except Exception as error:
        if not hasattr(error, "exit_code"):  # ToolboothError is not named: its module imports pathlib
            raise
        _say(str(error))
        return int(error.exit_code)
    finally:
        _leave_as_found()


class _Bridge:
    def __init__(self, words: list[str], command: tuple[str, ...] | None) -> None:
        self.words, self.command = words, command
        self.paths = find_paths()
        self.copies = not _can_hand_over()
        self.journal = -1 if self.copies else _new_journal(self.paths)
        self.accepted = False
        self.deaths = self.answers = 0

    def run(self) -> int:
        """Run one session after another, each with the same descriptors, until the client is done."""
        while True:
            sock = self._connected()
            try:
                code = self._session(sock)
            finally:
                sock.close()
            if code is not None:
                return code

    def _connected(self) -> _socket.socket:
        try:
            sock = connect(self.paths.socket)
        except (FileNotFoundError, ConnectionRefusedError):
            from toolbooth.gateway.daemon.client import COMMAND, start

            sock = start(self.paths, self.command or COMMAND)
        if peer_uid(sock) != os.geteuid():
            raise _fault(f"a process of another user listens at {self.paths.socket}; remove that file")
        return sock

    def _session(self, sock: _socket.socket) -> int | None:
        """The exit code, or None if another daemon has to take over."""
        descriptors = [] if self.copies else [STDIN, STDOUT, self.journal]
        sock.settimeout(30)  # limits.DAEMON_ANSWER; its module would cost 2 ms
        try:
            send_with_descriptors(sock, self._hello(), descriptors)
            answer = receive(sock)
        except ConnectionError:
            answer = None
        except TimeoutError:
            raise _fault(
                f"the daemon does not answer; end it with `kill -9 $(cat {self.paths.lock})`"
            ) from None
        if answer != OK:
            return self._heed(answer)
        self.accepted = True
        sock.settimeout(None)
        return _copy(sock) if self.copies else self._heed(receive(sock))

    def _hello(self) -> bytes:
        environ = ", ".join(f"{quoted(name)}: {quoted(value)}" for name, value in os.environ.items())
        words = ", ".join(map(quoted, self.words))
        return framed(
            f'{{"do": "serve", "protocol": {PROTOCOL}, "words": [{words}], "cwd": {quoted(_folder())}, '
            f'"resumed": {"true" if self.accepted else "false"}, "environ": {{{environ}}}}}'.encode("ascii")
        )

    def _heed(self, answer: bytes | None) -> int | None:
        if answer == END:
            return 0
        if answer is None:
            return self._after_death()
        import json

        said = json.loads(answer)
        if "restart" in said:
            return _wait_for_client() if said["restart"] == "later" else None
        if "error" in said:
            _say(said["error"])
            return int(said["exit"])
        raise _fault("another version of the daemon is running; stop it with `toolbooth daemon stop`")

    def _after_death(self) -> int | None:
        """None to try another daemon. A daemon that answered anything counts as working, however it ended.

        A client that waits for nothing does not start a failing daemon again and again.
        """
        import time

        from toolbooth import limits

        answers, still_open = _noted(self.journal)
        self.deaths = 1 if answers != self.answers else self.deaths + 1
        self.answers = answers
        if self.deaths > limits.DAEMON_RESTARTS:
            raise _fault(
                f"the daemon ended {self.deaths} times without an answer;"
                f" its log is {self.paths.log}, and `--no-daemon` works without it"
            )
        if self.accepted and self.deaths == 1:
            _say("the daemon ended; another one takes over")
        if self.deaths > 1:
            time.sleep(min(limits.DAEMON_BACKOFF_MOST, limits.DAEMON_BACKOFF * 2**self.deaths))
            return None if still_open or not self.accepted else _wait_for_client()
        return None


def _can_hand_over() -> bool:
    """Only two pipes, or two sockets: an event loop cannot wait for a file, and a terminal belongs to its shell,
    too.

    A single socket for both would be read where it should only be written, see `daemon/session.py`.
    """
    if not hasattr(_socket.socket, "sendmsg") or os.environ.get("TOOLBOOTH_NO_FDS"):
        return False
    ways = os.fstat(STDIN), os.fstat(STDOUT)
    piped = all(stat.S_ISFIFO(each.st_mode) or stat.S_ISSOCK(each.st_mode) for each in ways)
    return piped and ways[0].st_ino != ways[1].st_ino


def _fault(message: str) -> Exception:
    from toolbooth import errors

    return errors.DaemonFault(message)


def _folder() -> str:
    try:
        return os.getcwd()  # noqa: PTH109
    except FileNotFoundError:
        raise _fault("the current folder no longer exists; start this in another one") from None


def _new_journal(paths: DaemonPaths) -> int:
    """Shared memory in which a daemon notes what it has begun, for the next one."""
    if hasattr(os, "memfd_create"):
        journal = os.memfd_create("toolbooth-journal")
    else:
        path = f"{paths.folder}/journal-{os.getpid()}"
        journal = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        os.unlink(path)  # noqa: PTH108
    os.ftruncate(journal, JOURNAL_BYTES)
    return journal


def _noted(journal: int) -> tuple[int, int]:
    """How many requests were answered, and how many are open; see `daemon/journal.py`."""
    counts = os.pread(journal, 8, 16) if journal >= 0 else bytes(8)
    return int.from_bytes(counts[:4], "little"), int.from_bytes(counts[4:], "little")


def _wait_for_client() -> int | None:
    """A stopped daemon is started again with the client's next message, and not before."""
    import select

    waiting = select.poll()
    waiting.register(STDIN, select.POLLIN)
    ((_, events),) = waiting.poll()
    return None if events & select.POLLIN else 0


def _copy(sock: _socket.socket) -> int:
    """Where descriptors cannot be handed over, the bytes are copied; then a daemon that dies ends the bridge."""
    import _thread

    ended: list[bool] = []

    def upwards() -> None:
        try:
            while part := os.read(STDIN, 65_536):
                sock.sendall(part)
            ended.append(True)
            sock.shutdown(_socket.SHUT_WR)
        except OSError:
            return  # the other direction notices it, too, and reports it

    _thread.start_new_thread(upwards, ())
    try:
        while part := sock.recv(65_536):
            while part:
                part = part[os.write(STDOUT, part) :]
    except BrokenPipeError:
        return 0
    except ConnectionResetError:
        ended.clear()
    if not ended:
        _say("the daemon ended; start the client's server again")
    return 0 if ended else 3


def _fill_closed_descriptors() -> None:
    """Open what a client left closed as empty; otherwise our socket would get its number and be mistaken for it."""
    while (opened := os.open(os.devnull, os.O_RDWR)) <= STDERR:
        pass
    os.close(opened)


def _leave_as_found() -> None:
    """The daemon's loop made these non-blocking, and a terminal shares that with its shell."""
    for descriptor in (STDIN, STDOUT):
        os.set_blocking(descriptor, True)


def _say(message: str) -> None:
    from contextlib import suppress

    from toolbooth import safetext

    with suppress(OSError):  # nobody may be listening
        os.write(STDERR, f"toolbooth: {safetext.for_terminal(message, 2000)}\n".encode("utf-8", "replace"))
