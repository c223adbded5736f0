"""Secrets in URLs: before the `@`, in the paths of webhooks, in query parameters."""

from __future__ import annotations

import re
from collections.abc import Iterator

from casebook.redacting.naming import naming
from casebook.redacting.spans import Span, regex, text_of
from casebook.redacting.values import is_placeholder, secret_of_weak, secret_when_long

_USERINFO = r"([A-Za-z][A-Za-z0-9+.-]*://)([^\s/@:\"'<>`]*):([^\s\"'<>`]*?[^\s\"'<>`/?#]?)@[^\s\"'<>`@]"
_WITH_VERSIONS = re.compile(rb"(?i)http|git|ssh|svn|docker|oci|ftp")
"""An `@` in the path of such a URL is of the path."""
_RAW_TO_SLASH = re.compile(rb"(?:@[^\s\"'<>`@/?#,]{0,64}){1,4}@(?=[A-Za-z0-9\[])")
_RAW = re.compile(rb"(?:@[^\s\"'<>`@,?&]{0,64}){1,4}@(?=[\w.-]{1,120}(?::\d+)?(?:[/?\s\"'<>`]|$))")
"""A password that holds an `@` that nobody escaped goes on to the next one."""
_ORACLE = r"(?i)\b(?:jdbc:oracle:\w+:|sqlplus[ \t]+(?:-\w+[ \t]+)*)\w+/([^\s@\"']+)@"
_LONE_USER = r"[A-Za-z][A-Za-z0-9+.-]*://([A-Za-z0-9_.~%-]{16,})@"
_HOOKS = (
    r"(?i)(?:hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/([A-Za-z0-9/_-]{16,})"
    r"|discord(?:app)?\.com/api/(?:v\d+/)?webhooks/\d+/([\w-]{16,})"
    r"|(?:open\.feishu\.cn|open\.larksuite\.com)/open-apis/bot/(?:v2/)?hook/([\w-]{8,})"
    r"|webhook\.office\.com/webhookb2/([\w@/-]{16,})"
    r"|hooks\.zapier\.com/hooks/catch/([\w/]{6,})"
    r"|api\.telegram\.org/(?:file/)?bot(\d+:[\w-]{16,})"
    r"|\binfura\.io/(?:ws/)?v\d/([0-9a-f]{32})|\balchemy(?:api)?\.\w+/(?:\w+/)?v\d/([\w-]{20,})|\bquiknode\.pro/([0-9a-f]{30,})"
    r"|sctapi\.ftqq\.com/([A-Za-z0-9]{8,})\.send"
    r"|(?:sentry\.io|ingest[\w.]*\.sentry\.io)/api/\d+/[\w/]*\?sentry_key=([0-9a-f]{32}))"
)
_QUERY = (
    r"(?i)[?&;](?:amp;)?((?:key|code|sig|signature|hmac|sign|auth|ticket|sid|pwd|pass|passwd|password|x-[a-z]+-(?:signature|"
    r"security-token|credential)|[\w.-]*(?:token|secret|api_?key|access_?key|password)))=([^&\s\"'<>#;`]+)"
)


def in_urls(data: bytes) -> Iterator[Span]:
    """Find passwords and tokens before the `@` of a URL, in paths of webhooks, and in query parameters; user and host stay."""
    if b"://" in data:
        yield from _before_host(data)
    for found in regex(_ORACLE).finditer(data):
        yield *found.span(1), "url-password"
    for found in regex(_HOOKS).finditer(data):
        for group in range(1, found.re.groups + 1):
            if found.group(group):
                yield *found.span(group), "webhook"
    for found in regex(_QUERY).finditer(data):
        if _is_secret_parameter(text_of(found.group(1)).lower(), text_of(found.group(2))):
            yield *found.span(2), "url-parameter"


def _before_host(data: bytes) -> Iterator[Span]:
    for found in regex(_USERINFO).finditer(data):
        start, end = found.span(3)
        further = (_RAW_TO_SLASH if _WITH_VERSIONS.search(found.group(1)) else _RAW).match(data, end)
        end = further.end() - 1 if further else end
        if start < end and not is_placeholder(text_of(data[start:end])):
            yield start, end, "url-password"
    for found in regex(_LONE_USER).finditer(data):
        if secret_when_long(text_of(found.group(1))):
            yield *found.span(1), "url-token"


def _is_secret_parameter(name: str, value: str) -> bool:
    """Say whether a query parameter of this name (folded) holds a secret."""
    if is_placeholder(value) or len(value) < 3:
        return False
    if name in ("pwd", "pass", "passwd", "password") or naming(name) == "strong":
        return True
    if name in ("sig", "signature", "hmac", "sign") or name.startswith("x-"):
        return len(value) >= 12
    least = 20 if naming(name) == "no" else 8
    return len(value) >= least and secret_of_weak(value, quoted=False, prose=False)
