"""Secrets in headers of HTTP: what stands after Basic, Bearer and their like, and cookies."""

from __future__ import annotations

import re
from collections.abc import Iterator

from casebook.redacting.spans import Span, regex, text_of
from casebook.redacting.values import is_hard, is_placeholder, secret_when_long
from casebook.redacting.word_list import words

_SCHEME = r"(?i)\b(basic|bearer|token|negotiate|ntlm|apikey|bot)\b[ \t]+([A-Za-z0-9+/=._~%:-]{8,})"
_AUTHORIZATION = (
    r"(?i)\b(?:proxy-)?authorization\b\\*[\"'`]?\s*[:=,]\s*\\*[\"'`]?\s*((?:basic|bearer|token|bot|apikey|negotiate|ntlm|aws|hmac|"
    r"sharedkey(?:lite)?|sharedaccesssignature|key|snowflake token=)[ \t:=]+)?\\*[\"'`]?([^\s\"'`\\,;<>{}()]{3,})"
)
_OTHER_SCHEME = r"(?i)\b(?:proxy-)?authorization\b\\*[\"'`]?\s*[:=]\s*\\*[\"'`]?\s*[a-z][a-z0-9-]{2,20}[ \t]+([a-z0-9+/._~:-]{12,}={0,2})"
"""A scheme of somebody's own, and one value after it: no pairs, which name what they hold."""
_RESPONSE = r"(?i)\b(?:response|signature|oauth_signature|oauth_token)=\\?\"?([A-Za-z0-9+/=%_-]{16,})"
_COOKIE = r"(?i)\b(?:set-)?cookies?\\*[\"']?\s*(?:[:=]|,\s*\\*[\"']value\\*[\"']\s*:)\s*\\*[\"']?\s*([^\r\n\"'\\<>]+)"
_COOKIE_FLAG = r"(?i)\bcurl(?:[ \t]+\S+)*?[ \t]+(?:-b|--cookie)[ =]+[\"']?([^\s\"'][^\r\n\"']*=[^\r\n\"']*)"
_PAIR = re.compile(rb"([^=;,\s]+)=([^;,\s]+)")
_ATTRIBUTES = frozenset((b"path", b"domain", b"expires", b"max-age", b"samesite", b"priority", b"version"))


def in_headers(data: bytes) -> Iterator[Span]:
    """Find what stands after Basic, Bearer and their like, the response of Digest, and the values of cookies."""
    for found in regex(_SCHEME).finditer(data):
        value = text_of(found.group(2))
        scheme = found.group(1).lower()
        least = 16 if scheme in (b"token", b"bot", b"negotiate", b"ntlm", b"apikey") else 8
        if len(value) >= least and not is_placeholder(value) and _is_credential(value, basic=scheme == b"basic"):
            yield *found.span(2), "authorization"
    for found in regex(_AUTHORIZATION).finditer(data):
        value = text_of(found.group(2))
        least = 6 if found.group(1) else 16
        if value.lower() in _SCHEMES or is_placeholder(value) or not (is_hard(value) or len(value) >= least):
            continue
        yield *found.span(2), "authorization"
    for found in regex(_OTHER_SCHEME).finditer(data):
        value = text_of(found.group(1))
        if is_hard(value) and any(map(str.isdigit, value)) and not is_placeholder(value):
            yield *found.span(1), "authorization"
    for found in regex(_RESPONSE).finditer(data):
        if secret_when_long(text_of(found.group(1))):
            yield *found.span(1), "authorization"
    yield from _cookies(data)


def _cookies(data: bytes) -> Iterator[Span]:
    for pattern in (_COOKIE, _COOKIE_FLAG):
        for found in regex(pattern).finditer(data):
            at, end = found.span(1)
            for pair in _PAIR.finditer(data[at : min(end, at + 4096)]):
                if pair[1].lower() not in _ATTRIBUTES and len(pair[2]) >= 4 and not is_placeholder(text_of(pair[2])):
                    yield at + pair.start(2), at + pair.end(2), "cookie"


_SCHEMES = words(
    "basic bearer token digest negotiate ntlm apikey bot aws4-hmac-sha256 hmac required missing invalid header "
    "authentication authorization realm string undefined expected scheme format provided"
)


def _is_credential(value: str, *, basic: bool) -> bool:
    """Say whether what follows the name of a scheme is a credential and not the next word of a sentence."""
    if basic:
        return len(value) % 4 == 0 and is_hard(value) and not value.startswith((".", "/", "-"))
    return len(value) >= 20 or (is_hard(value) and any(each.isdigit() for each in value))
