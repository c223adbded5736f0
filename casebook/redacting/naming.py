"""Which names name a secret: `DB_PASSWORD` and `clientSecret` do, `password_policy`, `max_tokens` and `primary_key` do not."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from casebook.redacting.word_list import words

Naming = Literal["strong", "weak", "loose", "no"]
"""strong: whatever it is, its value is a secret · weak: its value is one where it looks like one · loose: where it is long and
random."""

ENGLISH = (
    r"pass(?:words?|wd|phrase|code|wort)?|pwd|psw|passw|psk|secrets?|tokens?|creds?|credentials?|auth|authorization|cookies?|"
    r"bearer|jwt|mnemonic|seed[ _-]?phrase|otp|signature|sig|dsn|"
    r"[a-z0-9]+[ _.-]?keys?|phpsessid|jsessionid|sessionid|asp\.net_sessionid|connect\.sid|laravel_session|(?:csrf|xsrf)[_-]?token|\bpw\b"
)
"""Words that a name holds which may name a secret (RE2, folded)."""

CHINESE = "密码|密碼|口令|密钥|密鑰|秘钥|私钥|令牌|凭证|凭据|授权码|授權碼|暗号|密匙|金鑰|私鑰|助记词|助記詞|パスワード|비밀번호|пароль|Пароль|паролем"
"""The same in Chinese, and the word for a password in Japanese, Korean and Russian."""

_PASSWORDS = words(
    "password passwords passwd passphrase passcode passwort pwd psw passw psk secret secrets mnemonic seedphrase"
)
_WEAK = words("pass token tokens cred creds credential credentials auth authorization cookie cookies bearer jwt otp")
_STRONG_KEYS = words("api access secret private priv encryption encrypt signing master account shared hmac")
_WEAK_KEYS = words(
    "crypt sign auth app service storage subscription function deploy admin consumer client license security jwt aes rsa "
    "server rest ingest session write read ssh gpg pgp host webhook bot mch merchant root rpc cipher integration"
)
_OTHER_KEYS = words(
    "primary foreign sort partition hash range cache map dict dictionary object s3 public publishable index unique composite lookup "
    "row column hot arrow registry idempotency issue project jira translation i18n duplicate natural surrogate candidate the a an "
    "this that no any each every invalid missing unknown unexpected expected required bad wrong other same current first last next "
    "group order join sub enter return shift ctrl alt tab escape delete press up down left right home end page space function key "
    "message event topic kafka redis item entry property metadata label tag field attribute param parameter option setting node "
    "storage_object blob file folder path bucket prefix record document doc feature flag config experiment dedup deduplication "
    "lock mutex job task queue session_id route name id query react list for of by with in on at is was to and or not house major "
    "minor car turn mon don tur whis hoc joc lac boo coo ho"
)
_SAYS_OTHERWISE = words(
    "type types count counts counter name names id ids url uri urls endpoint path paths file files filename dir directory "
    "folder length len size min max minimum maximum policy policies rule rules expiry expires expired expiration exp ttl age "
    "limit limits usage used uses required field fields hint label labels prompt placeholder error errors status state version "
    "versions reset changed change valid invalid validity validation enabled disabled strength manager provider providers store "
    "format regex pattern scheme algorithm alg algo method mode scope scopes issuer audience request response handler service "
    "class func function generator factory validator parser index idx position pos offset budget cost price rate per is has "
    "ref reference arn link page form box column table header headers prefix suffix bucket fingerprint created updated at date "
    "time timestamp rotation list map window stream missing sent verification auth authentication mismatch failure failed "
    "attempts attempt retries retry complexity protected less lifetime refresh owner user username email kind source target "
    "stage env cache ring chain board word words stroke press pair pairs size bits cursor required optional consent policies banner"
)
_TOKEN_OTHERWISE = words(
    "max min num n total prompt completion input output cached reasoning count unexpected expected next page continuation sync "
    "eos bos pad unk sep cls mask special stop start end first last invalid of per remaining used prev previous new lexer"
    " expires thinking context"
)
_NEVER_BEFORE = words(
    "no not missing is has have forgot forgotten reset change show hide require requires public publishable"
)
_BEFORE_PASS = words("first second last one two by to the a this test tests did not will bypass")
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_SIGNED = words("oauth amz goog hub webhook request hmac slack stripe line x url")
_SESSIONS = frozenset(("asp.net_sessionid", "connect.sid", "laravel_session"))
_SECRET_ID = re.compile(r"(?i)(?:^|[a-z0-9_.-])secret_?id$")
"""Half of it the name of an account, half the password of one (Consul, Vault): told by its value."""
_CHINESE = re.compile(CHINESE)
_CHINESE_OTHERWISE = re.compile(f"(?:{CHINESE})(?:提示|强度|长度|错误|策略|规则|类型|状态|数量|名称|编号|有效期|过期)")
_WHOLE = {"apikey": "api key", "accesskey": "access key", "secretkey": "secret key", "privatekey": "private key",
          "authtoken": "auth token", "accesstoken": "access token", "refreshtoken": "refresh token", "sig": "signature",
          "clientsecret": "client secret", "appsecret": "app secret", "authkey": "auth key", "sharedaccesskey": "access key",
          "accountkey": "account key", "passphrase": "passphrase", "encryptionkey": "encryption key", "masterkey": "master key",
          "userpassword": "user password", "dbpassword": "db password", "dbpass": "db pass", "idtoken": "id token",
          "sessiontoken": "session token", "bottoken": "bot token", "mysqlpwd": "mysql pwd", "pgpassword": "pg password",
          "redispassword": "redis password", "xapikey": "api key", "apitoken": "api token", "apisecret": "api secret",
          "signingkey": "signing key", "webhooksecret": "webhook secret", "sshpass": "ssh password",
          "requirepass": "require password", "rootpw": "root password", "pw": "password", "userpass": "user pass",
          "keypass": "key password", "phpsessid": "session token", "jsessionid": "session token", "sessionid": "session token", "csrftoken": "csrf token", "xsrftoken": "xsrf token", "storepass": "store password"}  # fmt: skip


def words_of(name: str) -> list[str]:
    """Give the words of a name, folded: of snake, kebab, dotted and camel case."""
    found: list[str] = []
    for each in _WORDS.findall(name[-200:]):
        word = each.lower()
        found.extend(_WHOLE[word].split() if word in _WHOLE else (word,))
    return found


@lru_cache(maxsize=4096)
def naming(name: str) -> Naming:
    """Say how far a name (of a field, a variable, an option) says that its value is a secret."""
    if not name.isascii() and _CHINESE.search(name):
        return "no" if _CHINESE_OTHERWISE.search(name) else "strong"
    if _SECRET_ID.search(name):
        return "loose"
    words = ["session", "token"] if name.lower() in _SESSIONS else words_of(name)
    for at in range(len(words) - 1, -1, -1):
        level = _level(words, at)
        if level != "no":
            before = words[at - 1] if at else ""
            if before in _NEVER_BEFORE or _SAYS_OTHERWISE.intersection(words[at + 1 :]):
                return "no"
            if words[at] in ("token", "tokens") and before in _TOKEN_OTHERWISE:
                return "no"
            return level
    return "no"


def _level(words: list[str], at: int) -> Naming:
    """Give the level of the word at a place, by itself and by the word before it."""
    word = words[at]
    if word in _PASSWORDS:
        return "strong"
    if word in _WEAK:
        return "strong" if word == "pass" and at and words[at - 1] not in _BEFORE_PASS else "weak"
    if word in ("key", "keys") and at:
        kind = words[at - 1]
        if kind in _STRONG_KEYS:
            return "strong"
        return "weak" if kind in _WEAK_KEYS else "no" if kind in _OTHER_KEYS or kind.isdigit() else "loose"
    if word == "phrase" and at and words[at - 1] == "seed":
        return "strong"
    return "weak" if word == "signature" and at and words[at - 1] in _SIGNED else "no"


_FIELD_ONLY = words(
    "password passwd pwd psw passphrase secret token apikey api_key authorization cookie cookies private_key client_secret "
    "credential credentials auth_token access_token refresh_token id_token session_token bearer set-cookie pass"
)


@lru_cache(maxsize=4096)
def names_secret(key: str) -> bool:
    """Say whether the value of a field of this name is masked whole, whatever it looks like."""
    if key.lower().replace("-", "_") in _FIELD_ONLY:
        return True
    level = naming(key)
    return level == "strong" or (level == "weak" and words_of(key)[-1] not in ("auth", "keys", "tokens"))
