"""The write gate as a whole: what is kept of what was said, as what, and where."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casebook.gate.candidate import CANDIDATE_CHARS, Candidate
from casebook.gate.rules import RULES
from casebook.gate.sentences import PIECES
from casebook.gate.weigh import weigh
from casebook.policy import Policy
from tests.gate.labelled import PARTS, figures

POLICY = Policy(timezone="Asia/Shanghai")
MONDAY = datetime(2026, 11, 30, 2, 0, tzinfo=UTC)


def weighed(text, now=MONDAY, policy=POLICY, **more):
    return weigh(Candidate(text=text, **more), policy, now)


def kept(text, **more):
    return [each for each in weighed(text, **more) if not each.dropped]


def only(text, **more):
    pieces = weighed(text, **more)
    assert len(pieces) == 1, pieces
    return pieces[0]


def test_four_facts_in_one_sentence_live_for_four_lifetimes():
    who, past, now, due = weighed("我是 Java 后端，之前做流批一体，最近在学 RAG，这周五交周报")
    assert (who.kind, who.tier, who.expires_at) == ("identity", "L3", None)
    assert (past.kind, past.tier, past.home, past.expires_at) == ("fact", "L2", "user", None)
    assert (now.kind, now.tier, now.expires_at) == ("usage", "L2", None)
    assert (due.kind, due.tier) == ("temporary", "L2")
    assert datetime.fromisoformat(due.expires_at) == datetime(2026, 12, 5, tzinfo=ZoneInfo("Asia/Shanghai"))
    assert [POLICY.ttl_of(each.kind).days for each in (past, now)] == [180, 30]
    assert "流批一体" in past.text
    assert "RAG" in now.text
    assert "周报" in due.text


@pytest.mark.parametrize(
    "at, tier, expires",
    [
        ("2026-12-02T23:59:59", "L2", True),  # Friday ends 48 hours and a second later
        ("2026-12-03T00:00:00", "L1", True),
        ("2026-12-04T23:59:59", "L1", True),
        ("2026-12-05T00:00:00", "L1", False),
    ],
)
def test_what_is_due_on_friday_lives_in_l2_until_48_hours_before_its_end(at, tier, expires):
    now = datetime.fromisoformat(at).replace(tzinfo=ZoneInfo("Asia/Shanghai"))
    piece = only("这周五交周报", now=now)
    assert (piece.tier, piece.expires_at is not None) == (tier, expires)
    assert bool(piece.warnings) is not expires


@pytest.mark.parametrize(
    "text, rule",
    [
        ("你好", "D1"), ("Hello!", "D1"), ("几点了？", "D2"), ("What time is it?", "D2"), ("哈哈", "D3"), ("好累啊", "D4"), ("Maybe it is DNS", "D5"),
        ("可能是缓存", "D5"), ("好的", "D6"), ("thanks", "D6"), ("run the tests", "D7"), ("跑一下测试", "D7"), ("```\nx = 1\n```", "D8"), ("auth.py", "D9"),
    ],
)  # fmt: skip
def test_what_is_not_worth_keeping_is_dropped_by_a_rule_that_is_named(text, rule):
    piece = only(text)
    assert (piece.dropped, piece.tier) == (rule, None)
    assert [step.rule for step in piece.chain] == [rule]


@pytest.mark.parametrize(
    "text, left",
    [
        ("Hi! I'm a Java backend dev", ["I'm a Java backend dev"]),
        ("你好，我是 Java 后端", ["我是 Java 后端"]),
        ("Thanks, I prefer tabs", ["I prefer tabs"]),
        ("I live in Berlin, can you help me?", ["I live in Berlin"]),
        ("我喜欢简洁的回答，你能帮我看看这个吗？", ["我喜欢简洁的回答"]),
    ],
)
def test_what_stands_beside_a_greeting_or_a_question_is_kept(text, left):
    assert [each.text for each in kept(text)] == left


@pytest.mark.parametrize(
    "said, other",
    [("喜欢 Java", "不喜欢 Java"), ("I like Java", "I don't like Java"), ("我喜欢加班", "我不是很喜欢加班")],
)
def test_a_negation_turns_the_polarity_and_not_the_kind(said, other):
    first, second = only(said), only(other)
    assert (first.kind, second.kind) == ("preference", "preference")
    assert (first.polarity, second.polarity) == (1, -1)


def test_a_wish_for_all_times_is_a_preference_in_whatever_form():
    for text in ("以后报告都用简体中文", "Can you always answer in German?", "From now on write reports in English"):
        assert (only(text).kind, only(text).tier, only(text).home) == ("preference", "L3", "user")


@pytest.mark.parametrize(
    "text, home",
    [
        ("I prefer tabs", "user"), ("In this project we prefer tabs", "project"), ("always run tests before pushing", "project"), ("我喜欢简洁", "user"),
        ("我们项目里统一用四个空格缩进", "project"), ("I use Neovim every day", "user"), ("We chose Postgres over MySQL", "project"),
    ],
)  # fmt: skip
def test_what_holds_in_another_project_is_the_users_the_rest_the_projects(text, home):
    assert only(text).home == home


@pytest.mark.parametrize(
    "text, reason, alternatives",
    [
        ("We chose Postgres over MySQL because the team knows it", "the team knows it", ("MySQL",)),
        ("We went with Kafka instead of RabbitMQ or NATS since we need replay", "we need replay", ("RabbitMQ", "NATS")),
        ("We switched from REST to gRPC", "", ("REST",)),
        ("我们选了 Postgres，没选 MySQL，因为团队熟悉", "团队熟悉", ("MySQL",)),
        ("We dropped Redis. Because it lost data.", "it lost data", ("Redis",)),
    ],
)
def test_a_decision_keeps_its_reason_and_alternatives_in_one_piece(text, reason, alternatives):
    piece = only(text)
    assert (piece.kind, piece.reason, piece.alternatives) == ("decision", reason, alternatives)


@pytest.mark.parametrize(
    "text, left",
    [
        ("Remember this for good: the build takes four minutes", "The build takes four minutes"),
        ("永久记住：测试库端口是 5433", "测试库端口是 5433"),
        ("把这条置顶：测试库端口是 5433", "把这条置顶：测试库端口是 5433"),
        ("Pin this: deploys go through Anna", "Pin this: deploys go through Anna"),
    ],
)
def test_what_is_to_be_remembered_for_good_is_pinned_to_l3(text, left):
    piece = only(text)
    assert (piece.tier, piece.pinned, piece.asked) == ("L3", True, True)
    assert piece.text == left
    assert piece.chain[-1].rule == "R4"


def test_remember_this_speaks_of_what_stands_before_it_and_a_colon_of_what_follows():
    before = weighed("The build takes four minutes. Remember this for good.")
    assert [(each.tier, each.pinned, each.dropped) for each in before] == [("L3", True, ""), (None, True, "R4")]
    after = weighed("永久记住。\n测试库端口是 5433")
    assert [(each.tier, each.dropped) for each in after] == [(None, "R4"), ("L3", "")]


@pytest.mark.parametrize(
    "text", ["Forget about my Java preference", "归档这条", "不用再记了", "Don't remember this", "忘掉我说的端口"]
)
def test_what_is_to_be_forgotten_is_out(text):
    assert [(each.tier, each.dropped) for each in weighed(text)] == [(None, "R4")]


@pytest.mark.parametrize(
    "text",
    ["pin numpy to 1.26 in this project", "I always forget about timezones", "日志每月归档到 S3", "别忘了周五开会"],
)
def test_words_that_only_look_like_it_neither_pin_nor_archive(text):
    piece = weighed(text)[0]
    assert not piece.pinned
    assert piece.dropped != "R4"


@pytest.mark.parametrize(
    "text, left",
    [
        ("Remember that I like tea", "I like tea"), ("can you remember that I like tea?", "I like tea"), ("记住这个项目用 pnpm", "这个项目用 pnpm"),
        ("帮我记住我喜欢茶", "我喜欢茶"), ("你能记住我喜欢茶吗？", "我喜欢茶"), ("请记住：我的时区是东八区", "我的时区是东八区"),
    ],
)  # fmt: skip
def test_what_is_asked_to_be_remembered_is_kept_without_the_asking(text, left):
    piece = only(text)
    assert (piece.text, piece.asked, piece.dropped) == (left, True, "")


@pytest.mark.parametrize("text", ["Remember me?", "always remember to run the tests", "remember to buy milk tomorrow"])
def test_a_reminder_or_a_question_asks_for_no_remembering(text):
    assert not only(text).asked


def test_what_is_asked_to_be_remembered_is_not_dropped_as_a_guess():
    piece = only("Remember that the cache may be stale, maybe")
    assert (piece.dropped, piece.asked) == ("", True)
    assert next(step.rule for step in piece.chain) == "D5"
    assert "overruled by R4" in piece.chain[0].why


def test_flags_beat_words():
    assert only("The build takes four minutes", pinned=True).tier == "L3"
    assert only("Remember this for good: the build takes four minutes", pinned=False).tier == "L1"
    assert only("I live in Berlin", archived=True).dropped == "R4"
    assert only("Forget about it, says the song that I like", archived=False).dropped != "R4"
    assert only("Is it tabs?", kind="preference").kind == "preference"
    assert only("The key is rotated", expires_at="2026-12-24").expires_at == "2026-12-23T16:00:00.000+00:00"
    assert only("The key is rotated", cost="high").tier == "L3"
    assert only("We chose A over B because of C", reason="D", alternatives=("E",)).reason == "D"


def test_a_candidate_that_says_its_kind_is_one_piece():
    assert only("We use tabs. We use spaces in YAML.", kind="rule").text == "We use tabs. We use spaces in YAML."


@pytest.mark.parametrize("by", ["tool", "model", "agent"])
def test_what_somebody_else_says_of_the_user_comes_to_l2_at_most(by):
    assert only("The user prefers tabs", by=by).tier == "L2"
    assert only("I'm a backend developer", by=by).tier == "L2"
    assert only("I'm a backend developer", by=by, confirmed=True).tier == "L3"
    assert only("I'm a backend developer", by=by, pinned=True).tier == "L3"


def test_a_confirmed_guess_is_none():
    assert only("It is probably the proxy", confirmed=True, by="agent").dropped == ""


def test_lifetimes_that_mix_in_one_piece_are_warned_of():
    piece = only("I'm a backend developer learning Rust these days", kind=None)
    assert any("lifetimes mix" in each for each in piece.warnings)
    assert not only("I'm a backend developer").warnings


def test_code_quotations_and_logs_are_not_the_users_words():
    text = "> I am a nurse\n```\nI am a doctor\n```\n2026-01-01 12:00:00 ERROR I am a lawyer\nI'm a developer"
    assert [each.text for each in weighed(text)] == ["I'm a developer"]


def test_a_judge_is_asked_about_what_is_grey_and_its_ruling_is_logged():
    asked = []

    def judge(piece):
        asked.append(piece.text)
        return "L1" if "Kafka" in piece.text else None

    (ruled,) = weigh(Candidate(text="We went with Kafka"), POLICY, MONDAY, judge=judge)
    assert (ruled.tier, ruled.is_grey, ruled.chain[-1].rule) == ("L1", True, "judge")
    (left,) = weigh(Candidate(text="We went with Redis"), POLICY, MONDAY, judge=judge)
    assert (left.tier, left.chain[-1].rule) == ("L2", "judge")
    weigh(Candidate(text="I'm a backend developer"), POLICY, MONDAY, judge=judge)
    assert asked == ["We went with Kafka", "We went with Redis"]


def test_an_extractor_of_ones_own_cuts_and_is_shown_only_the_speakers_own_words():
    seen = []

    def extract(candidate):
        seen.append(candidate.text)
        return ["I live in Berlin", "  ", "I prefer tabs"]

    pieces = weigh(Candidate(text="> quoted\nlong talk"), POLICY, MONDAY, extract=extract)
    assert seen == ["long talk"]
    assert [(each.text, each.kind) for each in pieces] == [
        ("I live in Berlin", "identity"),
        ("I prefer tabs", "preference"),
    ]


def test_the_correction_of_an_agent_waits_for_a_person_and_that_of_the_user_does_not():
    assert only("The port is 5434", corrects="m-1", by="agent").needs_review == "unconfirmed"
    mine = only("The port is 5434", corrects="m-1")
    assert mine.needs_review == ""
    assert "P3" in [step.rule for step in mine.chain]
    assert "P3" in [step.rule for step in only("不对，应该是 5434 端口，不是 5433").chain]


@pytest.mark.parametrize(
    "text, left",
    [
        ("No, I prefer spaces", "I prefer spaces"),
        ("Actually, my name is Kim", "My name is Kim"),
        ("不对，端口是 8081", "端口是 8081"),
    ],
)
def test_a_correction_is_kept_without_its_no_and_said_to_be_one(text, left):
    piece = only(text)
    assert piece.text == left
    assert "P3" in [step.rule for step in piece.chain]


HOSTILE = {
    "one long word": "a" * CANDIDATE_CHARS,
    "commas": "," * 10_000,
    "Chinese commas": "我，" * 10_000,
    "clauses": "我喜欢茶，" * 4_000,
    "stops": "." * CANDIDATE_CHARS,
    "sentences": "I like it. " * 1_800,
    "lines": "I like it\n" * 2_000,
    "quotes": '"' * CANDIDATE_CHARS,
    "backticks": "`" * CANDIDATE_CHARS,
    "fences": "```\n" * 5_000,
    "brackets": "(" * CANDIDATE_CHARS,
    "control characters": "\x00\x1b[31m\u202e\u200b" * 2_500,
    "surrogates": "\ud800" * 1_000,
    "digits": "1" * CANDIDATE_CHARS,
    "dates": "2026-12-01 " * 1_800,
    "hours": "5pm " * 5_000,
    "slashes": "a/" * 10_000,
    "addresses": "a@" * 10_000,
    "urls": "https://" * 2_500,
    "greetings": "hi " * 6_600,
    "negations": "not " * 5_000,
    "不": "不" * CANDIDATE_CHARS,
    "ligatures": "ﷺ" * CANDIDATE_CHARS,
    "spaces": " " * (CANDIDATE_CHARS - 1) + "x",
    "and I": "x and I " * 2_500,
    "wrapped lines": ("word " * 10 + "\n") * 390,
    "because": "because " * 2_500,
    "over": "we chose a over " + "b or " * 3_990,
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_takes_less_than_50_milliseconds(name):
    text = HOSTILE[name][:CANDIDATE_CHARS]
    weighed("I'm a developer")  # the tables are compiled once
    best = min(_cost(text) for _ in range(3))
    assert best < 0.05


def _cost(text):
    started = time.process_time()
    pieces = weigh(Candidate.model_construct(text=text), POLICY, MONDAY)
    spent = time.process_time() - started
    assert 0 < len(pieces) <= PIECES
    return spent


def test_what_comes_after_the_last_piece_that_is_looked_at_is_told():
    pieces = weighed("\n".join(f"I like thing number {count} a lot" for count in range(PIECES + 5)))
    assert len(pieces) == PIECES
    assert "not looked at" in pieces[-1].warnings[-1]


@given(st.text(max_size=200))
@settings(max_examples=150, deadline=None)
def test_whatever_is_said_each_piece_is_kept_with_a_tier_or_dropped_by_a_rule_and_twice_the_same(text):
    if not text:
        return
    numbers = {rule.number for rule in RULES}
    first = weighed(text)
    assert first
    assert first == weighed(text)
    for each in first:
        assert (each.tier is None) == (each.dropped != "")
        assert each.dropped in numbers | {""}
        assert each.chain
        assert each.text
        if each.expires_at:
            assert datetime.fromisoformat(each.expires_at) > MONDAY - timedelta(0)


@pytest.mark.parametrize("part, least", [("utterances", 0.97), ("held_out", 0.8)])
def test_the_gate_is_right_on_the_labelled_utterances(part, least):
    assert part in PARTS
    found = figures(part)
    assert (
        min(
            found.drop_precision,
            found.drop_recall,
            found.share(found.kind),
            found.share(found.tier),
            found.share(found.home),
        )
        >= least
    )


@pytest.mark.parametrize(
    "text, kind",
    [
        ("This project uses pnpm, never npm", "rule"),
        ("We don't use semicolons in TypeScript", "rule"),
        ("Our company forbids GPL dependencies", "rule"),
        ("Use British spelling in the docs", "rule"),
        ("Read the CONTRIBUTING file before you open a PR", "rule"),
        ("我们用 tab 缩进，不用空格", "rule"),
        ("密钥不要放进仓库，用 vault", "rule"),
        ("周五不要上线", "rule"),
        ("周报每周五下午五点前发给老板", "rule"),
        ("Please keep your answers under five lines", "preference"),
        ("Ping me on Slack, not by email", "preference"),
        ("I want you to ask before deleting anything", "preference"),
        ("回答尽量控制在五行以内", "preference"),
        ("有事在飞书上找我，别发邮件", "preference"),
        ("删东西之前先问我", "preference"),
        ("Let's go with option B", "decision"),
        ("一开始试过 Kafka，太重了，后来用了 NATS", "decision"),
        ("`make dev` starts the server on port 3000", "fact"),
        ("测试文件放在代码旁边", "fact"),
        ("the reports are CSV", "fact"),
    ],
)
def test_a_convention_is_a_rule_a_wish_a_preference_and_neither_a_passing_command(text, kind):
    assert [(each.kind, each.dropped) for each in weighed(text)] == [(kind, "")]


def test_what_is_said_for_a_session_alone_never_lasts():
    assert {
        each.tier
        for text in ("For this session only, answer in French", "这次会话里用法语回答")
        for each in weighed(text)
    } == {"L1"}


@pytest.mark.parametrize(
    "text",
    ["早上好", "Not now", "No worries, take your time", "Don't worry about it", "不用管这个", "法国的首都是哪里"],
)
def test_phrases_are_known_whatever_shorter_phrase_they_begin_with(text):
    assert {each.tier for each in weighed(text)} == {None}


def test_the_head_of_a_mail_is_nobodys_words():
    mail = "From: anna@example.com\nSubject: release\n\nWe never deploy on Fridays.\n\nOn Mon, 30 Nov 2026, Bob wrote:\n> drop the tests"
    assert [each.text for each in weighed(mail) if not each.dropped] == ["We never deploy on Fridays."]
