"""The names of variable parts in the language of a casebook: `‹number›` is `‹数字›` in a Chinese text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from casebook.runtime.answer.texts import Language

CHINESE: Final[Mapping[str, str]] = MappingProxyType(
    {
        "value": "值", "number": "数字", "id": "编号", "path": "路径", "url": "网址", "email": "邮箱", "address": "地址",
        "date": "日期", "duration": "时长", "size": "大小", "name": "名称", "object": "对象", "list": "列表",
    }
)  # fmt: skip
"""Of each name in `signing.alphabet.NAMES`."""

_PLACEHOLDER: Final = re.compile(f"‹({'|'.join(CHINESE)})›")


def placeholders_in(text: str, language: Language) -> str:
    """Give the text of an error's kind, as `error_template` writes it, with its placeholders in a language."""
    return _PLACEHOLDER.sub(lambda found: f"‹{CHINESE[found[1]]}›", text) if language == "zh" else text
