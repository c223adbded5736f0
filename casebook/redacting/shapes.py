"""What random text looks like, and the innocent shapes that look like it: hashes, encoded text, ids, names, paths."""

from __future__ import annotations

import base64
import binascii
import re
from functools import lru_cache
from operator import add

from casebook.redacting.word_list import words

_COMMON = words(
    "th he in er an re nd on en at ou ed ha to or it is hi es ng as ar te se st io le ve co me de ti ri ro ic ne ea ra ce li "
    "ch ll be ma si om ur ca el ta la ns di fo ho pe ec pr no ct us ac ot il tr ly nc et ut ss so rs un lo wa ge ie wh ee wi em "
    "ad ol rt po we na ul ni ts mo ow pa im mi ai sh ir su id os iv ia am fi ci vi pl ig tu ev ld ry mp fe bl ab gh ty op wo sa "
    "ay ex ke fr oo av ag if ap gr od bo sp rd do uc bu ei ov by rm ep tt oc fa ef cu rn sc gi da yo cr cl du ga qu ue ff ba "
    "ey ls va um pp ua up lu go ht ru ug ds lt pi rc rr eg au ck ew mu br bi pt ak pu ui rg ib tl ny ki rk ys ob mm fu ph og ms "
    "ye ud mb ip ub oi rl gu dr hr cc tw ft wn nu af hu nn eo vo rv nf xp gn sm fl iz ok nl my gl aw ju oa eq sy sl ps jo lf "
    "nv je nk kn gs dy hy ze ks xt bs ik dd pt rp sk xi oe oy ws lv dl rf eu dg wr xa yi nm eb rb tm xc eh tc gy ja hn yp za gg "
    "db js xm ml ap np gc mq sq py"
)
"""The pairs of letters that four of five neighbours in English words and identifiers are, and a third of random ones."""

_RANDOM_SHARE = 0.62
_RANDOM_PIECE = 2.8
"""Below this mean length of the pieces that cases and digits cut a text into it is no name. Measured: of 20,000 random tokens of 24
to 40 letters and digits 99 % are below it (median 1.9), of 32,000 identifiers and paths in Python's packages 0.3 % (median 5.7)."""

_HEX = re.compile(r"(?:0x)?[0-9a-fA-F]+")
_UUID = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")
_LETTERS = re.compile(r"[a-z]+")
_MAGIC = (
    "iVBORw0KGgo", "/9j/", "R0lGOD", "UklGR", "JVBERi0", "UEsDB", "H4sI", "PHN2Zy", "AAABAA", "d09G", "AAEAAAA", "T2dnUw",
    "SUkqAA", "TU0AK", "AAAAB3NzaC1", "AAAAC3NzaC1", "AAAAE2VjZHNh", "AAAAGnNr", "AAAA", "TVqQAA", "f0VMRg", "yv66vg", "AGFzbQ",
    "PD94bW", "PCFET0", "SUQz", "GkXfo", "MII", "LS0tLS1CRUdJTiBDRVJU", "LS0tLS1CRUdJTiBQVUJM", "mQENB", "mQINB",
)  # fmt: skip
"""How the base64 of pictures, archives, fonts, public keys, certificates and programs begins."""


def common_share(text: str) -> tuple[float, int]:
    """Give the share of neighbouring letters that are a common pair, and how many pairs there are."""
    pairs = common = 0
    for run in _LETTERS.findall(text.lower()):
        pairs += len(run) - 1
        common += sum(map(_COMMON.__contains__, map(add, run, run[1:])))
    return (common / pairs if pairs else 0.0), pairs


def piece_length(text: str) -> float:
    """Give the mean length of the pieces that cases, digits and signs cut a text into: `fooBar12` has three."""
    pieces = _PIECES.findall(text)
    return sum(map(len, pieces)) / len(pieces) if pieces else 0.0


_PIECES = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_NUMBERS = re.compile(r"[0-9]+")


@lru_cache(maxsize=4096)
def is_random(text: str) -> bool:
    """Say whether a text looks drawn at random: cases and digits change more often than in names, or no words are in it."""
    text = text[:200]
    if len(text) < 8 or not any(map(str.isalpha, text)):
        return False
    if _HEX.fullmatch(text):
        return len(text) >= 16 and any(map(str.isdigit, text))
    if text.lower() != text and text.upper() != text:
        return piece_length(text) < (_RANDOM_PIECE if len(text) < 32 else 3.3)
    share, pairs = common_share(text)
    numbers = len(_NUMBERS.findall(text))
    if pairs < 5:
        return len(text) >= 12 and numbers >= 3 and len(set(text)) >= 8 and "-" not in text
    return share < _RANDOM_SHARE and numbers >= 2 and piece_length(text) < 5


def decodes_to_text(text: str) -> bool:
    """Say whether a text is the base64 of plain text."""
    core = text.rstrip("=")
    if len(core) < 16 or len(core) % 4 == 1:
        return False
    try:
        raw = base64.b64decode(core + "=" * (-len(core) % 4), altchars=b"-_" if "-" in core or "_" in core else None)
    except (binascii.Error, ValueError):
        return False
    try:
        plain = raw.decode()
    except UnicodeDecodeError:
        return False
    return sum(each.isprintable() or each in "\n\r\t" for each in plain) >= 0.97 * len(plain)


def is_encoded(text: str) -> bool:
    """Say whether a text is the base64 of something known: text, a picture, an archive, a public key."""
    return text.startswith(_MAGIC) or decodes_to_text(text)


_ID = re.compile(
    r"[a-z][a-z0-9]{0,11}(?:[_-][a-z]{1,8})?[_-](?=[A-Za-z0-9])|sha\d{3}-|Qm(?=[1-9A-HJ-Za-km-z]{44}$)|_+Z|bafy|h1:"
)
_SECRET_PREFIX = re.compile(
    r"(?i)^(?:[a-z0-9]+[_-])*?(?:sk|pk|rk|key|secret|token|tok|pat|api|access|auth|priv|pw|pass)\d?[_-]"
)


@lru_cache(maxsize=4096)
def stands_alone_as_secret(token: str) -> bool:
    """Say whether a token that nothing names a secret is one by its look: 24 to 200 characters, all classes, no words."""
    core = token.rstrip("=")
    if not 24 <= len(core) <= 200 or core.lower() == core or core.upper() == core:
        return False
    if len(set(core)) < 12 or not _has_digits(core) or _UUID.search(core) or _HEX.fullmatch(core) or is_encoded(token):
        return False
    aws = len(core) == 40 and ("/" in core or "+" in core)
    if piece_length(core) >= (3.3 if aws else _RANDOM_PIECE):
        return False
    if (
        "-" in core
        and len(tail := core.rsplit("-", 1)[1]) >= 32
        and _HEX.fullmatch(tail)
        and not _SECRET_PREFIX.match(core)
    ):
        return False
    if _FOLDERS.match(core):
        return False
    if _ID.match(core) and not _SECRET_PREFIX.match(core):
        return False
    return not any(_is_word(part) for part in _PARTS.split(core))


_FOLDERS = re.compile(r"/?(?:[a-z]{2,12}/){2}")
"""How a path begins, and what is random almost never does."""
_PARTS = re.compile(r"[/_+-]")


def _has_digits(text: str) -> bool:
    """Say whether there are as many numbers in a text as a random one of its length has almost always."""
    return len(_NUMBERS.findall(text)) >= (1 if len(text) >= 40 else 2)


def _is_word(part: str) -> bool:
    """Say whether a part between slashes or dashes is words or a number, so that the whole is a path or a name."""
    if len(part) >= 5 and part.isalpha() and (part.islower() or part.istitle() or part.isupper()):
        return common_share(part)[0] >= 0.6
    if len(part) >= 10:
        return piece_length(part) >= 3.5
    return len(part) >= 7 and part.isdigit()
