"""Where secrets stand: in URLs, in headers, in commands and statements, after names.

Each finder takes a text as UTF-8 bytes and gives spans `(start, end, name of the rule)` in bytes. Every pattern is RE2's, and
reads on no further than its match, so that the time grows with the text alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import re2

from casebook.redacting.naming import CHINESE, ENGLISH, Naming, naming
from casebook.redacting.values import (
    is_hard,
    is_placeholder,
    is_prose,
    secret_of_strong,
    secret_of_weak,
    secret_when_long,
)

Span = tuple[int, int, str]

VALUE_BYTES = 1_024
"""Bytes of a value that are looked at to judge it. What is masked goes on to its end."""


def compiled(pattern: str, *, capture: bool = True) -> Any:
    """Compile a pattern of ours for bytes."""
    options = re2.Options()
    options.max_mem = 64 << 20
    options.log_errors = False
    options.never_capture = not capture
    return re2.compile(pattern.encode(), options)


# --- URLs

_USERINFO = r"([A-Za-z][A-Za-z0-9+.-]*://)([^\s/@:\"'<>`]*):([^\s\"'<>`]*?[^\s\"'<>`/?#]?)@[^\s\"'<>`@]"
_ORACLE = r"(?i)\b(?:jdbc:oracle:\w+:|sqlplus[ \t]+(?:-\w+[ \t]+)*)\w+/([^\s@\"']+)@"
_TOKEN_USER = r"[A-Za-z][A-Za-z0-9+.-]*://([A-Za-z0-9_.~%-]{16,})@"
_HOOKS = (
    r"(?i)(?:hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/([A-Za-z0-9/_-]{16,})"
    r"|discord(?:app)?\.com/api/(?:v\d+/)?webhooks/\d+/([\w-]{16,})"
    r"|(?:open\.feishu\.cn|open\.larksuite\.com)/open-apis/bot/(?:v2/)?hook/([\w-]{8,})"
    r"|webhook\.office\.com/webhookb2/([\w@/-]{16,})"
    r"|hooks\.zapier\.com/hooks/catch/([\w/]{6,})"
    r"|api\.telegram\.org/(?:file/)?bot(\d+:[\w-]{16,})"
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
        for found in _regex(_USERINFO).finditer(data):
            start, end = found.span(3)
            if start < end and not is_placeholder(_text(data[start:end])):
                yield start, end, "url-password"
        for found in _regex(_TOKEN_USER).finditer(data):
            if secret_when_long(_text(found.group(1))):
                yield *found.span(1), "url-token"
    for found in _regex(_ORACLE).finditer(data):
        yield *found.span(1), "url-password"
    for found in _regex(_HOOKS).finditer(data):
        for group in range(1, found.re.groups + 1):
            if found.group(group):
                yield *found.span(group), "webhook"
    for found in _regex(_QUERY).finditer(data):
        name, value = _text(found.group(1)).lower(), _text(found.group(2))
        if is_placeholder(value) or len(value) < 3:
            continue
        sure = name in ("pwd", "pass", "passwd", "password") or naming(name) == "strong"
        signed = name in ("sig", "signature", "hmac", "sign") or name.startswith("x-")
        if sure or (signed and len(value) >= 12) or (secret_of_weak(value, quoted=False, prose=False) and len(value) >= 8 and (naming(name) != "no" or len(value) >= 20)):
            yield *found.span(2), "url-parameter"


# --- headers

_SCHEME = r"(?i)\b(basic|bearer|token|negotiate|ntlm|apikey|bot)\b[ \t]+([A-Za-z0-9+/=._~%:-]{8,})"
_AUTHORIZATION = (
    r"(?i)\b(?:proxy-)?authorization\b\\*[\"']?\s*[:=,]\s*\\*[\"']?\s*(?:(?:basic|bearer|token|bot|apikey|negotiate|ntlm|aws|hmac|"
    r"sharedkey(?:lite)?|sharedaccesssignature|key|snowflake token=)[ \t:=]+)?\\*[\"']?([^\s\"'\\,;<>{}()]{3,})"
)
_RESPONSE = r"(?i)\b(?:response|signature|oauth_signature|oauth_token)=\\?\"?([A-Za-z0-9+/=%_-]{16,})"
_COOKIE = r"(?i)\b(set-)?cookies?\\*[\"']?\s*[:=]\s*\\*[\"']?\s*([^\r\n\"'\\<>]+)"
_COOKIE_FLAG = r"(?i)\bcurl(?:[ \t]+\S+)*?[ \t]+(?:-b|--cookie)[ =]+[\"']?([^\s\"'][^\r\n\"']*=[^\r\n\"']*)"
_PAIR = re.compile(rb"([^=;,\s]+)=([^;,\s]+)")
_ATTRIBUTES = frozenset((b"path", b"domain", b"expires", b"max-age", b"samesite", b"priority", b"version"))


def in_headers(data: bytes) -> Iterator[Span]:
    """Find what stands after Basic, Bearer and their like, the response of Digest, and the values of cookies."""
    for found in _regex(_SCHEME).finditer(data):
        value = _text(found.group(2))
        scheme = found.group(1).lower()
        least = 16 if scheme in (b"token", b"bot", b"negotiate", b"ntlm", b"apikey") else 8
        if len(value) >= least and not is_placeholder(value) and _is_credential(value, basic=scheme == b"basic"):
            yield *found.span(2), "authorization"
    for found in _regex(_AUTHORIZATION).finditer(data):
        value = _text(found.group(1))
        if value.lower() in _SCHEMES or is_placeholder(value) or not (is_hard(value) or len(value) >= 16):
            continue
        yield *found.span(1), "authorization"
    for found in _regex(_RESPONSE).finditer(data):
        if secret_when_long(_text(found.group(1))):
            yield *found.span(1), "authorization"
    for pattern in (_COOKIE, _COOKIE_FLAG):
        for found in _regex(pattern).finditer(data):
            group = found.re.groups
            at = found.span(group)[0]
            for pair in _PAIR.finditer(found.group(group)[:VALUE_BYTES]):
                if pair[1].lower() not in _ATTRIBUTES and len(pair[2]) >= 4 and not is_placeholder(_text(pair[2])):
                    yield at + pair.start(2), at + pair.end(2), "cookie"


_SCHEMES = frozenset("basic bearer token digest negotiate ntlm apikey bot aws4-hmac-sha256 hmac required missing invalid header".split())


def _is_credential(value: str, *, basic: bool) -> bool:
    """Say whether what follows the name of a scheme is a credential and not the next word of a sentence."""
    if basic:
        return len(value) % 4 == 0 and is_hard(value) and not value.startswith((".", "/", "-"))
    return is_hard(value) and any(each.isdigit() for each in value)


# --- commands and statements

_ARGUMENT = r"(\"[^\"\n]+|'[^'\n]+|[^\s\"'|;&<>]\S*)"
_OPTION = r"(?:[ \t]+\S+)*?[ \t]+"
_COMMANDS: tuple[tuple[str, str], ...] = (
    ("command-password", rf"\b(?:mysql|mysqldump|mysqladmin|mysqlimport|mysqlsh|mariadb|mariadb-dump|mariadb-admin|mycli){_OPTION}-p{_ARGUMENT}"),
    ("command-password", rf"\b(?:mongo|mongosh|mongodump|mongorestore|docker|podman|buildah|skopeo|helm|oc|az|twine|cf|nerdctl|psql|clickhouse-client|influx|rclone|sqlcmd|snowsql|ldapsearch|ldapadd|ldapmodify|ldapwhoami|svn|cqlsh|bcp|ipmitool|smbclient|xfreerdp|plink|pscp|hashcat|mosquitto_pub|mosquitto_sub|htpasswd|sshpass|nordvpn|impacket-\w+){_OPTION}(?:-p|-P|-w|-pw|--pw|--password|--pass)[ \t]+{_ARGUMENT}"),
    ("command-password", rf"\bsshpass[ \t]+-p{_ARGUMENT}"),
    ("command-password", rf"\bmysqladmin{_OPTION}password[ \t]+{_ARGUMENT}"),
    ("command-password", rf"\b(?:curl|http|https|wget|httpie|xh){_OPTION}(?:-u|--user|-U|--proxy-user|-a|--auth)[ =]?[\"']?([^\s:\"'|;&<>]*:[^\s\"']+)"),
    ("command-password", rf"\bredis-cli{_OPTION}-a[ \t]+{_ARGUMENT}"),
    ("command-password", rf"\b(?:un)?zip{_OPTION}-P[ \t]*{_ARGUMENT}"),
    ("command-password", rf"\b7z[ar]?{_OPTION}-p{_ARGUMENT}"),
    ("command-password", rf"-pass(?:in|out)?[ \t]+[\"']?pass:([^\s\"']+)"),
    ("command-password", rf"\bhtpasswd[ \t]+-[a-zA-Z]*b[a-zA-Z]*[ \t]+\S+[ \t]+\S+[ \t]+{_ARGUMENT}"),
    ("command-password", rf"\b(?:vault[ \t]+login|doctl[ \t]+auth[ \t]+init[ \t]+-t|auth[ \t]+login[ \t]+--with-token[ \t]*<<<)[ \t]+{_ARGUMENT}"),
    ("command-password", rf"\brabbitmqctl[ \t]+(?:add_user|change_password)[ \t]+\S+[ \t]+{_ARGUMENT}"),
    ("command-password", rf"\baws[ \t]+configure[ \t]+set[ \t]+(?:[\w.-]+\.)?aws_(?:secret_access_key|session_token)[ \t]+{_ARGUMENT}"),
    ("command-password", rf"\b(?:echo|printf)[ \t]+(?:-n[ \t]+)?{_ARGUMENT}[ \t]*\|[ \t]*(?:sudo[ \t]+(?:-\S+[ \t]+)*-S|(?:docker|podman|helm|gh|cf|npm|az)\b[^|\n]*(?:--password-stdin|--with-token|--passphrase-fd))"),
    ("command-password", rf"\b(?:echo|printf)[ \t]+[\"']?[\w.-]+:([^\s\"']+)[\"']?[ \t]*\|[ \t]*(?:sudo[ \t]+)?chpasswd"),
    ("command-password", rf"(?i)\bnet[ \t]+(?:user|use)[ \t]+(?:[^\s/]+[ \t]+)+?/user:\S+[ \t]+{_ARGUMENT}"),
    ("command-password", rf"(?i)\bnet[ \t]+user[ \t]+\S+[ \t]+([^\s/]\S*)[ \t]+/add"),
    ("command-password", rf"(?i)\bConvertTo-SecureString[ \t]+(?:-String[ \t]+)?{_ARGUMENT}"),
    ("command-password", rf"(?:^|[\s\"'\[,])--?(?:[A-Za-z0-9_-]*(?:password|passwd|passphrase|pass|secret|token|api-?key|apikey|auth-?key|access-?key|private-?key|pwd|credential|credentials))[\"']?(?:[ \t]+|,[ \t]*|=)(\"[^\"\n]+|'[^'\n]+|[^\s\"'|;&<>-][^\s\"']*)"),
    ("sql-password", r"(?i)\bidentified[ \t]+(?:with[ \t]+\S+[ \t]+)?(?:by|as)[ \t]+(?:password[ \t]+)?\\?[\"']([^\"'\n\\]+)"),
    ("sql-password", r"(?i)\b(?:with|encrypted|unencrypted|set|login)[ \t]+(?:encrypted[ \t]+)?password[ \t]*=?[ \t]*(?:password\()?[ \t]*N?\\?[\"']([^\"'\n\\]+)"),
    ("sql-password", r"(?i)\b(?:create|alter)[ \t]+(?:user|role|login)[ \t]+[^\n;]{1,200}?password[ \t]*=?[ \t]*N?\\?[\"']([^\"'\n\\]+)"),
    ("config-password", r"(?im)^[ \t]*(?:requirepass|masterauth)[ \t]+[\"']?([^\s\"']+)"),
    ("config-password", r"(?i)\bmachine[ \t]+\S+\s+login[ \t]+\S+\s+password[ \t]+[\"']?([^\s\"']+)"),
    ("config-password", r"(?i)\blogin[ \t]+\S+\s+password[ \t]+[\"']?([^\s\"']{3,})"),
    ("config-password", r"(?m)^(?:[\w.*-]+:(?:\d+|\*):[\w*-]+:[\w*.-]+:)([^\s:]+)$"),
    ("command-password", r"(?im)^(?:>[ \t]*|\S*redis\S*>[ \t]*)?AUTH[ \t]+(?:\S+[ \t]+)?([^\s\"']{6,})[ \t]*$"),
)  # fmt: skip
"""Name and pattern (RE2); the last group is the secret, with the quote that opens it."""


def in_commands(data: bytes) -> Iterator[Span]:
    """Find passwords and tokens that are handed to programs, said to databases, or kept in their files."""
    if not _any_command().search(data):
        return
    for name, pattern in _COMMANDS:
        for found in _regex(pattern).finditer(data):
            group = found.re.groups
            start, end = found.span(group)
            value = data[start:end]
            if value[:1] in b"\"'" and value:
                start, value = start + 1, value[1:]
            if b":" in value and b"curl|http" in pattern.encode():
                user = value.index(b":") + 1
                start, value = start + user, value[user:]
            while value and value[-1:] in b"),;]}`\"'" and name != "sql-password":
                value, end = value[:-1], end - 1
            told = _text(value)
            if len(told) >= 2 and not is_placeholder(told) and not told.startswith("-") and not _is_word_of_help(told, data, end):
                yield start, end, name


def _is_word_of_help(value: str, data: bytes, end: int) -> bool:
    """Say whether a value is the next word of a usage text or a sentence: `--password is required`, `--token TOKEN`."""
    if value.isupper() and value.replace("_", "").isalpha():
        return True
    line = _text(data[end : end + 60]).split("\n", 1)[0]
    return value.lower() in _HELP or is_prose(f"{value} {line}") and value.isalpha() and value.lower() in _HELP_WITH_MORE


_HELP = frozenset("is must or and option flag flags argument cannot was not for string text value file to in are requires required if when".split())
_HELP_WITH_MORE = frozenset("the a an your this that with from should can be".split())


@lru_cache(maxsize=1)
def _any_command() -> Any:
    return compiled(
        r"(?i)mysql|mariadb|mycli|mongo|docker|podman|buildah|skopeo|helm|twine|sqlcmd|snowsql|ldap|svn|cqlsh|smbclient|freerdp|plink|"
        r"pscp|mosquitto|sshpass|curl|http|wget|redis|zip|7z|-pass|htpasswd|vault|auth|rabbitmqctl|aws|sudo|chpasswd|net |securestring|"
        r"pass|token|secret|key|pwd|credential|identified|requirepass|masterauth|:\*:|\baz |\bcf |\boc |psql|click|influx|rclone|:\d+:",
        capture=False,
    )


# --- names and their values

_NAME = (
    rf"(?i)([\w$.-]*(?:{ENGLISH})[\w-]*|(?:{CHINESE}))"
    r"(\\*[\"'`”’»」]?\)?\]?[ \t]{0,8}(?:=>|:=|={1,3}|!=|:|：|＝|->|-&gt;)[ \t]{0,8}(?:\r?\n[ \t]+)?"
    r"|\\*[\"'`]?[ \t]*,?\s*\\*[\"'`]?\bvalue\\*[\"'`]?[ \t]*[:=][ \t]*|>"
    r"|[\"'`],[ \t]*"
    r"|[ \t]+(?:is|was|are)[ \t]*:?[ \t]+|[ \t]*(?:是|为|為)[ \t]*[:：]?[ \t]*"
    r"|[ \t]*[(]|[ \t]+(?:provided|given|used|value|id)?[ \t]*[:：]?[ \t]*)"
    r"(?:[bruf]{1,2}\b)?"
)
_PAIRS = {'"': '"', "'": "'", "`": "`", "“": "”", "「": "」", "『": "』", "‘": "’", "”": "”"}
_QUOTES = {opening: re.compile(rf"(?:[^{closing}\\\r\n]|\\.)*+") for opening, closing in _PAIRS.items()}
"""What stands between quotes, by the one that opens."""
_ESCAPED = {opening: re.compile(rf"[^{closing}\\\r\n]*+") for opening, closing in _PAIRS.items()}
"""The same where the quotes themselves are escaped, in a JSON text within another."""
_ESCAPED_QUOTE = re.compile(r"\\+(?=[\"'])")
_MORE = re.compile(r"[ \t]+[A-Za-z]")
_BARE = re.compile(r"[^\s\"'`<>“”「」，。；！？、（）]+")
_CUT = re.compile(r"[,;&)}\]|](?=$|\s|\\?[\"']?[\w.$-]+\\?[\"']?\s?[=:]|[,;&)}\]|])|\\[nrt]|\\?[\"']")
_END = ",;:.!?)}]|\\"


def after_names(data: bytes) -> Iterator[Span]:
    """Find the values of names that name secrets: `password=…`, `"apiKey": "…"`, `密码：…`, `<token>…`, `name: …  value: …`."""
    covered = 0
    for found in _regex(_NAME).finditer(data):
        first, last = found.span(1)
        level = naming(_text(data[max(first, last - 200) : last]))
        at = found.end()
        if level == "no" or at < covered or data[first - 3 : first] == b"://":
            continue
        value, start, quoted, more = _value_at(data, at)
        if value and _is_secret(value, level, _text(data[slice(*found.span(2))]), quoted=quoted, more=more):
            covered = start + len(value.encode())
            if len(value) > VALUE_BYTES // 2:
                covered = _end_of(data, covered, data[start - 1 : start] if quoted else b"")
            yield start, covered, _rule_of(data[first:last])


def _is_secret(value: str, level: Naming, separator: str, *, quoted: bool, more: bool) -> bool:
    """Say whether a value is a secret, by what its name says and what stands between the two."""
    led = separator.strip(" \t\\\"'`”’»」])\r\n")
    if led == ",":
        return quoted and level == "strong" and secret_of_weak(value, quoted=True, prose=False)
    if led in _LOOSE or level == "loose":
        return secret_when_long(value) or (quoted and level == "strong" and secret_of_weak(value, quoted=True, prose=False))
    if level == "weak":
        return secret_of_weak(value, quoted=quoted, prose=led != "=")
    said = led.rstrip(" :：") in _SAID
    prose = said or (led in (":", "：") and not _QUOTED_NAME.search(separator))
    good = secret_of_strong(value, quoted=quoted, prose=prose, more=more)
    return good and (quoted or led.rstrip(" :") not in _SAID_ENGLISH or is_hard(value))


_LOOSE = frozenset(("", "(", "provided", "given", "used", "value", "id", "provided:", "given:", "used:", "id:"))
_SAID_ENGLISH = frozenset(("is", "was", "are"))
_SAID = _SAID_ENGLISH | frozenset("是为為")
_QUOTED_NAME = re.compile(r"[\"'`]")


def _end_of(data: bytes, at: int, quote: bytes) -> int:
    """Give where a long value ends: before its closing quote, or the next blank."""
    found = (_TO_QUOTE.get(quote) or _TO_BLANK).search(data, at)
    return found.start() if found else len(data)


_TO_BLANK = re.compile(rb"[\s\"'<>]")
_TO_QUOTE = {b'"': re.compile(rb"[\"\r\n]"), b"'": re.compile(rb"['\r\n]"), b"`": re.compile(rb"[`\r\n]")}


def _value_at(data: bytes, at: int) -> tuple[str, int, bool, bool]:
    """Give the value that begins at a place, where it begins in bytes, whether it is quoted, and whether words follow it."""
    for window in (160, VALUE_BYTES):
        end = data.find(b"\n", at, at + window)
        text = _text(data[at : end if end >= 0 else at + window])
        value, offset, quoted, more = _value_of(text)
        if end >= 0 or offset + len(value) + 40 < len(text):
            break
    return value, at + len(text[:offset].encode()), quoted, more


def _value_of(text: str) -> tuple[str, int, bool, bool]:
    """Give the value at the beginning of a text, where it begins, whether it is quoted, and whether words follow it."""
    escaped = _ESCAPED_QUOTE.match(text)
    begin = escaped.end() if escaped else 0
    opening = text[begin : begin + 1]
    if opening in _QUOTES:
        closed_by = (_ESCAPED if escaped and escaped[0] else _QUOTES)[opening]
        found = closed_by.match(text, begin + 1)
        value = found[0] if found else ""
        return value, begin + 1, True, False
    found = _BARE.match(text)
    if not found:
        return "", 0, False, False
    value = found[0]
    cut = _CUT.search(value)
    value = (value[: cut.start()] if cut else value).rstrip(_END)
    return value, 0, False, bool(_MORE.match(text, len(value)))


def _rule_of(name: bytes) -> str:
    low = name.lower()
    if b"pass" in low or b"pwd" in low or any(each.encode() in name for each in ("密码", "口令", "密碼")):
        return "password"
    if b"token" in low or b"jwt" in low or "令牌".encode() in name:
        return "token"
    if b"cookie" in low:
        return "cookie"
    return "key" if b"key" in low or "密钥".encode() in name else "secret"


# --- bytes and texts


def _text(data: bytes) -> str:
    return data.decode("utf-8", "ignore")


@lru_cache(maxsize=64)
def _regex(pattern: str) -> Any:
    return compiled(pattern)
