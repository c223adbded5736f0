"""Words that say nothing of what a text is about, so that nothing is found by them (ours: small lists, for memories and tasks)."""

from __future__ import annotations

STOP_WORDS = frozenset(
    """
    a about above after again all almost already also always am an and another any anything are aren around as ask at away back be
    because been before being below between both but by can cannot could couldn did didn do does doesn doing don done down during
    each either else ever every everything few first for from further get gets getting give go goes going got had hadn has hasn have
    haven having he help her here hers him his how however i if in instead into is isn it its itself just keep kindly know last let
    like likely ll look made make makes making many may maybe me might mine more most much must my myself need needs never new next
    no nor not nothing now of off often ok okay on once one only onto or other others our ours out over own per please put quite
    rather re really s same see shall she should shouldn since so some something somewhere soon still such t take tell than thank
    thanks that the their theirs them then there these they thing things this those through to today together too try two under
    until up upon us use used user uses using ve very via wa want wants was wasn way we well were weren what whatever when whenever
    where whether which while who whole whom whose why will with within without won would wouldn yes yet you your yours yourself d m
    """.split()  # noqa: SIM905 - a list of words is read as words
)
"""English function words, and words of asking and telling (`please`, `want`, `use`, `always`)."""

PARTICLES = "的了吗呢吧啊呀嘛么着我你您他她它们咱这那哪些很也就又把被让给啦哦嗯"
"""Chinese particles, pronouns and adverbs of one character: a run of Chinese is parted at them."""

STOP_PAIRS = frozenset(
    """
    一个 一下 一些 一样 一直 一起 一定 一律 一点 不是 不能 不要 不会 不用 不再 为何 为什 什么 怎么 怎样 如何 如果 因为 所以 因此 但是 可是 可以 可能
    能够 应该 应当 需要 想要 希望 请问 请帮 帮忙 帮助 告诉 知道 觉得 现在 目前 今天 今后 以后 之后 以前 之前 时候 已经 正在 以及 或者 还是 还有 而且
    并且 并不 没有 是否 总是 永远 必须 务必 每次 所有 全部 任何 有些 有关 关于 对于 其他 其中 另外 然后 接着 最后 首先 使用 用户 进行 里面 上面
    下面 多少 至于 由于 只要 只有 只能 尽量 比较 非常 喜欢 偏好 习惯 打算 都用 都是 都要 都会 都有 都不 都在
    """.split()  # noqa: SIM905 - as above
)
"""Chinese pairs that say nothing of a subject: a run of Chinese is parted at them, too."""

STOP_CHARACTERS = frozenset(
    "一不与个中为会再写前到去可后和在外对将就帮想时有来没用看等能要请说里问去从以做先好上下是都还过"
)
"""Chinese characters that say nothing where they stand alone."""
