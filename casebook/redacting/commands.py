"""Passwords and tokens that are handed to programs, said to databases, or kept in their files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from casebook.redacting.shapes import is_random
from casebook.redacting.spans import Span, compiled, regex, text_of
from casebook.redacting.values import is_placeholder, is_prose, is_reference
from casebook.redacting.word_list import words

_ARGUMENT = r"(\"[^\"\n]+|'[^'\n]+|[^\s\"'|;&<>]\S*)"
_OPTION = r"(?:[ \t]+[^\s|;&]\S*)*?[ \t]+"
"""Words of the same command, and the blank before the next."""
_COMMANDS: tuple[tuple[str, str], ...] = (
    ("command-password", rf"\b(?:mysql|mysqldump|mysqladmin|mysqlimport|mysqlsh|mariadb|mariadb-dump|mariadb-admin|mycli){_OPTION}-p{_ARGUMENT}"),
    ("command-password", rf"\b(?:mongo|mongosh|mongodump|mongorestore|clickhouse-client|influx|rclone|ssh-keygen|storepass|smb|rpcclient|ipmitool|bcp|nordvpn|net use|nerdctl|heroku|sqlcmd|snowsql|ldapsearch|ldapadd|ldapmodify|ldapwhoami|svn|cqlsh|bcp|ipmitool|xfreerdp|plink|pscp|mosquitto_pub|mosquitto_sub|nordvpn){_OPTION}(?:-p|-P|-w|-pw|--pw)[ \t]+{_ARGUMENT}"),
    ("command-password", rf"\b(?:docker|podman|nerdctl|buildah|skopeo|helm|oc|az|cf|heroku|twine|npm|yarn|pnpm)\b[^|;&\n]*?[ \t](?:login|upload)\b{_OPTION}(?:-p|-P|--pw)[ \t]+{_ARGUMENT}"),
    ("command-password", rf"\bssh-keygen{_OPTION}-[NP][ \t]+{_ARGUMENT}"),
    ("command-password", rf"[ \t]-(?:storepass|keypass|srcstorepass|deststorepass)[ \t]+{_ARGUMENT}"),
    ("command-password", r"\b(?:smbclient|rpcclient|smbmap|net)\b[^|;&\n]*?[ \t]-U[ \t]*[\"']?[\w.\\/-]+%([^\s\"']+)"),
    ("command-password", rf"\b(?:echo|printf)[ \t]+(?:-\w+[ \t]+)?{_ARGUMENT}[\"']?[ \t]*\|[ \t]*(?:sudo[ \t]+)?passwd[ \t]+--stdin"),
    ("command-password", r"(?i)\bnet[ \t]+use[ \t]+\S+[ \t]+\\\\\S+[ \t]+([^\s/]\S*)[ \t]+/user"),
    ("command-password", rf"\bsshpass[ \t]+-p[ \t]*{_ARGUMENT}"),
    ("command-password", rf"\bmysqladmin{_OPTION}password[ \t]+{_ARGUMENT}"),
    ("command-password", rf"\b(?:curl|http|https|wget|httpie|xh){_OPTION}(?:-u|--user|-U|--proxy-user|-a|--auth)[ =]?[\"']?[^\s:\"'|;&<>]*:([^\s\"']+)"),
    ("command-password", rf"\bredis-cli{_OPTION}-a[ \t]+{_ARGUMENT}"),
    ("command-password", rf"\b(?:un)?zip{_OPTION}-P[ \t]*{_ARGUMENT}"),
    ("command-password", rf"\b7z[ar]?{_OPTION}-p{_ARGUMENT}"),
    ("command-password", r"-pass(?:in|out)?[ \t]+[\"']?pass:([^\s\"']+)"),
    ("command-password", rf"\bhtpasswd[ \t]+-[a-zA-Z]*b[a-zA-Z]*[ \t]+\S+[ \t]+\S+[ \t]+{_ARGUMENT}"),
    ("command-password", rf"\b(?:vault[ \t]+login|doctl[ \t]+auth[ \t]+init[ \t]+-t|auth[ \t]+login[ \t]+--with-token[ \t]*<<<)[ \t]+{_ARGUMENT}"),
    ("command-password", rf"\brabbitmqctl[ \t]+(?:add_user|change_password)[ \t]+\S+[ \t]+{_ARGUMENT}"),
    ("command-password", rf"\baws[ \t]+configure[ \t]+set[ \t]+(?:[\w.-]+\.)?aws_(?:secret_access_key|session_token)[ \t]+{_ARGUMENT}"),
    ("command-password", rf"\b(?:echo|printf)[ \t]+(?:-n[ \t]+)?{_ARGUMENT}[\"']?[ \t]*\|[ \t]*(?:sudo[ \t]+(?:-\S+[ \t]+)*-S|(?:docker|podman|helm|gh|cf|npm|az)\b[^|\n]*(?:--password-stdin|--with-token|--passphrase-fd)|kinit|cryptsetup|smbpasswd|openconnect|ssh-add|su[ \t])"),
    ("command-password", r"\b(?:echo|printf)[ \t]+[\"']?[\w.-]+:([^\s\"']+)[\"']?[ \t]*\|[ \t]*(?:sudo[ \t]+)?chpasswd"),
    ("command-password", rf"(?i)\bnet[ \t]+(?:user|use)[ \t]+(?:[^\s/]+[ \t]+)+?/user:\S+[ \t]+{_ARGUMENT}"),
    ("command-password", r"(?i)\bnet[ \t]+user[ \t]+\S+[ \t]+([^\s/]\S*)[ \t]+/add"),
    ("command-password", rf"(?i)\bConvertTo-SecureString[ \t]+(?:-String[ \t]+)?{_ARGUMENT}"),
    ("command-password", r"(?:^|[\s\"'\[,])(?:--[A-Za-z0-9_-]*|-[A-Za-z]+[_-]|-)(?:(?:password|passwd|passphrase|pass|secret|token|api-?key|apikey|auth-?key|access-?key|private-?key|pwd|credential|credentials))[\"']?(?:[ \t]+|,[ \t]*|=)(\"[^\"\n]+|'[^'\n]+|[^\s\"'|;&<>-][^\s\"']*)"),
    ("command-password", rf"\bopenssl{_OPTION}-[kK][ \t]+{_ARGUMENT}"),
    ("command-password", rf"\b(?:obsutil|ossutil(?:64)?|coscli|coscmd|bcecmd|s3cmd|mc){_OPTION}-[ks](?:=|[ \t]+){_ARGUMENT}"),
    ("command-token", r"(?m)(?:^|[$>;&|`\"'(])[ \t]*(?:npx[ \t]+|sudo[ \t]+)?[a-z][a-z0-9_-]*[ \t]+(?:auth[ \t]+|config[ \t]+)?(?:login|auth|authenticate|add-authtoken|set-token|authtoken)[ \t]+[\"']?([A-Za-z0-9._-]{24,})[\"']?[ \t]*(?:$|[;&|`)\"'\n])"),
    ("command-password", rf"\bmc[ \t]+(?:alias|config[ \t]+host)[ \t]+(?:set|add)[ \t]+\S+[ \t]+\S+[ \t]+\S+[ \t]+{_ARGUMENT}"),
    ("command-password", rf"\b(?:xfreerdp|wfreerdp|mstsc|rdesktop|schtasks|psexec|sc)\b[^|;&\n]*?[ \t]/(?:p|rp|pass|password):?[ \t]*{_ARGUMENT}"),
    ("code-password", r"(?:\bmysqli?_p?connect|\bnew[ \t]+(?:mysqli|PDO)|\bgetConnection|\bftp_login|\bimap_open|\bpymysql\.connect)[ \t]*\([^\n;()]{1,200}?,[ \t]*[\"'][^\"'\n]*[\"'][ \t]*,[ \t]*[\"']([^\"'\n]+)"),
    ("url-password", r"\b[\w.-]+:([^\s@\"'/]+)@(?:tcp|udp|unix)\("),
    ("form-password", r"(?i)<input\b[^<>]*?type=[\"']?password\b[^<>]*?[ \t]value=[\"']([^\"'<>]+)"),
    ("command-password", rf"\b(?:lftp|ncftp\w*){_OPTION}-u[ \t]+[\"']?[^\s,\"']+,{_ARGUMENT}"),
    ("command-password", rf"\bhtpasswd[ \t]+-(?:[a-zA-Z]*n[a-zA-Z]*b[a-zA-Z]*|[a-zA-Z]*b[a-zA-Z]*n[a-zA-Z]*)[ \t]+\S+[ \t]+{_ARGUMENT}"),
    ("sql-password", r"(?i)\bset[ \t]+password[ \t]+for[ \t]+\S+[ \t]*(?:=|to)[ \t]*(?:password\()?\\?[\"']([^\"'\n\\]+)"),
    ("command-password", r"\b(?:user:password|user-password|upwd|set-password|change-password)[ \t]+\S+[ \t]+[\"']([^\"'\n]+)"),
    ("command-password", rf"\b(?:nmcli|netsh)\b[^|;&\n]*?[ \t]password[ \t]+{_ARGUMENT}"),
    ("command-password", rf"\bwpa_passphrase[ \t]+\S+[ \t]+{_ARGUMENT}"),
    ("command-password", rf"\buser(?:add|mod){_OPTION}-p[ \t]+{_ARGUMENT}"),
    ("command-password", r"\bchpasswd[ \t]*<<<[ \t]*[\"']?[^\s:\"']+:([^\s\"']+)"),
    ("command-password", rf"(?:--stdin|--password-stdin|\bsecret[ \t]+put[ \t]+\S+|--with-token)[ \t]*<<<[ \t]*{_ARGUMENT}"),
    ("command-password", rf"\b(?:secrets?|variable)[ \t]+set[ \t]+[^\s|;&][^|;&\n]*?(?:-b|--body|-v|--value)(?:[ \t]+|=){_ARGUMENT}"),
    ("command-password", r"(?i)\bpassword:?[ ]?\*?[\"'][ \t]*[\r\n]?[ \t]*send[ \t]+(?:--[ \t]+)?[\"']([^\"'\n\\]+)"),
    ("config-password", r"(?i)\bsnmp-server[ \t]+community[ \t]+([^\s\"']+)"),
    ("seed-phrase", r"(?i)(?:mnemonic|seed[ _-]?phrase|recovery[ _-]?phrase|助记词|助記詞)(?: is|是|为)?[\"'”]?[ \t]*[=:：]?[ \t]*[\"'“]?((?-i:(?:[a-z]{3,8}[ \t]+){11,23}[a-z]{3,8}))"),
    ("command-password", rf"\bsnmp(?:walk|get|getnext|set|bulkwalk|bulkget|table){_OPTION}-c[ \t]*{_ARGUMENT}"),
    ("config-password", r"(?i)\b(?:password|secret|key-string)[ \t]+[0-9][ \t]+([0-9a-f]{8,}|\$\S{8,})"),
    ("sql-password", r"(?i)\bidentified[ \t]+(?:by|with[ \t]+\S+[ \t]+(?:by|as))[ \t]+(?:password[ \t]+)?\\?[\"']([^\"'\n\\]+)"),
    ("sql-password", r"(?i)\b(?:with|encrypted|unencrypted|set|login)[ \t]+(?:encrypted[ \t]+)?password[ \t]*=?[ \t]*(?:password\()?[ \t]*N?\\?[\"']([^\"'\n\\]+)"),
    ("sql-password", r"(?i)\b(?:create|alter)[ \t]+(?:user|role|login)[ \t]+[^\n;]{1,200}?password[ \t]*=?[ \t]*N?\\?[\"']([^\"'\n\\]+)"),
    ("config-password", r"(?im)^[ \t]*(?:requirepass|masterauth)[ \t]+[\"']?([^\s\"']+)"),
    ("config-password", r"(?i)\bmachine[ \t]+\S+\s+login[ \t]+\S+\s+password[ \t]+[\"']?([^\s\"']+)"),
    ("config-password", r"(?i)\blogin[ \t]+\S+\s+password[ \t]+[\"']?([^\s\"']{3,})"),
    ("config-password", r"(?m)^(?:[\w.*-]+:(?:\d+|\*):[\w*-]+:[\w*.-]+:)([^\s:]+)$"),
    ("command-password", r"(?m)^(?:>[ \t]*|\S*redis\S*>[ \t]*)?AUTH[ \t]+(?:\S+[ \t]+)?([^\s\"']{6,})[ \t]*$"),
)  # fmt: skip
"""Name and pattern (RE2); the last group is the secret, with the quote that opens it."""


def in_commands(data: bytes) -> Iterator[Span]:
    """Find passwords and tokens that are handed to programs, said to databases, or kept in their files."""
    if not _any_command().search(data):
        return
    for name, pattern in _COMMANDS:
        for found in regex(pattern).finditer(data):
            start, end = found.span(found.re.groups)
            if data[start:end][:1] in (b'"', b"'"):
                start += 1
            value = data[start:end]
            if name != "sql-password":
                value = value.rstrip(b"),;]}`\"'")
            if _is_password(name, text_of(value), data, start, start + len(value)):
                yield start, start + len(value), name


def _is_password(name: str, value: str, data: bytes, start: int, end: int) -> bool:
    """Say whether an argument is a password: no placeholder, option, port, name of a secret, nor a word of a usage text."""
    if len(value) < 2 or value.startswith("-") or is_placeholder(value) or is_reference(value):
        return False
    if name == "command-token" and not (is_random(value) or _UUID.fullmatch(value)):
        return False
    if _PORTS.fullmatch(value) and data[start - 1 : start] in (b" ", b"="):
        return False
    return not _is_word_of_help(value, data, end)


_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_PORTS = re.compile(r"\d{1,5}(?:[:/-]\d{1,5})*(?:/tcp|/udp)?|[\d.]+:\d+:\d+")


def _is_word_of_help(value: str, data: bytes, end: int) -> bool:
    """Say whether a value is the next word of a usage text or a sentence: `--password is required`, `--token TOKEN`."""
    if value.isupper() and value.replace("_", "").isalpha():
        return True
    line = text_of(data[end : end + 60]).split("\n", 1)[0]
    return value.lower() in _HELP or (
        is_prose(f"{value} {line}") and value.isalpha() and value.lower() in _HELP_WITH_MORE
    )


_HELP = words(
    "is must or and option options parameter parameters arguments flag flags argument cannot was not for string text value file to in are requires required if when"
)
_HELP_WITH_MORE = words("the a an your this that with from should can be")


@lru_cache(maxsize=1)
def _any_command() -> Any:
    return compiled(
        r"(?i)mysql|mariadb|mycli|mongo|docker|podman|buildah|skopeo|helm|twine|sqlcmd|snowsql|ldap|svn|cqlsh|smbclient|freerdp|plink|"
        r"pscp|mosquitto|sshpass|curl|http|wget|redis|zip|7z|-pass|htpasswd|vault|auth|rabbitmqctl|aws|sudo|chpasswd|net |securestring|"
        r"pass|token|secret|key|pwd|credential|identified|requirepass|masterauth|:\*:|\baz |\bcf |\boc |psql|click|influx|rclone|ssh-keygen|storepass|smb|rpcclient|ipmitool|bcp|nordvpn|net use|nerdctl|heroku|:\d+:|openssl|login|obsutil|ossutil|cosc|bcecmd|s3cmd|\bmc |snmp|mnemonic|phrase|助|rdp|mstsc|kinit|crypt|connect|lftp|nmcli|netsh|useradd|usermod|imap_|new pdo|mysqli|@tcp|@udp|@unix",
        capture=False,
    )
