"""The contenders that can take part here, and for each of the others how to install it."""

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Final, NamedTuple

from toolbooth.errors import UserMistake
from toolbooth.search import Embedder, OnnxEmbedder, StaticTable
from toolbooth.search.vocabulary import MODEL

from .minilm import exported
from .packages import OWN, Absent, Packages
from .wordllama_embedder import WordLlamaEmbedder

OURS: Final = "ours"
REFERENCE: Final = "reference table"
MINILM: Final = "MiniLM int8"
WORDLLAMA: Final = "WordLlama"
WORDS: Final = "BM25F"
# They were trained with labels of these sets, or that is unknown; ours is trained with nothing of any set.
REFERENCE_MAY_HAVE_SEEN: Final = frozenset({"metatool", "sealtools", "etom l1", "etom l3"})


class Contender(NamedTuple):
    """An embedder (None: words alone) with its files; `kind`, `home` and `packages` are how `first_query` opens it.

    `apart` marks one in another process: its times would include the way there.
    """

    name: str
    embedder: Embedder | None
    files: tuple[Path, ...] = ()
    kind: str = ""
    home: str = ""
    may_have_seen: frozenset[str] = frozenset()
    packages: Packages = OWN
    apart: bool = False


class Lineup(NamedTuple):
    """Ours first; `left_out` says what does not take part and why, `notes` what else matters."""

    contenders: list[Contender]
    left_out: list[str]
    notes: list[str]


def gather(packages: Packages, stack: ExitStack, reference: Path | None) -> Lineup:
    """What is opened here is closed with the stack; `reference` is the folder of the first table."""
    found = Lineup([_ours()], [], [])
    if reference is None:
        found.left_out.append(f"{REFERENCE} is left out: name its folder with --reference")
    else:
        found.contenders.append(_reference(reference))
    for name, make in _OTHERS.items():
        try:
            found.contenders.append(make(packages, stack))
        except (Absent, UserMistake) as why:
            found.left_out.append(f"{name} is left out: {why}")
    found.contenders.append(Contender(WORDS, None))
    return _told_apart(found)


def _told_apart(found: Lineup) -> Lineup:
    """Where the package holds the reference weights themselves, ours is no more zero-shot than they are."""
    ours, *others = found.contenders
    same = [
        each
        for each in others
        if each.embedder and ours.embedder and each.embedder.name == ours.embedder.name
    ]
    if not same:
        return found
    note = (
        f"the table of the package is the {same[0].name}, byte for byte: ours may have seen what that one has"
    )
    return Lineup(
        [ours._replace(may_have_seen=same[0].may_have_seen), *others], found.left_out, [*found.notes, note]
    )


def _ours() -> Contender:
    return Contender(OURS, StaticTable(), _files(Path(str(MODEL))), "ours")


def _reference(folder: Path) -> Contender:
    table = StaticTable(folder)
    return Contender(REFERENCE, table, _files(folder), "table", str(folder), REFERENCE_MAY_HAVE_SEEN)


def _minilm(packages: Packages, _stack: ExitStack) -> Contender:
    folder = exported(packages)
    return Contender(MINILM, OnnxEmbedder(folder), _files(folder), "onnx", str(folder))


def _wordllama(packages: Packages, stack: ExitStack) -> Contender:
    home = packages.homes(["wordllama"])["wordllama"]
    embedder = WordLlamaEmbedder(packages)
    stack.callback(embedder.close)
    files = (*_files(home / "weights"), *_files(home / "tokenizers"))
    return Contender(WORDLLAMA, embedder, files, "wordllama", str(home), packages=packages, apart=True)


def _files(folder: Path) -> tuple[Path, ...]:
    """What is read of a model: weights and vocabulary."""
    return tuple(
        path for path in sorted(folder.iterdir()) if path.suffix in (".safetensors", ".onnx", ".json")
    )


_OTHERS: Final[dict[str, Callable[[Packages, ExitStack], Contender]]] = {
    MINILM: _minilm,
    WORDLLAMA: _wordllama,
}
