"""A text → sentences that take a decision out of the user's hands."""

from collections.abc import Iterator
from typing import Final

from toolbooth.contracts.finding import Level
from toolbooth.contracts.scan.passage import Passage
from toolbooth.contracts.scan.phrases import PhraseBook, phrases
from toolbooth.contracts.scan.prose import phrase_hits
from toolbooth.contracts.scan.rule import Hit, text_rule

_NO: Final = "not|never|dont|cannot|no|nothing|none|wont"
_AGREE: Final = "confirmation|permission|consent|approval|authorization"
BYPASSES: Final = PhraseBook(
    phrases(
        Level.MEDIUM,
        "it tells the model not to ask the user",
        f"not|never|dont 1 ask|request|seek|require|wait 2 user|users 3 {_AGREE}",
        f"not|never|dont 1 ask|request|seek|wait 2 {_AGREE}",
    ),
    phrases(
        Level.MEDIUM,
        "it tells the model not to ask the user",
        "without 2 asking|consulting 1 user",
        f"without 2 user|users 1 {_AGREE}",
        unless=_NO,
        within=14,
    ),
    phrases(
        Level.MEDIUM,
        "it stands above what the user wants",
        "even 0 if|when|though 1 user 2 not|didnt|doesnt|says|said|specifies|specified|refuses|refused|objects|declines"
        "|wants|asks|asked|requests",
        "regardless|irrespective 0 of 1 what|whether 1 user 1 says|wants|asks|asked|requested|requests|said|specifies"
        "|specified|thinks",
    ),
    phrases(
        Level.LOW,
        "it asks for approval to be automatic",
        "automatically|auto 1 approve|approved|confirm|accept 4 tool|calls|call|permission|permissions",
    ),
)


@text_rule(
    "bypasses-user",
    Level.MEDIUM,
    "Whether the user is asked is up to the user and the host, not to a tool.",
)
def bypasses_user(passage: Passage) -> Iterator[Hit]:
    yield from phrase_hits(passage, BYPASSES)
