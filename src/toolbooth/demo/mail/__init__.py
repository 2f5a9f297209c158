"""The demo server `mail`: a mailbox and an address book in memory → tools to read and write mail."""

from toolbooth.demo.mail import reading, sending  # noqa: F401  # the tools register themselves
from toolbooth.demo.mail.server import server

__all__ = ["server"]
