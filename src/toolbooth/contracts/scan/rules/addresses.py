"""Web addresses that hide where they lead, collect what is sent to them, or ask for data in their query."""

import re
from collections.abc import Iterator
from ipaddress import ip_address
from typing import Final

from toolbooth.contracts.finding import Level
from toolbooth.contracts.scan.rule import Passage, ScanHit, text_rule
from toolbooth.contracts.scan.texts import TextKind
from toolbooth.contracts.words import word_set

_ADDRESS: Final = re.compile(
    r"https?://(?P<authority>[^\s/?#\"'<>\\`]{1,256}+)(?P<rest>[^\s\"'<>`]{0,1024}+)", re.IGNORECASE
)
_SHORTENERS: Final = word_set(
    "bit.ly tinyurl.com t.co goo.gl is.gd ow.ly cutt.ly rb.gy shorturl.at tiny.cc buff.ly rebrand.ly t.ly v.gd"
)
# Sites that show their owner every request, and tunnels to any machine.
_COLLECTORS: Final = word_set(
    "webhook.site requestbin.com requestbin.net pipedream.net burpcollaborator.net oastify.com interact.sh oast.fun "
    "oast.pro oast.live oast.site beeceptor.com hookbin.com requestcatcher.com ngrok.io ngrok.app ngrok-free.app "
    "trycloudflare.com loca.lt serveo.net dnslog.cn ceye.io canarytokens.com"
)
_ASKS_FOR_DATA: Final = re.compile(
    r"[?&][\w.-]{1,40}=(?:[{<\[$%(]{1,3})[\w .:'-]{0,40}?(?:data|secret|token|content|conversation|history|context"
    r"|env|key|password|message|prompt|email|file)",
    re.IGNORECASE,
)
_IMAGE: Final = re.compile(r"!\[[^\]\[\n]{0,200}+\]\((?P<address>https?://[^\s)]{1,1024}+)\)", re.IGNORECASE)
_DOTTED: Final = re.compile(r"[\w-]+(?:\.[\w-]+)+")
_DIGITS_ONLY: Final = re.compile(r"\d{8,10}|0x[0-9a-f]{8}", re.IGNORECASE)
_ABOUT_SHORTENING: Final = re.compile(r"short(?:en|ened|ener|[ -]?link|[ -]?url)", re.IGNORECASE)


@text_rule(
    "hides-its-address",
    Level.MEDIUM,
    "A raw IP address, a shortened link or a name before an @ hides who owns the address.",
)
def hides_its_address(passage: Passage) -> Iterator[ScanHit]:
    if "://" not in passage.text:
        return
    for found in _ADDRESS.finditer(passage.plain):
        login, _, host_and_port = found["authority"].rpartition("@")
        host = _host(host_and_port)
        reason = _hiding(host, login, passage)
        if reason:
            yield ScanHit(Level.MEDIUM, reason, found[0])


def _host(host_and_port: str) -> str:
    if host_and_port.startswith("["):
        return host_and_port[1:].partition("]")[0]
    return host_and_port.partition(":")[0].rstrip(".,;)").lower()


def _hiding(host: str, login: str, passage: Passage) -> str:
    if _is_public_ip(host):
        return "an IP address instead of a host name"
    if host in _SHORTENERS and not _ABOUT_SHORTENING.search(passage.plain):
        return "a shortened link, whose target can change at any time"
    if _DOTTED.fullmatch(login.partition(":")[0]):
        return f"what looks like the host is a login; the real host is {host}"
    return ""


def _is_public_ip(host: str) -> bool:
    if _DIGITS_ONLY.fullmatch(host):
        return True
    try:
        return ip_address(host).is_global
    except ValueError:
        return False


@text_rule(
    "collects-at-address",
    Level.HIGH,
    "Sites that catch requests, and addresses with a placeholder for private data, are used to steal data.",
)
def collects_at_address(passage: Passage) -> Iterator[ScanHit]:
    if "://" not in passage.text:
        return
    for image in _IMAGE.finditer(passage.plain):
        if re.search(r"[?&][\w.-]{1,40}=[{<\[$%]", image["address"]):
            yield ScanHit(Level.HIGH, "an image whose address has a placeholder for data", image[0])
    for found in _ADDRESS.finditer(passage.plain):
        host = _host(found["authority"].rpartition("@")[2])
        if ".".join(host.split(".")[-2:]) in _COLLECTORS:
            level = Level.LOW if passage.kind is TextKind.VALUE else Level.MEDIUM
            yield ScanHit(level, f"{host} shows its owner every request", found[0])
        if _ASKS_FOR_DATA.search(found["rest"]):
            yield ScanHit(Level.LOW, "an address with a placeholder for data", found[0])
