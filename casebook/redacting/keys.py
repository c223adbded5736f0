"""Private keys in PEM, PGP and DER: from the line that begins one to the line that ends it, or as far as it goes."""

from __future__ import annotations

import re
from collections.abc import Iterator

Span = tuple[int, int, str]

_BEGIN = re.compile(rb"-{4,5} ?BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)? ?-{4,5}")
_END = re.compile(rb"-{4,5} ?END (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)? ?-{4,5}")
_BODY = re.compile(
    rb"(?:\s|\\+[nrt]|\\+/|[\"'],?\s*(?:\+\s*)?[\"']|(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset):[^\r\n\\]*|[A-Za-z0-9+/=]|\\u[0-9a-f]{4})*"
)
_LONGEST = 16_384
"""Bytes in which the end of a key is looked for where its body is not all of base64; a key of 8,192 bits has 6,500."""
_DER = re.compile(rb"\bMI(?:I[A-Za-z0-9+/]{1,6}|[A-Za-z0-9+/]{0,3})(?:IBAAK|IBADANBg|AgEAMA)[A-Za-z0-9+/=]{16,}")
_PUTTY = re.compile(rb"Private-Lines: \d+\s+([A-Za-z0-9+/=\s]+?)(?:Private-MAC|$)")
_BASE64 = re.compile(rb"LS0tLS1CRUdJTi[A-Za-z0-9+/]{0,24}(?:BSSVZBVEUgS0VZ|UFJJVkFURSBLRVk|QUklWQVRFIEtFW)[A-Za-z0-9+/=]*")


def private_keys(data: bytes) -> Iterator[Span]:
    """Find private keys, with the lines that begin and end them."""
    if b"PRIVATE KEY" in data:
        at = 0
        while found := _BEGIN.search(data, at):
            start = found.end()
            body = _BODY.match(data, start)
            end = body.end() if body else start
            closing = _END.match(data, end)
            if closing is None:
                further = data.find(b"BEGIN ", end, end + _LONGEST)
                closing = _END.search(data, end, further if further >= 0 else end + _LONGEST)
                end = closing.start() if closing else end
            inner = data[start:end].strip()
            if len(inner.strip(b"\\n\\r. \"'")) >= 8 and b"[redacted:" not in inner[:12]:
                yield found.start(), closing.end() if closing else end, "private-key"
            at = closing.end() if closing else max(end, start)
    if b"MI" in data:
        for each in _DER.finditer(data):
            yield each.start(), each.end(), "private-key"
    if b"Private-Lines" in data:
        for each in _PUTTY.finditer(data):
            yield each.start(1), each.end(1), "private-key"
    if b"LS0tLS1CRUdJTi" in data:
        for each in _BASE64.finditer(data):
            yield each.start(), each.end(), "private-key"
