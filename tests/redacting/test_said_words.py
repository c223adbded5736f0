"""A password that is a word, or several, is masked where a sentence says that it is one; what speaks of passwords stays."""

from __future__ import annotations

import pytest

from casebook.redacting.redact import redact

# fmt: off
SAID = [
    ("the password is sunshine", ["sunshine"]),
    ("password is Sunshine!", ["Sunshine"]),
    ("The Password is Sunshine.", ["Sunshine"]),
    ("the wifi password is dragonfly and the guest one is butterfly", ["dragonfly", "butterfly"]),
    ("the wifi password is dragonfly, the guest one is butterfly", ["dragonfly", "butterfly"]),
    ("my password is correct horse battery staple", ["correct", "horse", "battery", "staple"]),
    ("password: correct horse", ["correct", "horse"]),
    ("passphrase: correct horse battery staple", ["correct horse battery staple"]),
    ("the passphrase is correct horse battery staple, write it down", ["correct horse battery staple"]),
    ("my password hunter2 is old", ["hunter2"]),
    ("our wifi password hunter2 no longer works", ["hunter2"]),
    ("remember that the password for the shop wiki is sunshine", ["sunshine"]),
    ("the password of the staging db is moonlight please", ["moonlight"]),
    ("the password is now monkey", ["monkey"]),
    ("the old password was dragon and the new one is phoenix", ["dragon", "phoenix"]),
    ("the password is vacation for the guest account", ["vacation"]),
    ("password = correct horse battery staple", ["correct horse"]),
    ("Das WLAN-Passwort ist Sonnenschein", ["Sonnenschein"]),
    ("Passwort lautet Regenbogen", ["Regenbogen"]),
    ("the password is lightning", ["lightning"]),
    ("My password is iloveyou", ["iloveyou"]),
    ("the passcode is open sesame", ["open sesame"]),
    ("hi, the admin password is swordfish, don't tell", ["swordfish"]),
    ("密码：芝麻开门", ["芝麻开门"]),
    ("密码: 芝麻开门", ["芝麻开门"]),
    ("口令：芝麻开门", ["芝麻开门"]),
    ("密码是芝麻开门", ["芝麻开门"]),
    ("后台的密码就是芝麻开门，记一下", ["芝麻开门"]),
    ("数据库密码改成芝麻开门了", ["芝麻开门"]),
    ("暗号：天王盖地虎", ["天王盖地虎"]),
    ("wifi 密码为春眠不觉晓", ["春眠", "觉晓"]),
]
TALK = [
    "the password is wrong", "The password is required.", "password is correct", "password is incorrect", "the password is expired",
    "the password is weak", "Your password is too short", "the password is stored in vault", "the password is kept offline",
    "the password is hashed with bcrypt", "the password is in the vault", "the password is not sunshine", "the password is a secret",
    "the password is the same everywhere", "my password is our team's secret", "the password was changed yesterday", "the password was rotated",
    "the password is sent by mail", "the password is necessary", "the password is None", "password is null", "the password is unknown",
    "the password is optional here", "the password is case sensitive", "the password is valid for 90 days", "the password is visible in the logs",
    "the password is being rotated", "the password is never logged", "the password is due for rotation", "the password is strong enough",
    "the password is easy to guess", "the password is stale", "the password is no longer valid", "the password is lost", "the password is set by ops",
    "the password for the wiki is wrong", "the password of ann is unknown", "if the password is empty, ask for one", "the password is still missing",
    "what is the password", "A password is data like any other", "every password is sacred", "Which password is right?", "The password was leaked last year",
    "password: str", "password: str | None = None", "password: string", "password: Required field", "password: Optional[str]", "password: required",
    "password: the password of the user", "Password: at least 8 characters", "password: user password", "- password: new password value",
    "Forgot your password: click here", "Invalid password: account locked", "password: see vault", "password: bcrypt hash of the input",
    "def login(user: str, password: str) -> bool:", "if password is None or user is None:", "passphrase: optional, asked for on start",
    '{"password": "string", "type": "object"}', "password:\n  type: string\n  description: secret of the account", "password: plain text",
    "The password policy is strict.", "The password manager is Bitwarden.", "passwords are evil", "the password check is slow",
    "the guest one is broken and the other one is fine", "We have two phones and the guest one is butterfly blue",
    "Das Passwort ist falsch", "Das Passwort ist abgelaufen", "Passwort: nicht gesetzt", "the password is incorrect or expired",
    "密码错误", "密码：必填", "密码是必填项", "密码已过期", "密码不对", "密码太短", "密码：字符串", "密码是加密存储的", "密码是错的", "密码为空",
    "密码：至少八位", "密码：请输入密码", "密码是什么", "密码是多少？", "口令：不能为空", "密码：用户的登录密码", "忘记密码：点击这里", "密码是敏感信息",
    "口令是动态的", "密码改成随机生成", "密码为必填字段", "密码：见保险库里的配置", "密码是不是过期了", "初始密码：身份证后六位", "密码是弱密码",
]
# fmt: on


@pytest.mark.parametrize("text, secrets", SAID, ids=lambda each: str(each)[:50])
def test_a_password_of_words_is_masked(text: str, secrets: list[str]) -> None:
    told = redact(text)
    assert not [each for each in secrets if each in told]
    assert redact(told) == told


@pytest.mark.parametrize("text", TALK, ids=lambda each: each[:50])
def test_what_speaks_of_passwords_stays(text: str) -> None:
    assert redact(text) == text


@pytest.mark.parametrize("sign", [",", ".", ";", " because we like it", " for the guests"])
def test_no_more_than_the_clause_is_masked(sign: str) -> None:
    assert redact(f"the password is sunshine{sign}") == f"the password is [redacted:password]{sign}"
