"""How the agent answers is a preference of whoever wishes it so, in whatever form; what others are answered is a rule."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from casebook.gate.candidate import Candidate
from casebook.gate.weigh import weigh
from casebook.policy import Policy

POLICY = Policy(timezone="Asia/Shanghai")
MONDAY = datetime(2026, 11, 30, 2, 0, tzinfo=UTC)


def only(text, **more):
    (piece,) = weigh(Candidate(text=text, **more), POLICY, MONDAY)
    return piece


@pytest.mark.parametrize(
    "text",
    [
        "回复请用简体中文，不要用表情。", "以后回答不要超过三句", "回答必须简短", "一律用中文回复", "你的回答不能超过三句话", "回答问题时先给结论再解释",
        "禁止在回复中使用表情符号", "每次回复都要带上来源", "回复里不要出现英文", "说话直接一点，别绕弯子", "请用英文和我沟通", "跟我说话不要用敬语",
        "不准用网络用语回答我", "所有回答都要用列表", "别总是道歉", "请始终用德语回答", "永远不要在回答里使用表情", "回复控制在100字以内",
        "我用什么语言写你就用什么语言回", "除了葡萄牙语别用别的语言回我", "没读完文件之前不要回答", "报错一律用大白话解释", "改完之后简短说明改动", "别再写这么长的回答了",
        "删文件之前先问我", "别老问我要不要确认", "给我看 diff，不要整个文件", "请用德语", "我说德语，所以用德语回答", "回复我的邮件请用英文", "我更希望你用西班牙语回答", "给我讲东西的时候把我当新手", "别叫我亲", "跟我不用客气", "太长的回答我看着烦", "语气保持中立", "结尾不要总结",
        "不用每次都谢谢我", "聊天时控制在一百字以内", "助手应该用日语回答问题", "不确定就直说，不要瞎猜", "讲代码的时候一定要给行号",
    ],
)  # fmt: skip
def test_a_wish_about_the_agents_answers_is_a_lasting_preference_of_the_user_in_chinese(text):
    piece = only(text)
    assert (piece.kind, piece.home, piece.tier) == ("preference", "user", "L3")


@pytest.mark.parametrize(
    "text",
    [
        "Always answer in German.", "Never use emojis in your replies.", "Please reply in short sentences", "Your answers should be short",
        "Your replies must be in English", "Replies must be in English", "Answers should not exceed five lines", "Never apologize in your responses",
        "Be concise", "Give short answers", "Always address me as Dr. Lee", "Don't start your replies with \"Sure\"", "You must always answer in French",
        "Always cite your sources when answering", "When you explain something, use an analogy", "No more than three sentences per answer, please",
        "Don't use tables in answers", "You should never use slang with me", "I want all replies in Dutch", "Could you please keep your answers short?",
        "Could you stop ending every message with a question", "I'd rather you answered in Spanish", "Treat me like a beginner when you explain stuff",
        "Don't ever call me buddy", "Answers longer than a screen annoy me", "Keep your tone neutral", "Please do not summarise at the end", "I'd like shorter answers",
        "You don't need to thank me every time", "In chat, keep it under 100 words", "If unsure, say so instead of guessing",
        "Always mention the line number when you talk about code", "The assistant should answer questions in Japanese",
        "Answer me in the language I write in", "Never reply before you have read the file", "Explain your changes briefly when you finish",
        "Stop writing such long answers", "Ask me before deleting files", "Don't ask me for confirmation", "Show me diffs, not whole files",
        "I speak German, so answer in German", "Always reply to my messages in English", "Don't explain what you're about to do, just do it",
    ],
)  # fmt: skip
def test_a_wish_about_the_agents_answers_is_a_lasting_preference_of_the_user_in_english(text):
    piece = only(text)
    assert (piece.kind, piece.home, piece.tier) == ("preference", "user", "L3")


@pytest.mark.parametrize(
    "text, kind",
    [
        ("Always reply to customer tickets within a day", "rule"),
        ("Never reply to phishing mails", "rule"),
        ("All replies to customers must be signed by support", "rule"),
        ("Reply to customers in their own language", "rule"),
        ("Always answer support tickets politely", "rule"),
        ("When replying to reviewers, be polite", "rule"),
        ("We answer tickets in English", "rule"),
        ("No jargon in the docs", "rule"),
        ("Never use emojis in commit messages", "rule"),
        ("Be concise in commit messages", "rule"),
        ("回复客户要用客户的语言", "rule"),
        ("回复评审意见时要礼貌", "rule"),
        ("我们用英文回复工单", "rule"),
        ("文档里不要用黑话", "rule"),
        ("界面上不要用表情", "rule"),
        ("Respond to pull requests within one business day", "rule"),
        ("Every email to a client must be answered the same day", "rule"),
        ("All our support replies go out in English", "rule"),
        ("PR 要在一个工作日内回复", "rule"),
        ("我们的客服回复统一用英文", "rule"),
        ("The API must respond within 200 ms", "rule"),
        ("Always respond with 404 for unknown ids", "rule"),
        ("The server must reply with JSON", "rule"),
        ("回复客户必须在24小时内", "rule"),
        ("回复邮件必须抄送经理", "rule"),
        ("客服必须在五分钟内回复用户", "rule"),
        ("接口必须在200毫秒内返回", "rule"),
    ],
)
def test_what_others_are_answered_and_what_an_interface_answers_stays_a_rule_of_the_project(text, kind):
    piece = only(text)
    assert (piece.kind, piece.home, piece.is_own) == (kind, "project", False)


@pytest.mark.parametrize(
    "text",
    [
        "Answer this question",
        "Write an email to the client",
        "reply to that mail",
        "回答一下这个问题",
        "Can you answer this?",
    ],
)
def test_what_is_asked_for_once_is_no_wish(text):
    assert only(text).dropped in ("D2", "D7")


@pytest.mark.parametrize("text", ["The user wants answers in German", "用户希望回复都用英文"])
def test_an_agent_may_tell_it_of_the_user(text):
    piece = only(text, by="agent")
    assert (piece.kind, piece.home, piece.tier) == ("preference", "user", "L2")


@pytest.mark.parametrize("text", ["In this project, always answer in English", "在这个项目里，回复一律用英文"])
def test_a_wish_for_one_project_is_the_projects_and_still_one_users(text):
    piece = only(text)
    assert (piece.kind, piece.home, piece.is_own) == ("preference", "project", True)


@pytest.mark.parametrize(
    "text",
    [
        "Never talk to the database directly", "If not sure, ask the owner of the module", "The answer is 42", "The reply button must be red", "解释器用的是 CPython",
        "解释性语言不要用在热路径", "回复按钮必须是红色",
    ],
)  # fmt: skip
def test_words_that_only_sound_like_answers_wish_nothing(text):
    assert not only(text).is_own
