"""Secrets that are said in a sentence, with no sign between: `the db password for staging hunter2`, `密码用 hunter2`, `pin 4711`.

A word that names a secret and, soon after it, one that looks like one (`said_shapes`): what stands between decides how much it has to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from casebook.redacting.naming import CHINESE, naming
from casebook.redacting.said_shapes import Look, look_of
from casebook.redacting.spans import Span, regex, text_of
from casebook.redacting.word_list import words

_WORD = (
    r"(?i)(pin码|(?:[\w-]*(?:pass(?:words?|wd|phrases?|codes?|wort|wörter)?|kennw(?:ort|örter)|pwd|psw|pw|secrets?|tokens?|credentials?|creds|"
    r"contraseña|contrasena|senha|[ -]?keys?)|\bpins?|\bmot de passe)\b|" + CHINESE + r")"
)
_SIGHT = 160
"""Bytes before and after the word that are looked at."""
_GAP = 5
"""Words that may stand between (ours): `password for the staging db hunter2`."""

Strength = Literal["password", "pin", "weak"]

_FILLERS = words(
    "is was are were be will still now currently again just like namely equals stays remains : - – — / | -> → ： here ist war "
    "lautet heißt bleibt es était est called works should code number nummer today follows below above this"
)
"""What leads on to the secret without naming anything."""
_SAYING = words("is was are equals ist war lautet heißt es est : -> → ：")
"""What the secret follows, whatever stands before: `the password of the shop db is hunter2`."""
_SETTING = words("set changed reset updated rotated switched change update put rotate switch make made")
_BEFORE_NOUN = words(
    "for of on in at from by with to into per via under over inside within against as after before since until than the a an "
    "this that my our your their his her its für fuer auf von im am bei zu zum mit der die das den dem des le la les du de el en para por"
)
_THINGS = words(
    "user users account accounts host hosts server servers machine machines db database databases project projects ticket tickets issue "
    "version release build env environment node nodes cluster service app application instance vm box pod container name id login file "
    "column table field row step line page commit branch tag key port release ref error code number team group room customer tenant schema"
)
"""What is followed by the name of one of its kind: `the password for user ann42`."""
_STOPS = words(
    "manager managers policy policies reset resets rotation hash hashes hashing hasher salt field fields file files generator "
    "strength length expiry expired expires expiration prompt input form column columns table type encoder encoding encrypted "
    "encryption algorithm protected protection authentication auth login validation validator check checker verification error errors "
    "mismatch incorrect invalid wrong failed failure must cannot can may might needs need requires required has have had "
    "contains contain consists uses use used using stored store stores storage vault min minimum max maximum at-least least "
    "vergessen zurücksetzen ändern falsch läuft count counts limit limits budget usage bucket buckets ring rings or not no never "
    "pair pairs size attempt attempts retries retry spraying cracking leak leaks leaked class function method module library package "
    "endpoint route test tests case cases history rule rules complexity format regex pattern hint hints "
    "fingerprint fingerprints sharing sync box recovery keeper safe gate grant flow provider service scanning scanner"
)
"""What makes of the word before it something else than a secret that is told."""
_ENDS = re.compile(
    r"\s*(?:$|[.,;:!?)}\]。，；！？）、]|[\"'`”」]\s*(?:$|[.,;!?)])|\b(?:for|of|on|and|but|or|so|as|in|at|to|if|when|please|today|yesterday|tomorrow|now|again|instead|because|which|until|since|from|by|with|after|before|und|für|oder|gestern|heute)\b|[^\x00-\x7f])"
)
_OPTION = re.compile(r"--?[A-Za-z]")
_TOKEN = re.compile(r"[^\s，。；！？、（）“”「」『』：]+|[，、：]")
_STRIPPED = "\"'`“”‘’「」()[]{},;:.?"
_USED = re.compile(r"(?i)\b(?:user(?:name)?|login|log in|account|benutzer|usuario)\b|用户|账号|帐号")
_SENTENCE = re.compile(r"[。；！？]|[.;!?](?=\s)")
_CHINESE_STOPS = re.compile(
    r"^学|管理|策略|长度|强度|重置|忘记|忘了|错误|至少|最多|加密|哈希|算法|过期|校验|验证|规则|字段|工具|提示|不正确|不对|泄露|登录页|生成|复杂|格式|位数|找回|失效|保存|存储|存在|存到|放在|写在|文件"
)
_CHINESE_OF_SOMEBODY = re.compile(
    r"(?:找|问|給|给|告诉|由|跟|和|与|对|让|被|到|在|从|用户|服务器|主机|账号|帐号|项目|版本|文件)\s*$"
)
"""What is followed by a person or a place."""
_CHINESE_AFTER = re.compile(
    r"\s*(?:加密|哈希|算法|编码|校验|认证|存储|保存|位|个|字符|版本|管理|协议|签名|生成|散列|年|月|天|号)"
)
_ASCII_WORD = re.compile(r"[!-~]{4,}")
_SAID_BEFORE = re.compile(r"[!-~][ \t]*(?:\b(?:is|was|as|for|ist|als)\b|[是就当做作])")
_REVERSED = re.compile(
    r"(?:^|[\s\"'`“「:：,，用是])([!-~]{4,120}?)[\"'`”」]?"
    r"(?:[ \t]+(is|was|as|for|ist|als)[ \t]+(?:(?:the|my|our|your|his|her|their|a|das|mein|unser)[ \t]+)?(?:[A-Za-z_-]+[ \t]+){0,2}"
    r"|[ \t]*(?:是|就是|当|做|作|作为|当作|当做)(?:我|你|他|我们|你们|新|旧|的|登录|管理员|数据库|[A-Za-z ]){0,8})$"
)


def in_sentences(data: bytes) -> Iterator[Span]:
    """Find secrets that follow, or go before, a word that names them, with no sign between."""
    for found in regex(_WORD).finditer(data):
        start, end = found.span(1)
        name = text_of(data[start:end])
        strength = _strength(name, data, start, end)
        if strength is None:
            continue
        after = text_of(data[end : end + _SIGHT]).split("\n", 1)[0]
        rule = {"pin": "pin", "password": "password", "weak": "secret"}[strength]
        at = _chinese(after, strength) if not name[:1].isascii() or "码" in name else _following(after, strength)
        if at is not None:
            first = end + len(after[: at[0]].encode())
            yield first, first + len(after[at[0] : at[1]].encode()), rule
        if strength == "password" and _ENDS.match(after):
            before = text_of(data[max(0, start - _SIGHT) : start]).rsplit("\n", 1)[-1]
            told = _REVERSED.search(before) if _SAID_BEFORE.search(before[-60:]) else None
            value = told[1].strip(_STRIPPED) if told else ""
            if told and look_of(value) in (("marked",) if told[2] == "for" else ("marked", "plain")):
                first = start - len(before[told.start(1) + told[1].index(value) :].encode())
                yield first, first + len(value.encode()), rule


def in_logins(data: bytes) -> Iterator[Span]:
    """Find passwords beside the name of an account: `login: mara / hunter2`, `账号 mara / hunter2`."""
    for found in regex(_LOGIN).finditer(data):
        value = text_of(data[slice(*found.span(1))]).strip(_STRIPPED)
        if look_of(value) == "marked":
            start = found.start(1) + data[slice(*found.span(1))].index(value.encode())
            yield start, start + len(value.encode()), "password"


_LOGIN = r"(?i)(?:(?:\blog-?ins?|\bcred(?:ential)?s?|\baccounts?|账号|帐号|账户)[ \t]*[:：]?|账号|帐号|账户)[ \t]*[\w.@+-]{1,60}[ \t]*[/|,，][ \t]*([!-~]{5,120})"
"""A name and a password that nothing but a stroke or a comma parts."""


def _strength(name: str, data: bytes, start: int, end: int) -> Strength | None:
    """Say what a word names; None where it is no word of a sentence, or names no secret."""
    if name.isascii() or "ñ" in name:
        if (
            data[start - 1 : start] in _WITHIN
            or data[end : end + 1] in _GOES_ON
            or data[max(0, start - 10) : start] == _MASK
        ):
            return None
        low = name.lower().replace(" ", "_")
        if low in ("pin", "pins"):
            return "pin"
        last = re.split(r"[_-]", low)[-1]
        if last == "pw" or last.startswith(("kennw", "contrase", "senha")) or low == "mot_de_passe":
            return "password"
        if last == "pass":
            return "password" if _USED.search(text_of(data[max(0, start - 40) : start])) else None
        level = naming(low)
        if level in ("no", "loose"):
            return None
        return "password" if _PASSWORD.search(last) else "weak"
    if name.lower().startswith("pin"):
        return "pin"
    return "password" if naming(name) == "strong" else None


_PASSWORD = re.compile(r"pass|pwd|psw|creds|credential")
_WITHIN = frozenset((b"$", b".", b"/", b"@", b"&", b"?", b"=", b"\\", b"<", b"{", b"%", b"#"))
_MASK = b"[redacted:"
_GOES_ON = frozenset(
    (b"(", b"[", b"]", b",", b"/", b".", b"\\", b"=", b"-", b">", b"}", b"@", b"{", b"<", b"%", b")", b'"', b"'", b"`")
)


def _following(text: str, strength: Strength) -> tuple[int, int] | None:
    """Give where the secret stands in what follows its name; None where none does."""
    text = _SENTENCE.split(text, maxsplit=1)[0] if _SENTENCE.search(text) else text
    between: list[str] = []
    is_led = True
    for found in _TOKEN.finditer(text):
        token = found[0]
        if "[redacted:" in token or len(between) > _GAP or _OPTION.match(token):
            return None
        value = token.strip(_STRIPPED)
        word = value.lower()
        if value:
            first = found.start() + token.index(value)
            led = [] if is_led else between
            if _is_told(look_of(value), value, led, strength, text[first + len(value) :]):
                return first, first + len(value)
        if word in _STOPS:
            return None
        if not word.isascii() and not word.isalpha():
            return None
        is_led = word in _SAYING or (is_led and word in _FILLERS)
        if word and word not in _FILLERS:
            if not word.replace("-", "").replace("_", "").replace("'", "").isalnum():
                return None
            between.append(word)
        if token[-1:] in ",，" and between:
            return None
    return None


def _is_told(look: Look, value: str, between: list[str], strength: Strength, rest: str) -> bool:
    """Say whether a word is the secret, by its look, what leads to it and what follows."""
    if look == "no":
        return False
    if strength == "pin":
        return look == "digits" and 4 <= len(value) <= 8 and not between and bool(_ENDS.match(rest))
    if look == "digits":
        is_long = len(value) >= 6
        return (
            strength == "password"
            and not between
            and not _YEAR.fullmatch(value)
            and (is_long or bool(_ENDS.match(rest)))
        )
    if strength == "weak":
        return (
            look == "marked"
            and not between
            and len(value) >= 8
            and bool(_ENDS.match(rest))
            and not _HEX.fullmatch(value)
        )
    if not between:
        return look == "marked" or bool(_ENDS.match(rest))
    if between[-1] == "to" and (len(between) == 1 or not _SETTING.isdisjoint(between)):
        return bool(_ENDS.match(rest))
    if between[-1] in _BEFORE_NOUN or any(each in ("by", "than") for each in between):
        return False
    has_thing = any(each in _BEFORE_NOUN for each in between)
    if between[-1] in _THINGS:
        return look == "marked" and any(each in "!@#$%^&*?~+=" for each in value)
    return bool(_ENDS.match(rest)) and (look == "marked" or has_thing)


_YEAR = re.compile(r"(?:19|20)\d\d")
_HEX = re.compile(r"(?:0x)?[0-9a-fA-F]+")


def _chinese(text: str, strength: Strength) -> tuple[int, int] | None:
    """Give where the secret stands after a word in Chinese: as the next thing that is not Chinese, a few characters on."""
    found = _ASCII_WORD.search(text)
    if found is None or found.start() > 16:
        return None
    before = text[: found.start()]
    if _CHINESE_STOPS.search(before) or _SENTENCE.search(before) or re.search(r"[A-Za-z]", before):
        return None
    token = found[0]
    value = token.strip(_STRIPPED)
    rest = text[found.end() :]
    look = look_of(value) if value else "no"
    if look == "no" or _CHINESE_AFTER.match(rest) or _CHINESE_OF_SOMEBODY.search(before):
        return None
    if look == "digits" and (len(value) < (4 if strength == "pin" else 6) or before.strip(" ,，:：是为码")):
        return None
    if strength == "pin" and look != "digits":
        return None
    first = found.start() + token.index(value)
    return first, first + len(value)
