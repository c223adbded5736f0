"""What stands for a secret and is none: placeholders, words of prose, expressions of code."""

from __future__ import annotations

import re
from functools import lru_cache

from casebook.redacting.naming import naming
from casebook.redacting.shapes import is_random
from casebook.redacting.word_list import words

_PLACEHOLDER = re.compile(
    r"""
      [<\[{(%].*[>\]})%]                                  # <token> [token] {token} {{ token }} %TOKEN%
    | (?:<|\$|\#\{|\{\{|%\(|%\{|\$\().*                   # an unclosed one: $TOKEN ${TOKEN} $(cat f) #{token}
    | &(?i:lt|\#x3c|\#60);.*                              # <token> in HTML
    | %[sdrv]|\{\}|%\w+%
    | @\w+(?:\.\w+)*                                      # @variable
    | (?i:.*(?:your|insert|enter|replace|fill)[-_ ]?(?:\w+[-_ ])*?(?:key|token|secret|password|pass|here|this|me|id).*)
    | (?i:x{3,}|0{6,}) | (?:\*|•|●|·|\.|_|-|\#|\?|=|…|＊){3,}.*   # xxxx ****** ......
    | (?i:.{0,12}?[x*•●]{4,}.{0,6})                       # sk-xxxx, ****1234
    | (?i:(?:change|replace|fill|set)[-_ ]?(?:me|this|it|in)\b.*)
    | (?i:todo|tbd|fixme|redacted|masked|hidden|placeholder|n/?a|none|null|nil|undefined|nan|true|false|yes|no|on|off|empty|
        unset|unknown|omitted|removed|blank|not[-_ ]?set|void)
    | \[?(?:\.\.\.|…)\]?.*
    """,
    re.VERBOSE | re.DOTALL,
)
_VARIABLE = re.compile(r"\$(?:\w+|\{[^}]*\}|\([^)]*\)?|\{\{.*?\}\})|%\w+%|\$env:\w+")

_ORDINARY = words(
    "required optional missing empty invalid incorrect wrong expired valid ok okay failed failure error denied rejected accepted "
    "string str text int integer number bool boolean bytes any object array list dict map function float double char varchar "
    "date datetime uuid url uri email optional none null true false password passwd passphrase secret token key value input "
    "output prompt user username name login admin root field type id yes no not must should can cannot could may might will was "
    "is are has have had been be the a an and or but for to from in on at of with without by as if then else when while this "
    "that these those it its your you my mine our we they them he she please enter set unset reset changed change update "
    "updated created deleted removed revoked provided given found unknown undefined unauthorized forbidden unsupported "
    "disabled enabled too short long weak strong mismatch mismatched matches match does do did only same new old current "
    "previous next first last default auto manual basic bearer digest oauth oauth2 saml ldap ntlm kerberos negotiate jwt const "
    "let var return await async def class self cls public private static final new void let func fn mut pub struct enum "
    "never always unexpected expected syntax parse parsing encoded decoded encrypted hashed hidden masked redacted see check "
    "use using used via per after before until since more less than least most char chars character characters digits letters "
    "length hash code file path env environment variable vault store storage config configuration settings option argument "
    "parameter header body query form cookie session http https stdin stdout file keyring keychain secrets credentials "
    "unchanged same read write readonly plain plaintext sent received refreshed rotated verified unverified confirmed"
)
_FUNCTION_WORDS = words(
    "must is not be the a an at least your for required invalid should cannot can was to please enter of in are has have or "
    "and with been if when than more does do no it this that from on by expected too"
)
_ENDINGS = ("ed", "ing", "tion", "able", "ible", "ment", "ness", "less", "ful")
_CODE = re.compile(
    r"(?:await |new |not |&|\*|!)?[A-Za-z_$][\w$]*(?:(?:\.|::|->|\?\.)[A-Za-z_$][\w$]*)*(?:\(.*|\[.*|\{.*|<.*|!\(.*)"
    r"|(?:self|this|args|opts|options|config|conf|cfg|settings|env|os|process|ctx|context|request|req|params|data|user|"
    r"credentials|event|props|state|app|ENV)(?:\.|::|\[|->|\?\.).*"
    r"|[A-Za-z_]\w*(?:(?:\.|::|->)[A-Za-z_]\w*)+"
    r"|\(.*|\[.*|\{.*|lambda\b.*|function\b.*|=>.*|=.*"
)
_TYPE = re.compile(
    r"(?:Optional|Union|List|Dict|SecretStr|Secret|String|Str|Option|Maybe|Any|Text|Bytes?|Token|Callable)\b.*"
)
_CAMEL = re.compile(r"[A-Z][a-z]+(?:[A-Z][a-z]*)+")
_REFERENCE = re.compile(r"(?:[a-z]+[-_/.])+(?:password|passwd|secrets?|tokens?|keys?|creds|credentials)")
_PATH = re.compile(
    r"(?:\.{0,2}/|~/|[A-Za-z]:\\|https?://|file:|vault:|arn:|ssm:|env:|secret:|secretmanager:|op://|ref\+|!|ENC[\[(]|keyring:)"
)


@lru_cache(maxsize=4096)
def is_placeholder(value: str) -> bool:
    """Say whether a value only stands where a secret would: `<token>`, `$TOKEN`, `${{ secrets.X }}`, `xxxx`, `changeme`."""
    return (
        bool(_PLACEHOLDER.fullmatch(value[:100]))
        or "[redacted:" in value
        or (("$" in value or "%" in value) and not _VARIABLE.sub("", value).strip("-_.:/@ "))
    )


def is_prose(value: str) -> bool:
    """Say whether a value of several words is a sentence."""
    words = value[:400].split()
    return len(words) > 2 and any(word.lower().strip(",.;:!?") in _FUNCTION_WORDS for word in words)


def is_ordinary(value: str) -> bool:
    """Say whether a value is one ordinary word, as messages have it after a colon."""
    return value.lower().strip(".!?,;:()") in _ORDINARY


def is_hard(value: str) -> bool:
    """Say whether a value is no word: it mixes letters with digits or signs, or cases within."""
    value = value[:120]
    if not any(each.isalpha() for each in value):
        return sum(each.isdigit() for each in value) >= 6
    if any(each.isdigit() for each in value):
        return True
    if any(not each.isalnum() and each not in "-_.:/'’ ()" for each in value):
        return True
    inner = value[1:]
    return any(each.isupper() for each in inner) and any(each.islower() for each in inner)


def is_mixed(value: str) -> bool:
    """Say whether a value is what people make passwords of, and algorithms' names are not: of all classes, or random."""
    if not 6 <= len(value) <= 200 or not value.isascii() or is_placeholder(value) or is_path(value):
        return False
    letters, digits = any(map(str.isalpha, value)), any(map(str.isdigit, value))
    if len(value) >= 10 and letters and is_random(value):
        return True
    return letters and digits and any(each in "!@#$%^&*?~" for each in value)


def is_reference(value: str) -> bool:
    """Say whether a value is the name under which a secret is kept: `db-password`, `prod/api-token`."""
    return bool(_REFERENCE.fullmatch(value))


def is_path(value: str) -> bool:
    """Say whether a value is a file, a URL or a reference to where the secret is kept."""
    return bool(_PATH.match(value)) and not is_random(value)


def is_code(value: str) -> bool:
    """Say whether an unquoted value is an expression or a type, and not itself a secret."""
    if _TYPE.fullmatch(value):
        return True
    if _CODE.fullmatch(value):
        return not (
            is_random(value) or (value[0].isalnum() and _digits(value) >= 3 and "(" not in value and "[" not in value)
        )
    return value != "secret" and value.replace("_", "").isalpha() and naming(value) != "no"


def _digits(value: str) -> int:
    return sum(each.isdigit() for each in value)


def secret_of_strong(value: str, *, quoted: bool, prose: bool, more: bool) -> bool:
    """Say whether the value of a name that surely names a secret is one.

    Args:
        value: as written, without its quotes.
        quoted: it stood in quotes.
        prose: a colon, `is` or 是 led to it, as in a sentence.
        more: further words follow it on its line.
    """
    if len(value) < (2 if quoted else 3) or is_placeholder(value) or is_path(value) or is_reference(value):
        return False
    if quoted:
        if value[0].isspace() and value[-1].isspace():
            return False  # what stands between two quoted texts
        if "|" in value and is_ordinary(value.split("|", 1)[0]):
            return False  # rules for a form: required|min:8
        return not (is_prose(value) or "://" in value[:12] or (is_ordinary(value) and value.lower() not in _DEFAULTS))
    if is_code(value):
        return False
    if not prose:
        return value.lower() not in _TYPES and not (more and is_ordinary(value) and value.lower() not in _DEFAULTS)
    if _CAMEL.fullmatch(value) and not is_random(value):  # a type: `password: HiddenText | None`
        return False
    if is_ordinary(value) or not value.isascii():
        return is_hard(value) and any(each.isdigit() for each in value)
    if value.replace("'", "").replace("-", "").isalpha():
        return not more and not value.lower().endswith(_ENDINGS) and len(value) > 3
    return len(value) > 3 or not value.isdigit()


_DEFAULTS = words("secret password passwd admin root login pass test default user")
"""Words that people do take for a password."""
_TYPES = words("str string none null true false bool boolean int bytes optional required undefined self")


def secret_of_weak(value: str, *, quoted: bool, prose: bool) -> bool:
    """Say whether the value of a name that may name a secret looks like one; the arguments as above."""
    if (
        len(value) < (8 if prose and not quoted else 6)
        or is_placeholder(value)
        or is_path(value)
        or not value.isascii()
    ):
        return False
    if " " in value.strip() or "://" in value or (not quoted and is_code(value)) or is_ordinary(value):
        return False
    if value.isdigit():
        return len(value) >= 16
    if not any(each.isalpha() for each in value):
        return False
    return is_hard(value) and (
        _digits(value) > 0 or len(value) >= 16 or (len(value) >= 10 and (quoted or is_random(value)))
    )


def secret_when_long(value: str) -> bool:
    """Say whether a value that only stands near a name of a secret is one: long and random-looking."""
    if len(value) < 16 or " " in value or is_placeholder(value) or is_path(value):
        return False
    return _digits(value) >= (2 if len(value) < 32 else 1) and is_random(value)
