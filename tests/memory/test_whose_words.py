"""Whose words stand: what a person said is changed by a person alone, and what an agent said is never told as a person's."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from casebook.clock import fixed_clock
from casebook.memory import Memory
from casebook.runtime import Runtime
from casebook.runtime.review.judging import approve, reject
from casebook.runtime.review.queue import queue
from casebook.runtime.review.review import Review
from casebook.speakers import is_persons, speaker_of
from tests.memory.test_remember import WEDNESDAY, asked, casebook, memory_in, one, opened, project, runtime, standing

__all__ = ["project", "runtime"]  # the fixtures
HOUR, DAY = timedelta(hours=1), timedelta(days=1)

SAID = (
    "From now on, write reports in British English",
    "We release on Tuesdays",
    "Deploys of the shop need an approval of the owner of the service before the release goes out",
    "We chose Postgres over MySQL because of JSONB",
    "I always use pnpm for all installs",
    "The code freeze of the shop goes on until 2026-04-20",
    "以后报告都用简体中文",
    "部署只在周二和周四进行",
)
MORE = (
    " and skip reviews",
    " and Fridays",
    ", without emojis",
    " only",
    "，不用评审",
    " because it is faster",
    "!",
    " now",
    "s",
)
LESS = (
    "only ",
    "always ",
    "never ",
    "actually, ",
    "no, ",
    "remember this for good: ",
    "forget that ",
    "不要",
    "please ",
)
PLAIN = {"agent", "model", "tool"}


@st.composite
def near(draw: st.DrawFn, text: str) -> str:
    """The same words, or some that differ from them in a few places."""
    for _ in range(draw(st.integers(0, 2))):
        how = draw(st.sampled_from(["more", "less", "drop", "swap", "upper"]))
        words = text.split(" ")
        at = draw(st.integers(0, len(words) - 1))
        text = {
            "more": text + draw(st.sampled_from(MORE)),
            "less": draw(st.sampled_from(LESS)) + text,
            "drop": " ".join(words[:at] + words[at + 1 :]) or text,
            "swap": " ".join([*words[:at], draw(st.sampled_from(["French", "Mondays", "npm", "not", "all"])), *words[at + 1 :]]),
            "upper": text.upper(),
        }[how]  # fmt: skip
    return text


def options(by: st.SearchStrategy[str]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {"by": by},
        optional={
            "pinned": st.just(True), "reason": st.sampled_from(["it is faster", "the CTO said so"]),
            "alternatives": st.just(["Oracle"]), "expires_at": st.sampled_from(["2026-04-19", "2027-01-01"]),
            "kind": st.sampled_from(["preference", "rule", "fact", "decision"]), "cost": st.just("high"),
        },
    )  # fmt: skip


def stands(runtime: Runtime) -> dict[str, Memory]:
    return {each.memory.id: each.memory for desk in runtime.desks() for each in desk.memories.memories.values()}


@settings(max_examples=25, phases=(Phase.explicit, Phase.generate))
@given(data=st.data(), text=st.sampled_from(SAID), first=options(st.just("user")))
def test_whatever_an_agent_or_a_tool_says_what_a_person_said_stands_to_the_letter(
    data: st.DataObject, text: str, first: dict[str, Any]
) -> None:
    who = {"user": "ann", "project": "shop"}
    with TemporaryDirectory() as folder:
        book = casebook(Path(folder) / "book")
        with opened(book) as runtime:
            runtime.remember({"text": text, **first}, **who)
            before = stands(runtime)
        for hours in (1, 30, 47):
            with opened(book, at=WEDNESDAY + hours * HOUR) as runtime:
                said = {"text": data.draw(near(text)), **data.draw(options(st.sampled_from(sorted(PLAIN))))}
                named = data.draw(st.sampled_from([*before, None]))
                runtime.remember({**said, **({"corrects": named} if named else {})}, **who)
                if hours > 30:
                    runtime.maintain(("reflect", "compact"))
                after = stands(runtime)
                assert {name: after[name].to_json() for name in before} == {
                    name: each.to_json() for name, each in before.items()
                }
                assert not any(
                    is_persons(each) for name, each in after.items() if name not in before and not each.pinned
                )


@settings(max_examples=25, phases=(Phase.explicit, Phase.generate))
@given(data=st.data(), text=st.sampled_from(SAID), first=options(st.sampled_from(sorted(PLAIN))))
def test_whatever_stands_as_a_persons_is_what_a_person_said_and_nothing_that_an_agent_put_in(
    data: st.DataObject, text: str, first: dict[str, Any]
) -> None:
    who = {"user": "ann", "project": "shop"}
    by_person: set[str] = set()
    others = False
    with TemporaryDirectory() as folder:
        book = casebook(Path(folder) / "book")
        sayings = [
            first,
            data.draw(options(st.just("user"))),
            data.draw(options(st.sampled_from(["user", *sorted(PLAIN)]))),
        ]
        reasons = {str(each["reason"]) for each in sayings if each["by"] == "user" and "reason" in each}
        for hour, said in enumerate(sayings):
            with opened(book, at=WEDNESDAY + hour * HOUR) as runtime:
                kept = runtime.remember({**said, "text": data.draw(near(text))}, **who)
                if said["by"] == "user":
                    by_person |= {each.weighed.text for each in kept}
                    reasons |= {each.weighed.reason for each in kept}
                    others |= "alternatives" in said
                if hour == 2:
                    runtime.maintain("reflect")
                for each in stands(runtime).values():
                    if speaker_of(each) == "person":
                        assert each.text in by_person
                        assert each.reason in {"", *reasons}
                        assert others or "Oracle" not in each.alternatives


@pytest.mark.parametrize("by", sorted(PLAIN))
@pytest.mark.parametrize(
    "said, more",
    [
        ("From now on, write reports in British English.", "From now on, write reports in British English and skip reviews"),
        ("We release the shop on Tuesdays", "We release the shop on Tuesdays and Fridays"),
        ("以后报告都用简体中文", "以后报告都用简体中文，附件也用简体中文"),
    ],
)  # fmt: skip
def test_what_an_agent_adds_to_a_persons_words_waits_for_a_person(
    runtime: Runtime, said: str, more: str, by: str
) -> None:
    first = memory_in(runtime.remember(said, user="ann", project="shop"))
    kept = runtime.remember({"text": more, "by": by}, user="ann", project="shop")[0]
    assert (kept.did, kept.other) == ("proposed", first.id)
    assert stands(runtime)[first.id] == first
    assert len(asked(runtime)) == 1


def desk_of(runtime: Runtime) -> Review:
    (desk,) = runtime.desks()
    return Review(desk.journal, runtime.store, fixed_clock(WEDNESDAY), "person:ann")


@pytest.mark.parametrize(
    ("judge", "now"), [(approve, "We release on Tuesdays and Fridays"), (reject, "We release on Tuesdays")]
)
def test_a_person_decides_and_what_they_agree_to_is_still_told_as_the_agents(
    runtime: Runtime, judge: Any, now: str
) -> None:
    first = memory_in(runtime.remember("We release on Tuesdays", project="shop"))
    runtime.remember({"text": "We release on Tuesdays and Fridays", "by": "agent"}, project="shop")
    assert [each.subject for each in queue(desk_of(runtime))] == [first.id]
    judge(desk_of(runtime), first.id)
    after = stands(runtime)[first.id]
    assert after.text == now
    assert speaker_of(after) == ("agent" if judge is approve else "person")
    assert after.confirmed == (judge is approve)


def test_an_agent_that_says_what_a_person_said_strengthens_nothing(project: Path) -> None:
    with opened(project) as runtime:
        first = memory_in(runtime.remember("We chose Postgres over MySQL because of JSONB", project="shop"))
    for day in (2, 4, 6):
        with opened(project, at=WEDNESDAY + day * DAY) as runtime:
            again = one(runtime.remember({"text": first.text, "by": "agent"}, project="shop"))
            assert (again.did, again.memory) == ("merged", first)
            assert "a person said so" in again.why


def test_an_agents_own_note_stays_the_agents_however_often_it_is_said(runtime: Runtime) -> None:
    for by in ("agent", "agent", "tool", "model"):
        kept = memory_in(runtime.remember({"text": "We chose Postgres over MySQL", "by": by}, project="shop"))
        assert speaker_of(kept) == "agent"


@pytest.mark.parametrize("given", [{"reason": "it is faster"}, {"alternatives": ["Oracle"]}])
def test_a_person_who_says_what_an_agent_noted_says_that_alone(runtime: Runtime, given: dict[str, Any]) -> None:
    form = {"text": "We took Postgres for the shop", "kind": "decision"}
    first = memory_in(runtime.remember({**form, "by": "agent", **given}, project="shop"))
    kept = one(runtime.remember({**form, "text": form["text"] + "!"}, project="shop"))
    assert kept.memory is not None
    assert (kept.memory.id, kept.memory.text) == (first.id, form["text"] + "!")
    assert (kept.memory.reason, kept.memory.alternatives) == ("", ())
    assert [each for each in kept.warnings if next(iter(given)) in each]


def test_what_a_person_has_confirmed_is_theirs_as_well(project: Path) -> None:
    with opened(project) as runtime:
        first = memory_in(
            runtime.remember({"text": "We release on Tuesdays", "by": "agent", "confirmed": True}, project="shop")
        )
        kept = one(runtime.remember({"text": "We release on Tuesdays and Fridays", "by": "agent"}, project="shop"))
        assert (kept.did, kept.memory) == ("proposed", first)


def test_what_of_a_persons_is_over_an_agent_says_beside_it(project: Path) -> None:
    form = {"text": "The freeze of the shop goes on", "kind": "project_state", "project": "shop"}
    with opened(project) as runtime:
        first = memory_in(runtime.remember({**form, "expires_at": "2026-03-25"}))
    with opened(project, at=WEDNESDAY + 30 * DAY) as runtime:
        for _ in range(2):
            again = memory_in(runtime.remember({**form, "by": "agent"}))
            assert (again.id, speaker_of(again)) == (f"{first.id}-2", "agent")
        assert stands(runtime)[first.id] == first


def test_what_a_person_says_is_what_an_agents_note_about_it_goes_into(runtime: Runtime) -> None:
    """The one that stays is the person's, whichever was first."""
    runtime.remember(
        {"text": "The shop is released on Fridays after the tests", "kind": "rule", "by": "agent"}, project="shop"
    )
    kept = one(runtime.remember({"text": "The shop is released on Fridays", "kind": "rule"}, project="shop"))
    assert kept.did == "proposed"
    assert kept.memory is not None
    ((_, subject, others),) = asked(runtime)
    assert others == (kept.memory.id,)
    approve(desk_of(runtime), subject)
    (after,) = standing(runtime).values()
    assert (after.text, speaker_of(after)) == ("The shop is released on Fridays", "person")
    assert after.exceptions == ("The shop is released on Fridays after the tests",)


SAME_AGAIN = (
    ("Rule: never deploy on Fridays.", "Rule: never deploy on Fridays."),
    ("Rule: never deploy on Fridays.", "Decision: never deploy on Fridays"),
    ("Rule: never deploy on Fridays.", "never deploy on fridays"),
    ("规则：禁止周五部署", "决定：禁止周五部署。"),
)


@pytest.mark.parametrize("kind", ["fact", "decision", "lesson", "rule", "preference"])
@pytest.mark.parametrize("by", ["agent", "model", "tool"])
@pytest.mark.parametrize(("said", "again"), SAME_AGAIN)
def test_what_a_person_said_an_agent_says_as_another_kind_in_vain(
    project: Path, said: str, again: str, by: str, kind: str
) -> None:
    with opened(project) as runtime:
        who = {"user": "ann", "project": "shop"}
        first = memory_in(runtime.remember(said, **who))
        kept = one(runtime.remember({"text": again, "by": by, "kind": kind}, **who))
        if kind != first.kind:  # as the same kind a part of it may go to a person, to be told apart
            assert (kept.did, kept.memory, kept.why) == (
                "merged",
                first,
                "a person said so already: it stays as they said it",
            )
            assert list(stands(runtime).values()) == [first]
        assert stands(runtime)[first.id] == first


@pytest.mark.parametrize(
    ("said", "again"),
    [
        ("Never deploy on Fridays", "Decision: never deploy on Fridays or Mondays"),
        ("Never deploy on Fridays", "Decision: never deploy on Mondays"),
        ("Use team A for reviews", "Decision: use team B for reviews"),
    ],
)
def test_what_an_agent_says_besides_is_still_its_own_note(runtime: Runtime, said: str, again: str) -> None:
    runtime.remember({"text": said, "kind": "rule"}, project="shop")
    kept = one(runtime.remember({"text": again, "by": "agent"}, project="shop"))
    assert (kept.did, speaker_of(memory_in((kept,)))) == ("created", "agent")


def test_a_person_says_as_another_kind_what_an_agent_noted_and_both_stand(runtime: Runtime) -> None:
    form = {"text": "Never deploy on Fridays"}
    runtime.remember({**form, "kind": "fact", "by": "agent"}, project="shop")
    assert one(runtime.remember({**form, "kind": "rule"}, project="shop")).did == "created"


@pytest.mark.parametrize("order", [("person", "agent"), ("agent", "person")])
def test_of_what_is_as_near_a_persons_own_is_told_first(project: Path, order: tuple[str, str]) -> None:
    """Notes of an agent that came before, or that are newer, crowd out nothing that a person said."""
    folder = project / "medium_term"
    folder.mkdir()
    text = "never deploy on Fridays"
    days = (
        {"person": "2026-03-02", "agent": "2026-03-01"}
        if order[0] == "agent"
        else {"person": "2026-03-01", "agent": "2026-03-02"}
    )
    notes = [
        {"id": f"a{n}", "kind": kind, "tier": "L2", "text": text, "created_at": days["agent"], "source": {"origin": "agent", "by": "agent"}}
        for n, kind in enumerate(("fact", "decision", "lesson"))
    ]  # fmt: skip
    own = {
        "id": "z",
        "kind": "rule",
        "tier": "L2",
        "text": text,
        "created_at": days["person"],
        "source": {"origin": "user", "by": "person"},
    }
    (folder / "m.json").write_text(json.dumps({"format": 1, "memories": [*notes, own]}), encoding="utf-8")
    with opened(project) as runtime:
        assert runtime.recall("deploy on Fridays?", counts=False)[0].id == "z"
        assert runtime.before_task({"text": "deploy on Fridays?"}).related[0].id == "z"
