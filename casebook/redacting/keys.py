"""Private keys in PEM, PGP and DER: from the line that begins one to the line that ends it, or as far as it goes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from casebook.redacting.spans import Span

_BEGIN = re.compile(rb"-{4,5} ?BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)? ?-{4,5}")
_END = re.compile(rb"-{4,5} ?END (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)? ?-{4,5}")
_BODY = re.compile(
    rb"(?:\s|\\+[nrt]|\\+/|[\"'],?\s*(?:\+\s*)?[\"']|(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset):[^\r\n\\]*|[A-Za-z0-9+/=]|\\u[0-9a-f]{4})*"
)
_LONGEST = 16_384
"""Bytes in which the end of a key is looked for where its body is not all of base64; a key of 8,192 bits has 6,500."""
_DER = re.compile(rb"\bMI(?:I[A-Za-z0-9+/]{1,6}|[A-Za-z0-9+/]{0,3})(?:IBAAK|IBADANBg|AgEAMA)[A-Za-z0-9+/=]{16,}")
_PUTTY = re.compile(rb"Private-Lines: \d+\s+([A-Za-z0-9+/=\s]+?)(?:Private-MAC|$)")
_BASE64 = re.compile(
    rb"LS0tLS1CRUdJTi[A-Za-z0-9+/]{0,24}(?:BSSVZBVEUgS0VZ|UFJJVkFURSBLRVk|QUklWQVRFIEtFW)[A-Za-z0-9+/=]*"
)


def private_keys(data: bytes) -> Iterator[Span]:
    """Find private keys, with the lines that begin and end them."""
    if b"PRIVATE KEY" in data:
        yield from _armoured(data)
        yield from _without_beginning(data)
    for sign, pattern, group in ((b"MI", _DER, 0), (b"Private-Lines", _PUTTY, 1), (b"LS0tLS1CRUdJTi", _BASE64, 0)):
        if sign in data:
            for found in pattern.finditer(data):
                yield *found.span(group), "private-key"


def _without_beginning(data: bytes) -> Iterator[Span]:
    """Find what is left of a key whose beginning was cut off: the encoded lines before a last line that no first one opened."""
    at = 0
    for closing in _END.finditer(data):
        head = data[max(at, closing.start() - _LONGEST) : closing.start()]
        at = closing.end()
        kept = head.rstrip(_OF_A_KEY)
        body = head[len(kept) :].split(b" ")[-1] if b"\n" in head[len(kept) :] else head[len(kept) :]
        if b"BEGIN " not in head and len(body) >= 24:
            yield closing.start() - len(body), closing.end(), "private-key"


_OF_A_KEY = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/= \\\r\n\t"


def _armoured(data: bytes) -> Iterator[Span]:
    at = 0
    while found := _BEGIN.search(data, at):
        body = _BODY.match(data, found.end())
        end = body.end() if body else found.end()
        closing = _END.match(data, end)
        if closing is None:
            further = data.find(b"BEGIN ", end, end + _LONGEST)
            closing = _END.search(data, end, further if further >= 0 else end + _LONGEST)
            end = closing.start() if closing else end
        inner = data[found.end() : end].strip()
        at = closing.end() if closing else end
        if len(inner.strip(b"\\n\\r. \"'")) >= 8 and b"[redacted:" not in inner[:12]:
            yield found.start(), at, "private-key"
