"""Secrecy by name: whether the name of a field, header or option means that its value is a secret.

Fields of a JSON Schema only describe a secret.
"""

import re
from collections.abc import Mapping
from enum import IntEnum
from functools import lru_cache
from itertools import pairwise
from typing import Any

from toolbooth import limits


class Secrecy(IntEnum):
    """`MAYBE` redacts only what looks like a token; `SURE` redacts any text and number."""

    NO = 0
    PAGE = 1
    MAYBE = 2
    SURE = 3


def words_of(text: str) -> frozenset[str]:
    """The words of a text, as a set."""
    return frozenset(text.split())


# A text that contains none of these, in lower case, names no secret.
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
def secrecy_of(name: str) -> Secrecy:
    """`db_password`, `X-Api-Key` and `clientSecret` are sure; `max_tokens`, `author` and `cursor` are not secret."""
    words = [word.lower() for word in _WORD.findall(name[-128:]) if not word.isdigit()]
    if not words or words[-1] in _ABOUT:
        return Secrecy.NO
    pairs = set(pairwise(words))
    if not _SURE.isdisjoint(words) or any(
        other in ("key", "keys") and one in _KEY_OF for one, other in pairs
    ):
        return Secrecy.SURE
    if ("connection", "string") in pairs:
        return Secrecy.SURE
    if _MAYBE.isdisjoint(words):
        return Secrecy.NO
    return Secrecy.PAGE if "token" in words and not _PAGES.isdisjoint(words) else Secrecy.MAYBE


_NUMBER = re.compile(r"[-+]?[0-9][0-9_,.]*")
# Types and prose after `password:` in a signature or a manual, and references to a variable.
_WORDS = words_of(
    "string str text number int integer bool boolean object array any null none nil undefined true false yes no "
    "required optional bearer basic the a an your this is in of for or and to as if not must can will was "
    "based authentication expired invalid missing"
)
_REFERENCE = re.compile(r"\$\{[^}]*\}|\$[A-Z_]+|\{\{[^}]*\}\}|<[A-Za-z _-]+>|\*+|•+|x{3,}|\.{3}|…")


def is_secret(secrecy: Secrecy, value: str, *, in_prose: bool = False) -> bool:
    """Whether a value under a name of this secrecy is redacted; in prose it may be an ordinary word."""
    bare = value.strip()
    if not bare or _REFERENCE.fullmatch(bare) or (in_prose and bare.lower() in _WORDS):
        return False
    if secrecy is Secrecy.SURE:
        return True
    looks = len(bare) >= 4 and not any(map(str.isspace, bare)) and not _NUMBER.fullmatch(bare)
    return looks and (secrecy is Secrecy.MAYBE or len(bare) >= limits.LONG_PAGE_TOKEN)


_DATE = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9:.]++(?:Z|[+-][0-9:]++)?)?|[0-9]{1,2}(?::[0-9]{2}){1,2}"
)
_ADDRESS = re.compile(r"https?://\S++|[^@\s]++@[^@\s.]++(?:\.[A-Za-z0-9-]++)++")
_BETWEEN_WORDS = re.compile(r"[-_. /]")
_LONG_WORD = 16
# Who and where: such fields accompany a token in objects called `auth` and `session`.
_BESIDE = words_of("user username login email mail host hostname domain region locale language timezone room")


def secrecy_inside(outer: str, inner: str) -> Secrecy:
    """The secrecy of a field `inner` in an object `outer`: `auth.value` is as secret as `auth`, `auth.type` is not."""
    secrecy = secrecy_of(f"{outer[-60:]} {inner[-60:]}")
    return Secrecy.NO if secrecy is Secrecy.MAYBE and inner.lower() in _BESIDE else secrecy


def is_secret_inside(secrecy: Secrecy, value: str) -> bool:
    """Like `is_secret`, for a value that is secret only by its object's name: ordinary words are kept."""
    return is_secret(secrecy, value) and (secrecy is Secrecy.SURE or not is_ordinary(value))


def is_ordinary(value: str) -> bool:
    """Whether the value does not look like a token: `oauth`, `client_credentials`, `Europe/Berlin`, a date, a URL."""
    bare = value.strip()
    if _DATE.fullmatch(bare) or _ADDRESS.fullmatch(bare):
        return True
    return all(map(_is_word, _BETWEEN_WORDS.split(bare)))


def _is_word(piece: str) -> bool:
    return len(piece) < _LONG_WORD and (
        not piece or (piece.isalpha() and (piece[1:].islower() or piece.isupper() or len(piece) == 1))
    )


_TYPES = words_of("string number integer boolean object array null")
_COMBINED = words_of("$ref anyOf oneOf allOf properties enum")
_SCHEMA_WORDS = words_of(
    "$ref ref $id $schema $defs $comment type title description default const enum examples example format pattern "
    "properties items required anyOf oneOf allOf not additionalProperties minLength maxLength minimum maximum "
    "contentEncoding contentMediaType deprecated readOnly writeOnly nullable"
)
_QUOTE = r"\\{0,32}+[\"']"
_IN_TEXT = re.compile(
    rf"[\"']type{_QUOTE}\s{{0,8}}+:\s{{0,8}}+{_QUOTE}(?:{'|'.join(sorted(_TYPES))}){_QUOTE}"
    rf"|[\"'](?:\$ref|anyOf|oneOf|allOf|properties|enum){_QUOTE}\s{{0,8}}+:",
    re.IGNORECASE,
)


def is_schema(value: Mapping[Any, Any]) -> bool:
    """Whether a mapping is a JSON Schema, by its `type` or by keywords that only schemas have."""
    kinds = value.get("type")
    for kind in kinds if isinstance(kinds, list | tuple) else (kinds,):
        if isinstance(kind, str) and kind.lower() in _TYPES:
            return True
    return not _COMBINED.isdisjoint(value) or ("description" in value and all(map(is_schema_word, value)))


def is_schema_text(text: str) -> bool:
    """Whether a text, which may be cut off, contains a schema."""
    return _IN_TEXT.search(text) is not None


def is_schema_word(name: Any) -> bool:
    """Whether the name is a keyword of JSON Schema."""
    return name in _SCHEMA_WORDS
