"""Traditional Chinese characters as simplified ones, as far as corrections and questions are said with them."""

from __future__ import annotations

_TRADITIONAL = "這樣對請後錯應該說別換個讓還銷測試檢運執動刪沒關係繼續謝擔問準許寫開選誤會緊記麼嗎來給過點無題裡裏們為現實當認備幹煩戶畫處導斷遲廣歷軟裝隨擱資庫"
_SIMPLIFIED = "这样对请后错应该说别换个让还销测试检运执动删没关系继续谢担问准许写开选误会紧记么吗来给过点无题里里们为现实当认备干烦户画处导断迟广历软装随搁资库"
_TABLE = str.maketrans(_TRADITIONAL, _SIMPLIFIED)


def simplified(text: str) -> str:
    """Give a text with these characters simplified, of the same length; others stay as they are."""
    return text.translate(_TABLE)
