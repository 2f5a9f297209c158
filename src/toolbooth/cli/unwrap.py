"""`toolbooth unwrap`: put the servers of a wrapped config back, byte for byte where nothing else changed."""

from collections.abc import Sequence

from toolbooth.cli.arguments import Parser
from toolbooth.cli.wrap import each

EXAMPLES = """\
  toolbooth unwrap                   what is wrapped
  toolbooth unwrap cursor            every wrapped config of Cursor
  toolbooth unwrap .mcp.json         one file

A file that has not changed since gets its old bytes back. In one that has, only the servers are put back: other changes
and servers that you added since stay.
"""


def parser() -> Parser:
    """The options of the verb."""
    made = Parser("unwrap", __doc__ or "", EXAMPLES)
    made.add_argument("what", nargs="*", metavar="CLIENT|FILE", help="a client or a config file")
    made.add_argument("--json", action="store_true", help="the same as JSON")
    return made


def run(words: Sequence[str]) -> int:
    """Unwrap the files that were named, or list what is wrapped."""
    options = parser().parse_args(list(words))
    from toolbooth.catalog.config import Surroundings, data_folder, files_to_unwrap, unwrap
    from toolbooth.cli import wrap_words

    around = Surroundings.here()
    data = data_folder(around.home, around.environ, around.platform)
    if not options.what:
        return wrap_words.show_candidates(around, data, as_json=options.json)
    files = files_to_unwrap(" ".join(options.what), around, data)
    done, failed = each(files, lambda path: unwrap(path, data))
    if options.json:
        wrap_words.print_unwrapped_json(done, failed)
    else:
        wrap_words.print_unwrapped(done)
    return wrap_words.tell_failed(failed)
