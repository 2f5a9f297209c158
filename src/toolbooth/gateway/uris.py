"""URIs of resources as their servers know them ↔ as clients see them, and whose they are."""

import re


class Uris:
    """`owners` of URIs and `templates` by server; `aliases` of those that two servers have: server, and URI there."""

    def __init__(self) -> None:
        self.owners: dict[str, str] = {}
        self.templates: dict[str, str] = {}
        self.aliases: dict[str, tuple[str, str]] = {}

    def shown(self, server: str, uri: str) -> str:
        """The URI as clients see it: that of a server that does not own it carries the server's name."""
        if self.owners.get(uri, server) == server:
            return uri
        alias = f"{_scheme(server)}+{uri}"
        self.aliases[alias] = (server, uri)
        return alias

    def there(self, uri: str) -> str:
        """The URI as its server knows it."""
        return self.aliases[uri][1] if uri in self.aliases else uri

    def alias_owner(self, uri: str) -> str | None:
        """The server of an alias."""
        return self.aliases[uri][0] if uri in self.aliases else None

    def forget(self, server: str) -> None:
        """Another server of the same name has other ones."""
        for known in (self.owners, self.templates):
            for uri in [uri for uri, owner in known.items() if owner == server]:
                del known[uri]


def _scheme(server: str) -> str:
    """A server's name in the letters that may stand before a URI's colon."""
    plain = re.sub(r"[^a-z0-9.-]", "-", server.lower())
    return plain if plain[:1].isalpha() else f"s{plain}"
