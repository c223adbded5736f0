"""What a Chinese and an English text are about, in the same words, where each word of the Chinese one is known."""

from __future__ import annotations

import re
from functools import lru_cache

from casebook.gate.opposites import without_stand
from casebook.gate.polarity import POLAR
from casebook.gate.spoken_dates import without_times
from casebook.gate.words import tokens_in

_TERMS: dict[str, str] = {
    "推送": "push", "强制推送": "force push", "合并": "merge", "提交": "commit", "部署": "deploy", "发布": "release", "上线": "release",
    "回滚": "rollback", "评审": "review", "审查": "review", "审批": "approval", "测试": "test", "单元测试": "unit test", "分支": "branch", "默认": "default", "主分支": "main branch",
    "端口": "port", "超时": "timeout", "超时时间": "timeout", "数据库": "database", "缓存": "cache", "日志": "log", "注释": "comment", "文档": "doc",
    "报告": "report", "代码": "code", "缩进": "indentation", "格式化": "format", "编辑器": "editor", "包管理器": "package manager", "框架": "framework", "服务": "service", "服务器": "server", "前端": "frontend", "后端": "backend",
    "生产环境": "production", "测试环境": "staging", "生产": "production", "预发": "staging", "脚本": "script", "项目": "project", "团队": "team", "密码": "password",
    "通知": "notification", "遥测": "telemetry", "邮件": "email", "版本": "version", "依赖": "dependency", "安装": "install", "装": "install", "升级": "upgrade", "迁移": "migration", "接口": "api", "配置": "config",
    "表情": "emoji", "重启": "restart", "备份": "backup", "登录": "login", "管理": "management", "写": "write", "运行": "run", "跑": "run", "直接": "directly", "最大": "max",
}  # fmt: skip
"""Chinese words of software, and the English ones that mean the same (ours: unambiguous ones)."""
_KNOWN = re.compile("|".join(sorted(_TERMS, key=len, reverse=True)))
_FILLING = frozenset("到在上中里给用把从向对做为去来被将于要时间我们这那")
_SAYS_LITTLE = frozenset(["directly", "project", "write", "run", "any", "anything"])
_HAN = re.compile("[㐀-鿿]")


def is_across(first: str, second: str) -> bool:
    """Say whether of two folded texts just one has Chinese words."""
    return (_HAN.search(first) is None) != (_HAN.search(second) is None)


@lru_cache(maxsize=4096)
def subject_across(view: str) -> frozenset[str]:
    """Give what a folded text is about in English words; empty where it has a Chinese word that is not known."""
    plain = _KNOWN.sub(lambda found: f" {_TERMS[found[0]]} ", POLAR.sub(" ", without_stand(without_times(view))))
    tokens = {token for token in tokens_in(plain) if not token[0].isdigit()} - _SAYS_LITTLE
    chinese = {token for token in tokens if _HAN.search(token)}
    if any(sign not in _FILLING for token in chinese for sign in token):
        return frozenset()
    return frozenset(tokens - chinese)


def about_across(first: str, second: str) -> bool:
    """Say whether two folded texts, of which one is Chinese, are about the same: in each word."""
    one = subject_across(first)
    return bool(one) and one == subject_across(second)
