"""How what was said is cut into pieces of one memory each."""

from __future__ import annotations

import pytest

from casebook.gate.candidate import Candidate
from casebook.gate.extract import Batch, extract_sentences


def cut(text):
    return list(extract_sentences(Candidate(text=text)))


@pytest.mark.parametrize(
    "text, pieces",
    [
        (
            "我是 Java 后端，之前做流批一体，最近在学 RAG，这周五交周报",
            ["我是 Java 后端", "我之前做流批一体", "我最近在学 RAG", "我这周五交周报"],
        ),
        (
            "I'm a Java dev, previously did stream processing, lately learning RAG, weekly report due this Friday",
            [
                "I'm a Java dev",
                "I previously did stream processing",
                "I am lately learning RAG",
                "weekly report due this Friday",
            ],
        ),
        ("I like tea and I hate coffee", ["I like tea", "I hate coffee"]),
        ("I live in Berlin. I prefer tabs!", ["I live in Berlin.", "I prefer tabs!"]),
        ("我住在杭州。我喜欢简洁！", ["我住在杭州。", "我喜欢简洁！"]),
        ("- Use tabs\n- Never push to main\n1. Run make", ["Use tabs", "Never push to main", "Run make"]),
        ("我喜欢喝茶，不喜欢咖啡", ["我喜欢喝茶", "我不喜欢咖啡"]),
        ("我喜欢 Java 但不喜欢 Go", ["我喜欢 Java", "我不喜欢 Go"]),
        ("I like Java but don't like Go", ["I like Java", "I don't like Go"]),
    ],
)
def test_what_can_stand_alone_stands_alone_with_its_subject(text, pieces):
    assert cut(text) == pieces


@pytest.mark.parametrize(
    "text",
    [
        "We use Postgres 15.3, e.g. for billing, etc. and so on",
        "The docs are at https://example.org/a?b=c&d=e!f and stay there",
        "See src/gate/weigh.py, line 3.14 of it",
        "Ask Dr. Chen vs. Mr. Li about it",
        "We chose Postgres over MySQL, since we need JSON, and the team knows it",
        "我们选了 Postgres，没选 MySQL，因为团队熟悉",
        "如果部署失败，我们回滚",
        "因为要合规，所以日志保留一年",
        "以后，报告都用简体中文",
        "When I deploy, I always warm the cache",
        'He said "Stop. Now. Go!" to me',
    ],
)
def test_what_belongs_together_stays_together(text):
    assert len(cut(text)) == 1


def test_a_reason_stays_with_what_it_is_the_reason_of():
    assert cut("We dropped Redis. Because it lost data.") == ["We dropped Redis. Because it lost data."]
    assert cut("我们放弃了 Redis。因为丢过数据。") == ["我们放弃了 Redis。因为丢过数据。"]


def test_a_subject_of_its_own_is_kept():
    assert cut("我住在杭州，项目最近在迁移") == ["我住在杭州", "项目最近在迁移"]


@pytest.mark.parametrize(
    "text",
    [
        "This project uses pnpm, never npm",
        "We use tabs, not spaces",
        "Never push straight to main, always open a PR",
        "We always rebase, never merge",
        "这个项目用 pnpm，不用 npm",
        "日志统一用 structlog，不要用 print",
        "不要直接推到 main，一律提 PR",
        "一开始试过 Kafka，太重了，后来用了 NATS",
    ],
)
def test_what_is_ruled_out_stays_with_what_is_done_instead(text):
    assert cut(text) == [text]


@pytest.mark.parametrize(
    "text",
    [
        "The API server runs on port 8080; listens only on localhost",
        "The cache uses Redis; evicts after 10 minutes",
        "The staging database is on db2; it is wiped every night",
        "The worker reads from Kafka; writes to Postgres; is stateless",
        "The gateway must run in the EU; never in the US",
        "The API server runs on port 8080. Listens only on localhost.",
        "The billing job runs at 3am; writes its report to S3; takes ten minutes",
        "我跑马拉松；一周练四次",
        "API 服务跑在 8080 端口；只监听 localhost",
        "订单服务用 Go 写；部署在 k8s 上；每天凌晨重启",
        "网关必须部署在欧洲；不能放美国",
    ],
)
def test_what_has_no_subject_behind_a_semicolon_stays_with_the_one_before(text):
    assert cut(text) == [text]


@pytest.mark.parametrize(
    "text, pieces",
    [
        ("I live in Berlin; work as a nurse", ["I live in Berlin", "I work as a nurse"]),
        ("我住在杭州；喜欢喝茶", ["我住在杭州", "我喜欢喝茶"]),
        ("Use tabs; never push to main; always squash", ["Use tabs", "never push to main", "always squash"]),
        ("不要直推 main；不要提交密钥", ["不要直推 main", "不要提交密钥"]),
        ("We chose Go; the deadline is Friday", ["We chose Go", "the deadline is Friday"]),
        (
            "I'm a Java dev; previously did stream processing; lately learning RAG; weekly report due this Friday",
            [
                "I'm a Java dev",
                "I previously did stream processing",
                "I am lately learning RAG",
                "weekly report due this Friday",
            ],
        ),
    ],
)
def test_what_can_stand_alone_behind_a_semicolon_does_with_its_subject(text, pieces):
    assert cut(text) == pieces


@pytest.mark.parametrize(
    "text, pieces",
    [
        (
            "我是产品经理，负责支付项目，我们决定用 Go，没选 Java，因为团队熟",
            ["我是产品经理", "我负责支付项目", "我们决定用 Go，没选 Java，因为团队熟"],
        ),
        (
            "I'm a product manager and we decided to use Go because the team knows it",
            ["I'm a product manager", "we decided to use Go because the team knows it"],
        ),
        (
            "I work at Acme as a data engineer, we chose Kafka over RabbitMQ",
            ["I work at Acme as a data engineer", "we chose Kafka over RabbitMQ"],
        ),
        (
            "我是牙医，我们诊所选了 Dentrix，没选 OpenDental，因为计费好用",
            ["我是牙医", "我们诊所选了 Dentrix，没选 OpenDental，因为计费好用"],
        ),
        ("我们选了 Kafka，我这周五交周报", ["我们选了 Kafka", "我这周五交周报"]),
        (
            "We decided to use Go, and I'm on vacation until Friday",
            ["We decided to use Go", "I'm on vacation until Friday"],
        ),
        ("I use Postgres daily, so we chose it", ["I use Postgres daily, so we chose it"]),
        ("我用 Postgres 多年，所以我们选了它", ["我用 Postgres 多年，所以我们选了它"]),
    ],
)
def test_who_somebody_is_stands_apart_from_what_was_decided_and_a_reason_does_not(text, pieces):
    assert cut(text) == pieces


def turn(text, **more):
    return Candidate(text=text, **more)


def test_a_batch_calls_the_extractor_once_for_every_n_turns():
    calls = []

    def extract(candidate):
        calls.append(candidate.text)
        return candidate.text.split("\n")

    batch = Batch(3, extract)
    assert batch.add(turn("one")) == ()
    assert batch.add(turn("two")) == ()
    ((last, pieces),) = batch.add(turn("three"))
    assert (calls, last.text, pieces) == (["one\ntwo\nthree"], "one\ntwo\nthree", ("one", "two", "three"))
    assert batch.flush() == ()
    batch.add(turn("four"))
    assert [pieces for _, pieces in batch.flush()] == [("four",)]


def test_a_batch_never_mixes_speakers_sessions_or_scopes():
    batch = Batch(4, lambda candidate: candidate.text.split("\n"))
    turns = [turn("a", user="u"), turn("b", user="u"), turn("c", user="v"), turn("d", user="v", session="s")]
    (given,) = [each for each in map(batch.add, turns) if each]
    assert [(one.user, one.session, pieces) for one, pieces in given] == [
        ("u", None, ("a", "b")),
        ("v", None, ("c",)),
        ("v", "s", ("d",)),
    ]


def test_a_batch_of_no_turns_is_refused():
    with pytest.raises(ValueError, match="at least 1"):
        Batch(0)
