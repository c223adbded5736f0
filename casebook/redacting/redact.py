"""`redact`: a text without its secrets. Before anything is signed, stored or shown (DESIGN section 10, Privacy)."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from casebook.redacting.commands import in_commands
from casebook.redacting.headers import in_headers
from casebook.redacting.keys import private_keys
from casebook.redacting.named import after_names
from casebook.redacting.naming import names_secret
from casebook.redacting.policy_patterns import pattern_of
from casebook.redacting.said import in_logins, in_sentences
from casebook.redacting.said_words import in_words
from casebook.redacting.shorten import shortened
from casebook.redacting.spans import Span, compiled, regex
from casebook.redacting.tokens import of_services, random_tokens
from casebook.redacting.urls import in_urls
from casebook.redacting.values import is_placeholder

__all__ = ["redact", "redacted", "shortened"]

_FINDERS = (
    private_keys,
    of_services,
    in_urls,
    in_headers,
    in_commands,
    after_names,
    random_tokens,
    in_sentences,
    in_words,
    in_logins,
)
_ROUNDS = 4
"""Rounds at the most: what a mask uncovers (a value beside it) is found in the next."""
_MASK = re.compile(rb"\[redacted:[a-z0-9-]+\]")
_UNSEEN = (
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # colours
    r"|[\x00-\x08\x0e-\x1b\x1f\x7f\x{80}-\x{84}\x{86}-\x{9f}\x{ad}\x{34f}\x{61c}\x{115f}\x{1160}\x{17b4}\x{17b5}\x{180b}-\x{180f}"
    r"\x{200b}-\x{200f}\x{202a}-\x{202e}\x{2060}-\x{206f}\x{3164}\x{fe00}-\x{fe0f}\x{feff}\x{ffa0}\x{fff9}-\x{fffb}"
    r"\x{e0000}-\x{e0fff}]+"
)
"""What may stand within a secret without being seen; line ends and blanks are seen."""
_SUSPICIOUS = (
    r"(?i)pass|pwd|psw|secret|token|key|auth|cookie|cred|bearer|basic |jwt|mnemonic|seed|otp\b|sig|dsn|密|口令|令牌|秘钥|私钥|凭|授权码|授權碼|暗号|匙|金鑰|私鑰|助记词|助記詞|psk|snmp|openssl|sudo|lftp|kinit|user(?:add|mod)|rdp|\w@(?:tcp|unix)|connect\(|\bmc |\$\d"
    r"|://\S*@|[A-Za-z0-9+/_.=~$:-]{15}|-----|\s-[pPauUwbN]|--user|oracle:|sqlplus|add_user|net use|sessid|_session=|connect\.sid|PRIVATE|identified|requirepass|login|convertto|\bpw\b|\bpins?\b|pin码|kennw|contrase|senha|account|账号|帐号|账户|パスワード|비밀번호|парол|[?&]\w+=|:\S*:\S*:"
)


def redact(text: str, patterns: tuple[str, ...] = ()) -> str:
    """Give the text with each secret replaced by a mask, `[redacted:NAME]`, that tells the rule: `[redacted:aws-key]`.

    What is no secret comes back as it is, but for lone surrogates, which become U+FFFD where anything is masked. A secret is found,
    too, where what nobody sees (zero-width and control characters, colours) stands in it. Redacting twice is redacting once. The
    time grows with the text alone.

    Args:
        text: any text.
        patterns: further ones (RE2, `policy.redact`): what they match is masked whole, as `[redacted:policy]`.

    Raises:
        PolicyError: RE2 does not take one of the patterns; reading a policy refuses such a one already.
    """
    return _short(text, patterns) if len(text) <= _SHORT else _clean(text, patterns)


def _clean(text: str, patterns: tuple[str, ...]) -> str:
    data = _bytes(text)
    if not patterns and not _suspicious().search(data):
        hidden = None if text.isascii() and text.isprintable() else _visible(data)
        if hidden is None or not _suspicious().search(hidden.data):
            return text
    before = data
    for _ in range(_ROUNDS):
        again = _masked(data, patterns)
        if again == data:
            break
        data = again
    return text if data is before else data.decode("utf-8", "replace")


_SHORT = 48
_short = lru_cache(maxsize=2_048)(_clean)
"""Short texts are mostly names of tools, projects and intents, the same from task to task."""


def redacted(value: Any, patterns: tuple[str, ...] = ()) -> Any:
    """Give a JSON-like value of the same shape without its secrets.

    Texts are redacted, also those that are keys of mappings. Where a key names a secret (`password`, `api_key`, `令牌` …), a text
    or number under it is masked whole; under its lists and mappings each text and number is. What is none of these comes
    back as it is. Never raises, unless a pattern is none: PolicyError.
    """
    return _walk(value, patterns, named=False, depth=0)


_DEEPEST = 200


def _walk(value: Any, patterns: tuple[str, ...], *, named: bool, depth: int) -> Any:
    if isinstance(value, str):
        if named and value and not is_placeholder(value):
            clean = redact(value, patterns)
            return clean if _MASK.fullmatch(clean.encode("utf-8", "replace")) else "[redacted:field]"
        return redact(value, patterns)
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int | float):
        return "[redacted:field]" if named else value
    if depth > _DEEPEST:
        return "[redacted:too-deep]"
    if isinstance(value, Mapping):
        return {
            redact(key, patterns) if isinstance(key, str) else key: _walk(
                item, patterns, named=named or (isinstance(key, str) and names_secret(key)), depth=depth + 1
            )
            for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        items = [_walk(item, patterns, named=named, depth=depth + 1) for item in value]
        return items if isinstance(value, list) else tuple(items)
    return value


def _masked(data: bytes, patterns: tuple[str, ...]) -> bytes:
    """Give a text with what one round finds masked."""
    spans = _spans(data, patterns)
    hidden = _visible(data)
    if hidden is not None:
        found = _spans(hidden.data, patterns)
        spans += [(hidden.place(start), -hidden.place(-end - 1) - 1, rank, name) for start, end, rank, name in found]
    if not spans:
        return data
    spans.sort()
    kept: list[Span] = []
    for start, minus_end, _, name in spans:
        end = -minus_end
        if kept and start < kept[-1][1]:
            first, last, before = kept[-1]
            if end > last:
                kept[-1] = (first, end, before)
        else:
            kept.append((start, end, name))
    pieces: list[bytes] = []
    at = 0
    for start, end, name in kept:
        mask = f"[redacted:{name}]".encode()
        if _MASK.fullmatch(data, start, end):
            mask = data[start:end]
        pieces += (data[at:start], mask)
        at = end
    return b"".join((*pieces, data[at:]))


def _spans(data: bytes, patterns: tuple[str, ...]) -> list[tuple[int, int, int, str]]:
    """Give the spans that a text's secrets have, each with minus its end and the rank of its rule, so that they sort."""
    spans: list[tuple[int, int, int, str]] = []
    for rank, spanned in enumerate((_of_policy(data, patterns), *(finder(data) for finder in _FINDERS))):
        spans.extend((start, -end, rank, name) for start, end, name in spanned if start < end)
    return spans


@dataclass(frozen=True, slots=True)
class _Visible:
    """A text without what nobody sees, and where each piece of it begins, in it and in the text."""

    data: bytes
    begins: tuple[int, ...]
    origins: tuple[int, ...]

    def place(self, at: int) -> int:
        """Give where a byte of it stands in the text."""
        piece = bisect_right(self.begins, at) - 1
        return self.origins[piece] + at - self.begins[piece]


def _visible(data: bytes) -> _Visible | None:
    """Give what is seen of a text; None where all of it is."""
    pieces: list[bytes] = []
    begins: list[int] = []
    origins: list[int] = []
    at = length = 0
    for found in regex(_UNSEEN).finditer(data):
        start, end = found.span()
        if start > at:
            pieces.append(data[at:start])
            begins.append(length)
            origins.append(at)
            length += start - at
        at = end
    if at == 0:
        return None
    begins.append(length)
    origins.append(at)
    return _Visible(b"".join((*pieces, data[at:])), tuple(begins), tuple(origins))


def _of_policy(data: bytes, patterns: tuple[str, ...]) -> Iterable[Span]:
    """Find what the patterns of the policy match; what touches a mask takes it in, what lies in one is left."""
    if not patterns:
        return
    masks = [found.span() for found in _MASK.finditer(data)]
    for each in patterns:
        at = 0
        for found in pattern_of(each).finditer(data):
            start, end = found.span()
            while at < len(masks) and masks[at][1] <= start:
                at += 1
            over = [mask for mask in masks[at : at + 1] if mask[0] < end]
            if any(first <= start and end <= last for first, last in over):
                continue
            for first, last in masks[at:]:
                if first >= end:
                    break
                start, end = min(start, first), max(end, last)
            yield start, end, "policy"


def _bytes(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()


@lru_cache(maxsize=1)
def _suspicious() -> Any:
    return compiled(_SUSPICIOUS, capture=False)
