"""What a password looks like where nothing but a word before it names it, and the names with digits that look like one."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from casebook.redacting.shapes import is_random
from casebook.redacting.values import is_code, is_ordinary, is_path, is_placeholder, is_reference
from casebook.redacting.word_list import words

Look = Literal["marked", "plain", "digits", "no"]
"""marked: signs, cases or digits stand within it as in no word · plain: a word that ends in digits · digits: nothing else."""

_SHORTEST = 5
_LONGEST = 120
_TECHNICAL = words(
    "sha shake md crc hmac aes gcm cbc ctr des rsa dsa ecdsa ed ec rs es hs ps argon argonid id pkcs bcrypt scrypt pbkdf hkdf blake xx "
    "utf utfmb ucs iso latin cp gb gbk big base ascii oauth oidc saml jwt jwk jws totp hotp fa mfa otp ntlm ntlmv krb tls ssl "
    "wpa wep psk x http https ip ipv tcp udp ftp sftp ssh smb smbv snmp snmpv ldap imap pop smtp web html css js ts es py "
    "python perl ruby java jdk node npm go php lua cpp net dotnet vue react angular django flask spring boto psycopg "
    "pyjwt urllib jinja sqlite mysql pg postgres postgresql redis mongo mongodb neo neoj db oracle mssql varchar nvarchar char "
    "varbinary binary int uint float text tinyint log logj slf lib gpt llama claude gemini opus win windows mac macos "
    "ios android ubuntu debian centos rhel fedora alpine arm amd i ia sparc risc cuda gpu cpu us eu ap ca sa af me east "
    "west north south central northeast southeast prod dev test tests staging stage qa uat demo beta alpha rc v ver version "
    "release build rev r q fy h p mp m office word excel keepass keepassxc bitwarden onepassword password lastpass zip tar gz "
    "bz gzip rar err error errno code status ora sqlstate rfc cve pr issue bug ticket kb gh jira line col page step part "
    "chapter section figure table item row column field arg args param params var value val key user users account host "
    "server node vm box pod container worker replica shard instance cluster project team group room level phase sprint week "
    "day month year file image img photo doc draft copy foo bar baz qux temp tmp std sum url safe cat pad encode decode "
    "encoded decoded encoder decoder encrypt decrypt hash hashed hasher hex client provider grant token tokens pass pwd secret "
    "ein eks gke aks ecs rds sqs sns k s e g t f d c b o l n w y z u k8s iam api sdk cli gui ui ux vpn lan wlan wifi usb pci nfc rfid "
    "nist fips pci soc gdpr iec din owasp top asvs"
)
"""Pieces of which names of algorithms, versions, products, places and numbered things are made."""
_RUNS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_UNIT = re.compile(
    r"~?[<>]?=?\d[\d.,]*(?:-\d+)?-?(?:ms|us|ns|[smhdwykxgb]|[kmgt]i?b|st|nd|rd|th|am|pm|px|pt|em|rem|fps|hz|khz|mhz|ghz|sec|secs|min|mins|hrs?|"
    r"hours?|days?|weeks?|months?|years?|chars?|characters?|letters?|digits?|bits?|bytes?|times|symbols|words|fold|way|factor|step|fa)\b.*",
    re.IGNORECASE,
)
_NUMBERED = re.compile(
    r"v?\d+(?:[.:]\w+)+"  # versions, times, addresses
    r"|\d{4}-\d\d(?:-\d\d)?(?:[T_].*)?"
    r"|[A-Z]{2,10}-\d+"  # tickets
    r"|[A-Z]\d{1,4}"
    r"|0x[0-9a-fA-F]+|#\d+|\d+[-/]\d+"
    r"|[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"
)
_SITE = re.compile(r"(?:[\w+-]+\.)+[A-Za-z]{1,6}|\S+@(?:[\w-]+\.)+(?:[A-Za-z]{2,}|\d{1,3})|(?:SHA256|MD5):\S+")
"""Files, hosts, addresses of mail."""
_NAMED = re.compile(r"[A-Za-z]+\d*|\d+[A-Za-z]?")
"""A part of a name that is put together with dashes: `db-prod-2a`."""
_MARKS = "!@#$%^&*?~+="
_CODE = re.compile(r"[()\[\]{}<>|;\\\"'`]|::|->|=>|,\S")
_DOTTED = re.compile(r"(?:[A-Za-z_]\w*\.)+[A-Za-z_]\w*")
_OWN = re.compile(
    r"(?:new|old|my|user|db|test|tmp|the|is|has)?_?(?:password|passwd|passphrase|pass|pwd|pw|secret|token|key|pin)s?_?\d?",
    re.IGNORECASE,
)
"""A variable that is called after what it holds."""


@lru_cache(maxsize=4096)
def look_of(value: str) -> Look:
    """Say how far a word looks like a password, by its letters, digits and signs alone."""
    if not _SHORTEST <= len(value) <= _LONGEST:
        return "digits" if len(value) == 4 and value.isdecimal() else "no"
    if not value.isascii() or not value.isprintable() or " " in value:
        return "no"
    if value.isdecimal():
        return "digits"
    if is_placeholder(value) or is_path(value) or is_reference(value) or is_ordinary(value) or _is_name(value):
        return "no"
    letters, digits = sum(map(str.isalpha, value)), sum(map(str.isdecimal, value))
    if not letters or not (digits or any(each in _MARKS for each in value[1:])):
        return "no"
    if is_random(value):
        return "marked"
    if any(each in _MARKS for each in value):
        return "marked" if digits and letters >= 2 else "no"
    if not digits or (value[0].isdecimal() and value.lstrip("0123456789").isalpha() and digits < 3):
        return "no"
    return "marked" if re.search(r"[A-Za-z]\d+[A-Za-z]", value) or re.search(r"[a-z][A-Z]", value) else "plain"


def _is_name(value: str) -> bool:
    """Say whether a word with digits or signs is the name of something: an algorithm, a version, a file, a host, a variable."""
    if _UNIT.fullmatch(value) or _NUMBERED.fullmatch(value) or _SITE.fullmatch(value) or _OWN.fullmatch(value):
        return True
    if _CODE.search(value) or _DOTTED.fullmatch(value) or "/" in value or is_code(value):
        return True
    bare = value.strip("_-.,:+#")
    runs = [each.lower() for each in _RUNS.findall(bare)]
    if runs and any(len(each) > 1 for each in runs) and all(each in _TECHNICAL for each in runs):
        return True
    parts = re.split(r"[-_.:]", bare)
    if len(parts) > 1 and all(map(_NAMED.fullmatch, parts)) and not any(each in _MARKS for each in bare):
        return not (parts[-1].isdecimal() and len(parts) == 2 and parts[0].lower() not in _TECHNICAL)
    return False
