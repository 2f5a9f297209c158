"""The tracker's handle of a person in the address book."""

from collections.abc import Iterable, Mapping
from typing import Any


def handle(contact: Mapping[str, Any]) -> str:
    """`mira.ekman@…` is mira-ekman, as the tracker's instructions show."""
    name: str = contact["email"].split("@")[0]
    return name.replace(".", "-")


def by_handle(contacts: Iterable[Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
    return {handle(contact): contact for contact in contacts}
