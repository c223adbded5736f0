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
