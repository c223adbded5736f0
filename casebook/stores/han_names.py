"""Names in Chinese, which nothing parts from what stands beside them: whether a longer name may be meant."""

from __future__ import annotations

_SURNAMES = frozenset(
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔"
    "白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文欧"
)
_FOLLOWS = frozenset(
    "说讲问答的在和与及跟或是要会想有把被让给对从到也都又就还只不没很太最更已将吧呢吗啊呀了着过但而我你他她它们这那个做写看听用吃喝住买找请叫等去"
)
"""Characters that come after a name and are hardly ever part of one (ours)."""
_FOLLOWING = frozenset(
    """
    喜欢 觉得 认为 希望 需要 建议 决定 提出 表示 负责 管理 明天 今天 昨天 正在 可以 能够 应该 必须 一定 同意 反对 批准 因为 所以 如果 以后 以前 之前 之后
    曾经 常常 经常 总是 每天 每周 选择 采用 使用 学习 最近 推荐 报告 反馈 发现 加入 来自 上午 下午 晚上 同学 老师 先生 女士 经理 工作 爱吃 爱喝 偏好 习惯
    """.split()  # noqa: SIM905 - a list of words is read as words
)
_TWO = 2


def is_of_longer_name(text: str, start: int, end: int) -> bool:
    """Say whether what stands between two offsets may be part of a longer Chinese name: 李雷 in 李雷蕾, 晓明 in 黄晓明.

    Args:
        text: the text.
        start: where a name begins in it; one that is not of Chinese characters alone is part of none.
        end: where it ends.
    """
    name = text[start:end]
    if not all(map(_is_han, name)):
        return False
    if start and text[start - 1] in _SURNAMES and name[0] not in _SURNAMES:
        return True
    after = text[end : end + _TWO]
    if len(name) != _TWO or not after or not _is_han(after[0]):
        return False
    return after[0] not in _FOLLOWS and after not in _FOLLOWING


def _is_han(sign: str) -> bool:
    return "\u4e00" <= sign <= "\u9fff"
