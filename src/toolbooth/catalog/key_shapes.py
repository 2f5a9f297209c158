"""The table of well-known keys: what each is, a hint that stands in every text with one, and its pattern."""

import re
from typing import Final, NamedTuple

# Each begins where no run of its own signs goes on, and takes the run at once: no text is walked twice.
_START: Final = r"(?<![A-Za-z0-9_-])"


class KeyShape(NamedTuple):
    """`hint` stands, in lower case, in every text with such a key."""

    what: str
    hint: str
    pattern: re.Pattern[str]


def _shape(what: str, hint: str, pattern: str) -> KeyShape:
    return KeyShape(what, hint, re.compile(pattern))


KEY_SHAPES: Final = (
    _shape(
        "a private key",
        "private key",
        r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,16}-----"
        r"[^-]*+(?:-(?!----)[^-]*+)*+(?:-----END [A-Z0-9 ]{0,60}+-----)?",
    ),
    _shape("a model provider's key", "sk-", _START + r"sk-(?:ant-|proj-|or-|svcacct-)?[A-Za-z0-9_-]{16,}+"),
    _shape("a Stripe key", "sk_", _START + r"sk_(?:live|test)_[A-Za-z0-9]{8,}+"),
    _shape("a Stripe key", "rk_", _START + r"rk_(?:live|test)_[A-Za-z0-9]{8,}+"),
    _shape("a webhook's secret", "whsec_", _START + r"whsec_[A-Za-z0-9+/=]{8,}+"),
    _shape("a Google key", "aiza", _START + r"AIza[A-Za-z0-9_-]{30,}+"),
    _shape("a Google token", "ya29.", _START + r"ya29\.[A-Za-z0-9_-]{16,}+"),
    _shape("a Google client's secret", "gocspx-", _START + r"GOCSPX-[A-Za-z0-9_-]{16,}+"),
    _shape("a GitHub token", "gh", _START + r"gh[opsur]_[A-Za-z0-9]{16,}+"),
    _shape("a GitHub token", "github_pat_", _START + r"github_pat_[A-Za-z0-9_]{16,}+"),
    _shape("a GitLab token", "glpat-", _START + r"glpat-[A-Za-z0-9_-]{16,}+"),
    _shape("a Slack token", "xox", _START + r"xox[abeoprs]-[A-Za-z0-9-]{8,}+"),
    _shape("a Slack token", "xapp-", _START + r"xapp-[A-Za-z0-9-]{8,}+"),
    _shape("an AWS key", "akia", _START + r"AKIA[A-Z0-9]{16,}+"),
    _shape("an AWS key", "asia", _START + r"ASIA[A-Z0-9]{16,}+"),
    _shape("a web token", "eyj", r"(?<![A-Za-z0-9_+/-])eyJ[A-Za-z0-9_-]{5,}+(?:\.[A-Za-z0-9_-]*+){1,4}+"),
    _shape("an npm token", "npm_", _START + r"npm_[A-Za-z0-9]{16,}+"),
    _shape("a PyPI token", "pypi-", _START + r"pypi-[A-Za-z0-9_-]{16,}+"),
    _shape("a Hugging Face token", "hf_", _START + r"hf_[A-Za-z0-9]{16,}+"),
    _shape("a DigitalOcean token", "dop_v1_", _START + r"dop_v1_[a-f0-9]{16,}+"),
    _shape("a SendGrid key", "sg.", _START + r"SG\.[A-Za-z0-9_-]{16,}+\.[A-Za-z0-9_-]{16,}+"),
)
