"""The name of a field, header or option → whether its value is a secret, surely, perhaps or not."""

import re
from enum import IntEnum
from functools import lru_cache
from itertools import pairwise

from toolbooth.limits import LONG_PAGE_TOKEN


class Sound(IntEnum):
    """`MAYBE` takes out only what looks like a token; `SURE` any text and number."""

    NO = 0
    PAGE = 1
    MAYBE = 2
    SURE = 3


def words_of(text: str) -> frozenset[str]:
    """A list of words as it is best read."""
    return frozenset(text.split())


# A text in which none of these stands, in lower case, names no secret.
STEMS = ("pass", "pwd", "secret", "token", "key", "auth", "cookie", "cred", "session", "jwt", "cvv", "otp",
         "connection", "dsn", "bearer")  # fmt: skip
_SURE = words_of(
    "password passwords passwd passphrase passcode pwd secret secrets credential credentials creds apikey apikeys "
    "authorization cookie cookies privatekey secretkey accesskey jwt cvv otp dsn"
)
_MAYBE = words_of("token authtoken accesstoken refreshtoken auth session sessionid sessionkey pass bearer")
_KEY_OF = words_of(
    "api private secret access encryption signing auth account storage master ssh service shared subscription "
    "client license licence"
)
_PAGES = words_of("page next previous prev continuation continue pagination cursor sync start")
# `password_policy`, `token_type`, `secret_name`: about the secret, not the secret.
_ABOUT = words_of(
    "count counts length limit limits policy hint hints url uri name names type types expires expiry expiration at "
    "ttl usage used field fields required min max path file label description title placeholder version kind "
    "provider status state enabled scopes scope endpoint algorithm format size budget total index created updated "
    "rotation strength prompt"
)
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


@lru_cache(maxsize=4096)
def sound_of(name: str) -> Sound:
    """`db_password`, `X-Api-Key` and `clientSecret` are sure; `max_tokens`, `author` and `cursor` are none."""
    words = [word.lower() for word in _WORD.findall(name[-128:]) if not word.isdigit()]
    if not words or words[-1] in _ABOUT:
        return Sound.NO
    pairs = set(pairwise(words))
    if not _SURE.isdisjoint(words) or any(
        other in ("key", "keys") and one in _KEY_OF for one, other in pairs
    ):
        return Sound.SURE
    if ("connection", "string") in pairs:
        return Sound.SURE
    if _MAYBE.isdisjoint(words):
        return Sound.NO
    return Sound.PAGE if "token" in words and not _PAGES.isdisjoint(words) else Sound.MAYBE


_NUMBER = re.compile(r"[-+]?[0-9][0-9_,.]*")
# Types and prose behind `password:` in a signature or a manual, and references to a variable.
_WORDS = words_of(
    "string str text number int integer bool boolean object array any null none nil undefined true false yes no "
    "required optional bearer basic the a an your this is in of for or and to as if not must can will was "
    "based authentication expired invalid missing"
)
_REFERENCE = re.compile(r"\$\{[^}]*\}|\$[A-Z_]+|\{\{[^}]*\}\}|<[A-Za-z _-]+>|\*+|•+|x{3,}|\.{3}|…")


def is_secret(sound: Sound, value: str, *, in_prose: bool = False) -> bool:
    """Whether a text under a name that sounds so is to be taken out; in prose it may be a word of the sentence."""
    bare = value.strip()
    if not bare or _REFERENCE.fullmatch(bare) or (in_prose and bare.lower() in _WORDS):
        return False
    if sound is Sound.SURE:
        return True
    looks = len(bare) >= 4 and not any(map(str.isspace, bare)) and not _NUMBER.fullmatch(bare)
    return looks and (sound is Sound.MAYBE or len(bare) >= LONG_PAGE_TOKEN)


_DATE = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9:.]++(?:Z|[+-][0-9:]++)?)?|[0-9]{1,2}(?::[0-9]{2}){1,2}"
)
_ADDRESS = re.compile(r"https?://\S++|[^@\s]++@[^@\s.]++(?:\.[A-Za-z0-9-]++)++")
_BETWEEN_WORDS = re.compile(r"[-_. /]")
_LONG_WORD = 16
# Who and where: they stand beside a token in objects called `auth` and `session`.
_BESIDE = words_of("user username login email mail host hostname domain region locale language timezone room")


def sound_inside(outer: str, inner: str) -> Sound:
    """Of a text called `inner` in an object called `outer`: `auth.value` sounds as `auth`, `auth.type` is none."""
    sound = sound_of(f"{outer[-60:]} {inner[-60:]}")
    return Sound.NO if sound is Sound.MAYBE and inner.lower() in _BESIDE else sound


def is_secret_inside(sound: Sound, value: str) -> bool:
    """As `is_secret`, for a text that has its sound only from what it stands in: ordinary words stay."""
    return is_secret(sound, value) and (sound is Sound.SURE or not is_ordinary(value))


def is_ordinary(value: str) -> bool:
    """`oauth`, `client_credentials`, `Europe/Berlin`, a date or an address: not what a token looks like."""
    bare = value.strip()
    if _DATE.fullmatch(bare) or _ADDRESS.fullmatch(bare):
        return True
    return all(map(_is_word, _BETWEEN_WORDS.split(bare)))


def _is_word(piece: str) -> bool:
    return len(piece) < _LONG_WORD and (
        not piece or (piece.isalpha() and (piece[1:].islower() or piece.isupper() or len(piece) == 1))
    )
