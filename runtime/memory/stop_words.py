"""Words that say nothing of what a text is about, so that nothing is found by them (ours: small lists, for memories and tasks)."""

from __future__ import annotations

STOP_WORDS = frozenset(
    """
    a about above add added adding adds after again all almost already also always am an and another any anything are aren around as ask at away back be
    because been before being below between both but by can cannot could couldn create created creates creating did didn do does doesn doing don done down during
    each either else ever every everything few first for from further get gets getting give go goes going got had hadn has hasn have
    haven having he help her here hers him his how however i if in instead into is isn it its itself just keep kindly know last let
    like likely ll look made make makes making many may maybe me might mine more most much must my myself need needs never new next
    no nor not nothing now of off often ok okay on once one only onto or other others our ours out over own per please put quite
    rather re really s same see shall she should shouldn since so some something somewhere soon still such t take tell than thank
    thanks that the their theirs them then there these they thing things this those through to today together too try two under
    until up upon us use used user uses using ve very via wa want wants was wasn way we well were weren what whatever when whenever
    where whether which while who whole whom whose why will with within without won would wouldn write writes writing written wrote yes yet you your yours yourself d m
    """.split()  # noqa: SIM905 - a list of words is read as words
)
"""English function words, and words of asking and telling (`please`, `want`, `use`, `always`)."""

PARTICLES = "的了吗呢吧啊呀嘛么着我你您他她它们咱这那哪些很也就又把被让给啦哦嗯"
"""Chinese particles, pronouns and adverbs of one character: a run of Chinese is parted at them."""

STOP_PAIRS = frozenset(
    """
    一个 一份 一篇 一首 一条 一次 一位 一张 一段 一种 一下 一些 一样 一直 一起 一定 一律 一点 不是 不能 不要 不会 不用 不再 为何 为什 什么 怎么 怎样 如何 如果 因为 所以 因此 但是 可是 可以 可能
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

COMMON_WORDS = frozenset(
    """
    answer app application article ask back bad base begin big block board book box branch bug build button call case change check class
    clean client code column comment commit company complete config content copy correct cost customer data date day default delete
    description design detail develop developer development difference document draft edit email end error event example explain fail
    fast field file fill find fix folder follow form format function good group handle head idea image improve include information
    issue item kind language large left level line link list load local long main meet meeting message method minute module month
    morning move name number object old open option order page part people person place plan point problem process product production
    program project prepare print question read reason release remove rename replace report request response result return review
    right row run save script search second send server service session set setup short show simple site size slow small sort space
    stage start state step stop store string style summary support system table task team term test text time title tool top type
    update value variable version view wait week word work year
    """.split()  # noqa: SIM905 - as above
)
"""English words that are everywhere in what agents are asked: sharing one says half as much (ours; a small casebook cannot tell)."""

COMMON_PAIRS = frozenset(
    """
    环境 测试 生产 服务 务器 数据 据库 功能 系统 项目 问题 代码 文件 用户 页面 接口 时间 今天 明天 本周 上周 下周 周一 周二 周三 周四 周五 上午 下午 早上
    内容 结果 方法 方案 方式 情况 部分 整理 修改 增加 新增 删除 查看 检查 验证 更新 处理 完成 开始 结束 生成 设置 配置 运行 执行 启动 打开 关闭 保存
    名字 名称 类型 字段 列表 表格 格式 数量 大小 版本 发布 上线 开发 设计 需求 计划 说明 文档 文字 语言 图片 图表 按钮 消息 信息 同学 同事 团队 部门
    公司 客户 客服 领导 负责 责人 失败 错误 原因 影响 建议 意见 总结 报告 步骤 过程 流程 任务 工作 日期 记录 统计 分析 计算 对比 选择 推荐 最新 最近
    一次 两个 三个 几个 大概 左右 简单 重要 主要 具体 相关 支持 提供 包括 本地 线上 线下 平台 模块 对象 变量 函数
    """.split()  # noqa: SIM905 - as above
)
"""The same of Chinese pairs."""
