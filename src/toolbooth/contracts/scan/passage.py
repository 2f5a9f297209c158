"""One text as the rules see it: as it was sent, as it looks, and as words; each made once, and only if asked for."""

from dataclasses import dataclass
from functools import cached_property

from toolbooth.contracts.scan.lookalikes import as_it_looks
from toolbooth.contracts.scan.texts import Kind
from toolbooth.contracts.scan.words import Words, split_humps


@dataclass(frozen=True)
class Passage:
    """A text of one kind."""

    text: str
    kind: Kind = Kind.PROSE

    @cached_property
    def plain(self) -> str:
        """As a person reads it: nothing hidden, look-alike letters as Latin ones."""
        return as_it_looks(self.text)

    @cached_property
    def lowered(self) -> str:
        """The same in lower case."""
        return self.plain.lower()

    @cached_property
    def words(self) -> Words:
        """The same as words; a name falls into its parts."""
        return Words(split_humps(self.plain) if self.kind.is_name else self.plain)
