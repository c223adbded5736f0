"""In a Chinese casebook what stands for a variable part is Chinese, too."""

from __future__ import annotations

import re

import pytest

from casebook.runtime.learning.placeholders import CHINESE, placeholders_in
from casebook.runtime.learning.signature import error_template
from casebook.runtime.learning.signing.alphabet import NAMES


def test_every_variable_part_has_its_name_in_chinese() -> None:
    assert list(CHINESE) == list(NAMES)
    assert len(set(CHINESE.values())) == len(CHINESE)
    assert not re.search(r"[A-Za-z‹›]", "".join(CHINESE.values()))


@pytest.mark.parametrize(
    "text, zh",
    [
        ("“订单 ‹number› 找不到”", "“订单 ‹数字› 找不到”"), ("‹path›: ‹id›, ‹id›", "‹路径›: ‹编号›, ‹编号›"),
        ("‹unknown› number ‹Number›", "‹unknown› number ‹Number›"), ("", ""),
    ],
)  # fmt: skip
def test_placeholders_are_put_in_the_language_and_nothing_else(text: str, zh: str) -> None:
    assert placeholders_in(text, "zh") == zh
    assert placeholders_in(text, "en") == text
    assert placeholders_in(zh, "zh") == zh


def test_what_a_template_writes_is_known() -> None:
    assert placeholders_in(error_template("订单 4711 找不到"), "zh") == "订单 ‹数字› 找不到"
