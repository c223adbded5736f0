"""What a text is searched by."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casebook.runtime.memory.tokens import is_common, is_pair, stem, terms


@pytest.mark.parametrize(
    "text, wanted",
    [
        ("", []),
        ("the of and please", []),
        ("的了吗", []),
        ("Deploy the BILLING service", ["deploy", "bill", "service"]),
        ("deploys deployed deploying", ["deploy"] * 3),
        ("简体中文", ["简体", "体中", "中文"]),
        ("以后报告都用简体中文", ["报告", "简体", "体中", "中文"]),
        ("我是 Java 后端", ["java", "后端"]),
        ("我的猫", ["猫"]),
        ("在", []),
        ("为什么选 Kafka", ["选", "kafka"]),
        ("东京タワー", ["东京", "京タ", "タワ", "ワー"]),
        ("user_name", ["user_name", "name"]),
        ("getOrderHistory", ["getorderhistory", "order", "history"]),
        ("HTTPServer", ["httpserver", "http", "server"]),
        ("pnpm-lock.yaml", ["pnpm-lock.yaml", "pnpm", "lock", "yaml"]),
        ("api.example.com", ["api.example.com", "api", "example", "com"]),
        ("3.11 and 2026-03-20, 42", ["3.11", "2026-03-20", "42"]),
        ("C++ and C# and C", ["c++", "c#", "c"]),
        ("Maria's laptop, don't", ["maria", "laptop"]),
        ("Ｆｕｌｌｗｉｄｔｈ ＡＰＩ", ["fullwidth", "api"]),
        ("Straße STRASSE", ["strass", "strass"]),
        ("базы данных", ["базы", "данных"]),
        ("repeat repeat", ["repeat", "repeat"]),
        ("…!?——（）", []),
        ("x" * 100, ["x" * 64]),
    ],
)
def test_the_terms_of_a_text(text: str, wanted: list[str]) -> None:
    assert terms(text) == [stem(each) if each.isalpha() and each.isascii() else each for each in wanted]


@pytest.mark.parametrize(
    "word, wanted",
    [
        ("caches", "cach"), ("caching", "cach"), ("cache", "cach"), ("queries", "query"), ("dropped", "drop"), ("bus", "bus"),
        ("class", "class"), ("calls", "call"), ("calling", "call"), ("basis", "basis"), ("is", "is"), ("ring", "ring"),
        ("straße", "straße"), ("string", "string"), ("used", "used"), ("rotates", "rotat"), ("rotate", "rotat"),
    ],
)  # fmt: skip
def test_endings_of_plural_and_tense_go(word: str, wanted: str) -> None:
    assert stem(word) == wanted


@pytest.mark.parametrize("term, is_one", [("简体", True), ("猫", False), ("ab", False), ("é1", False), ("简a", False)])
def test_a_pair_is_two_characters_of_a_script_without_spaces(term: str, is_one: bool) -> None:
    assert is_pair(term) is is_one


def test_common_words_are_known_in_both_languages() -> None:
    assert all(map(is_common, ("test", "servic", "环境", "文件")))
    assert not any(map(is_common, ("kafka", "postgresql", "对账", "分词")))


@given(st.text(max_size=200))
def test_any_text_has_terms_that_are_folded_and_not_empty(text: str) -> None:
    found = terms(text)
    assert found == terms(text)
    assert all(each and each == each.casefold() and len(each) <= 70 for each in found)


@given(st.text(alphabet="数据库端口abc ", max_size=40))
def test_what_stands_beside_it_takes_no_word_from_a_text(text: str) -> None:
    assert set(terms(text)) <= set(terms(f"{text}。Kafka"))


def test_a_runtime_is_opened_without_numpy_and_bm25s() -> None:
    code = "import sys, casebook.runtime, casebook.runtime.memory.view; print({'numpy', 'bm25s'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


@pytest.mark.parametrize(
    "text, wanted",
    [
        ("Go", ["go"]),
        ("Which language, Go?", ["languag", "go"]),
        ("We decided to use Go for the payment service.", ["decid", "go", "payment", "servic"]),
        ("Go is our language", ["go", "languag"]),
        ("IT owns the VPN", ["it", "own", "vpn"]),
        ("Ask Will about billing", ["will", "bill"]),
        ("We use R, C and D", ["r", "c", "d"]),
        ("支付服务用 Go 写", ["支付", "付服", "服务", "务用", "go"]),
        # no names
        ("Go to the shop", ["shop"]),
        ("Will it rain?", ["rain"]),
        ("It rains. We go on.", ["rain"]),
        ("How To Make It Go", []),
    ],
)
def test_a_name_is_searched_by_though_it_looks_like_a_word_that_says_nothing(text: str, wanted: list[str]) -> None:
    assert [each for each in terms(text) if each != "写"] == wanted
