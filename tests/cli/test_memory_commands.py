"""Memories as a person, or a program, types them: every command, for both, in the project's casebook and the user's own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Result, Run

WEDNESDAY = "2026-03-18T10:00"
FOUR = "我是 Java 后端，之前做流批一体，最近在学 RAG，这周五交周报"


@pytest.fixture(autouse=True)
def _ann(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOGNAME", "ann")


@pytest.fixture
def mine(here: Path) -> Path:
    """The user's own casebook."""
    root = here.parent / "home" / ".casebook"
    (root / "long_term").mkdir(parents=True)
    (root / "memory-policy.yaml").write_text("format: 1\ntimezone: Asia/Shanghai\n", encoding="utf-8")
    return root


def data(result: Result) -> Any:
    assert result.code in {0, 1}, result
    return json.loads(result.out)


def remembered(casebook: Run, *words: str) -> dict[str, Any]:
    """Remember one thing and give what became of it."""
    (found,) = data(casebook("remember", *words, "--user", "ann", "--now", WEDNESDAY, "--json"))
    return dict(found)


def write(root: Path, *memories: dict[str, Any], file: str = "medium_term/recent_learnings.json") -> None:
    path = root / file
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"format": 1, "memories": list(memories)}, ensure_ascii=False), encoding="utf-8")


def form(name: str, text: str, **fields: Any) -> dict[str, Any]:
    since = "2026-03-01T00:00:00+00:00"
    return {"id": name, "kind": "fact", "text": text, "tier": "L2", "created_at": since, "tier_since": since, **fields}


# -- remember ----------------------------------------------------------------------------------------------------------


def test_remember_tells_what_became_of_each_piece_to_people_and_programs(casebook: Run, memory: Path) -> None:
    told = casebook("remember", FOUR, "--user", "ann", "--now", WEDNESDAY)
    assert (told.code, told.err) == (0, "")
    for words in (
        "created m-",
        "identity L3; for user ann; long_term/identity.json",
        "usage L2, 30d without use",
        "temporary L2 until 2026-03-21 00:00",
    ):
        assert words in told.out
    again = data(casebook("remember", FOUR, "--user", "ann", "--now", WEDNESDAY, "--json"))
    assert [(each["did"], each["kind"], each["tier"]) for each in again] == [
        ("merged", "identity", "L3"), ("merged", "fact", "L2"), ("merged", "usage", "L2"), ("merged", "temporary", "L2"),
    ]  # fmt: skip
    assert again[3]["expires_at"] == "2026-03-20T16:00:00.000+00:00"
    assert [step["rule"] for step in again[0]["rule_chain"]][-1]


@pytest.mark.parametrize("words", ["你好", "几点了？", "hello there", "what time is it?"])
def test_what_is_dropped_is_told_with_its_rule_and_is_done(casebook: Run, memory: Path, words: str) -> None:
    told = casebook("remember", words, "--user", "ann")
    assert (told.code, told.err) == (0, "")
    assert told.out.startswith("dropped by D")
    (found,) = data(casebook("remember", words, "--user", "ann", "--json"))
    assert (found["did"], found["id"]) == ("dropped", None)


@pytest.mark.parametrize(
    "given",
    [
        "I prefer tabs over spaces",
        '{"text": "I prefer tabs over spaces"}',
        '["I prefer tabs over spaces"]',
        '[{"text": "I prefer tabs over spaces"}]',
    ],
)
def test_words_and_json_come_from_stdin_and_from_a_file(casebook: Run, memory: Path, here: Path, given: str) -> None:
    (found,) = data(casebook("remember", "-", "--user", "ann", "--json", stdin=given))
    assert (found["did"], found["text"], found["scope"]) == ("created", "I prefer tabs over spaces", {"user": "ann"})
    if given.startswith(("{", "[")):
        (here / "c.json").write_text(given, encoding="utf-8")
        (again,) = data(casebook("remember", "--candidate", "c.json", "--user", "ann", "--json"))
        assert (again["did"], again["id"]) == ("merged", found["id"])


def test_of_a_list_the_bad_are_told_with_their_place_and_the_rest_is_kept(casebook: Run, memory: Path) -> None:
    given = json.dumps(
        [
            "I like tea",
            5,
            {"text": ""},
            {"txt": "x"},
            {"text": "I live in Berlin", "kind": "identety"},
            "I always use pnpm",
        ]
    )
    told = casebook("remember", "-", "--user", "ann", stdin=given)
    assert told.code == 1
    assert told.out.count("created m-") == 2
    for words in ("stdin: [1]:", "stdin: [2]: text", "stdin: [3]: text", "stdin: [4]: kind", "(identity)"):
        assert words in told.err
    nothing = casebook("remember", "-", "--user", "ann", stdin='[5, {"txt": "I like cake"}]')
    assert (nothing.code, nothing.out) == (2, "")
    assert "[0]" in nothing.err
    assert "[1]" in nothing.err


def test_of_a_list_what_cannot_be_done_is_told_and_the_rest_is_kept(casebook: Run, memory: Path) -> None:
    given = json.dumps(
        [{"text": "I use pnpm", "corrects": "m-none"}, "I like tea", {"text": "I like cake", "scope": {"user": "bob"}}]
    )
    told = casebook("remember", "-", "--user", "ann", stdin=given)
    assert (told.code, told.out.count("created m-")) == (1, 1)
    assert "[0]: there is no memory 'm-none'" in told.err
    assert "[2]: scope.user: expected 'ann'" in told.err


@pytest.mark.parametrize(
    ("line", "stdin", "code", "words"),
    [
        (("remember",), "", 2, "expected something to remember"),
        (("remember", "-"), "", 2, "text"),
        (("remember", "-"), '{"text": ', 2, "expected JSON"),
        (("remember", "-"), '{"text": "I like tea", "kind": "fakt"}', 2, "(fact)"),
        (("remember", "I like tea", "--kind", "fakt"), "", 2, "--kind"),
        (("remember", "I like tea", "--by", "robot"), "", 2, "--by"),
        (("remember", "I like tea", "--candidate", "x.json"), "", 2, "expected something to remember"),
        (("remember", "--candidate", "x.json"), "", 2, "x.json"),
        (("remember", "I like tea", "--ttl", "soon"), "", 2, "ttl: expected"),
        (("remember", "I like tea", "--expires-at", "soon"), "", 2, "expires_at: expected"),
        (("remember", "I like tea", "--corrects", "m-1"), "", 2, "there is no memory 'm-1'"),
        (("recall",), "", 2, "WORDS"),
        (("recall", " "), "", 2, "expected words"),
        (("recall", "tea", "--limit", "x"), "", 2, "--limit"),
        (("maintain", "agee"), "", 2, "did you mean age?"),
        (("maintain", "tick"), "", 2, "there is no job 'tick'"),
        (("maintain", "--due", "age"), "", 2, "--due says itself"),
        (("reconcile", "undoo"), "", 2, "did you mean undo?"),
        (("reconcile", "undo"), "", 2, "expected numbers"),
        (("reconcile", "undo", "x"), "", 2, "expected the number of a move"),
        (("reconcile", "undo", "team#1"), "", 2, "expected the number of a move"),
        (("reconcile", "undo", "99"), "", 1, "#99 is no entry"),
        (("forget",), "", 2, "expected --user, --session or --text"),
        (("forget", "--text", " "), "", 2, "got nothing"),
        (("purge", "--before", "soon"), "", 2, "--before"),
        (("purge", "--before", "2126-01-01"), "", 2, "has passed"),
        (("list", "--tier", "L4"), "", 2, "--tier L4"),
        (("list", "--kind", "identiti"), "", 2, "did you mean identity?"),
        (("list", "--kind", "fact", "--effect", "block"), "", 2, "memories have none"),
        (("show", "m-tll"), "", 2, "did you mean m-till?"),
        (("edit", "m-tll", "tier=L3"), "", 2, "did you mean m-till?"),
        (("edit", "m-till", "tier=L4"), "", 2, "tier"),
        (("edit", "m-till", "--unset", "tagz"), "", 2, "no such field"),
        (("archive", "m-tll"), "", 2, "did you mean m-till?"),
        (("restore", "m-2"), "", 2, "m-2"),
        (("history", "m-2"), "", 2, "m-2"),
        (("revert", "m-till", "0000"), "", 2, "never had a version"),
        (("why", "m-2"), "", 2, "m-2"),
        (("review", "approve", "m-till"), "", 2, "nothing about the memory m-till waits"),
    ],
)  # fmt: skip
def test_bad_input_says_where_and_what_was_expected(
    casebook: Run, memory: Path, line: tuple[str, ...], stdin: str, *, code: int, words: str
) -> None:
    write(memory, form("m-till", "The till is closed on Mondays"))
    told = casebook(*line, stdin=stdin)
    assert (told.code, told.out) == (code, ""), told
    assert words in told.err
    assert "fault of ours" not in told.err


# -- recall, list, show, why -------------------------------------------------------------------------------------------


def test_recall_list_show_and_why(casebook: Run, memory: Path) -> None:
    kept = remembered(casebook, "以后报告都用简体中文")
    found = casebook("recall", "报告 语言", "--user", "ann", "--session", "s1")
    assert found.code == 0
    assert kept["id"] in found.out
    assert "preference L3, said by person, on 2026-03-18" in found.out
    assert [each["id"] for each in data(casebook("recall", "报告", "--user", "ann", "--json", "--peek"))] == [
        kept["id"]
    ]
    for other in (("--user", "bob"), ()):
        assert casebook("recall", "报告", *other) == Result(0, "", "nothing is known of it\n")
    assert "1 memory of 1" in casebook("list", "--memories").err
    assert [each["id"] for each in data(casebook("list", "--kind", "preference", "--json"))] == [kept["id"]]
    assert casebook("list", "--tier", "L2").err == "0 memories of 1\n"
    assert "以后报告都用简体中文" in casebook("show", kept["id"]).out
    assert data(casebook("show", kept["id"], "--json"))["text"] == "以后报告都用简体中文"
    why = casebook("why", kept["id"])
    assert (why.code, why.err) == (0, "")
    for words in ("R1", "person:ann  remember", "created: new → L3", "told 1 time, in 1 session", "in session s1"):
        assert words in why.out
    assert data(casebook("why", kept["id"], "--json"))["told"][0]["session"] == "s1"


def test_a_memory_that_was_written_by_hand_has_its_place_everywhere(casebook: Run, memory: Path) -> None:
    write(memory, form("m-hand", "The till is closed on Mondays", **{"x-who": "ann"}))
    assert "m-hand" in casebook("recall", "till Mondays").out
    assert "none: it was written by hand" in casebook("why", "m-hand").out
    assert "x-who" in casebook("show", "m-hand").out
    assert casebook("check").code == 0
    assert "1 memory" in casebook("check").out + casebook("check").err
    assert "stands now" in casebook("history", "m-hand").out


def test_check_names_the_place_of_what_is_wrong_in_a_memory_file(casebook: Run, memory: Path) -> None:
    write(memory, form("m-1", "x", tier="L4"), form("m-2", "y", kidn="fact"))
    told = casebook("check")
    assert told.code == 1
    assert "medium_term/recent_learnings.json" in told.out
    assert "kidn" in told.out
    assert "L4" in told.out


# -- edit, mute, wrong, archive, restore, history, revert --------------------------------------------------------------


def test_what_a_person_does_to_a_memory_is_told_undone_and_in_the_log(casebook: Run, memory: Path) -> None:
    kept = remembered(casebook, "以后报告都用简体中文")["id"]
    before = data(casebook("show", kept, "--json"))
    for line, words in (
        (("edit", kept, "text=以后报告都用英文", 'tags=["a"]'), "edited"),
        (("mute", kept), "muted"),
        (("wrong", kept, "--because", "no"), "waits for review"),
        (("archive", kept, "--because", "old"), "archived"),
    ):
        done = casebook(*line)
        assert (done.code, words in done.out) == (0, True), done
        assert casebook("review", "undo").out.startswith("undone: #")
        after = data(casebook("show", kept, "--json"))
        assert {**after, "tier_since": "", "rule_chain": []} == {**before, "tier_since": "", "rule_chain": []}
    log = casebook("review", "log", "--case", kept).out
    for words in ("remember", "edit", "mute", "wrong", "archive", "undo"):
        assert words in log


def test_history_and_revert(casebook: Run, memory: Path) -> None:
    kept = remembered(casebook, "I always use npm")["id"]
    corrected = casebook("remember", "I use pnpm, not npm", "--corrects", kept, "--user", "ann")
    assert corrected.out.startswith(f"corrected {kept}: I use pnpm, not npm")
    first, second = data(casebook("history", kept, "--json"))
    assert (first["memory"]["text"], second["memory"]["text"]) == ("I always use npm", "I use pnpm, not npm")
    assert [each["field"] for each in second["differences"]][:1] == ["text"] or "text" in str(second["differences"])
    assert "- I always use npm" in casebook("history", kept).out
    back = casebook("revert", kept, first["version"][:6])
    assert (back.code, back.out.startswith(f"reverted {kept} to {first['version']}")) == (0, True)
    assert data(casebook("show", kept, "--json"))["text"] == "I always use npm"
    assert casebook("revert", kept, first["version"]).err == f"{kept} says that already; nothing was changed\n"


@pytest.mark.parametrize("tier", ["L2", "L3"])
def test_archive_and_restore_to_the_tier_that_it_had(casebook: Run, memory: Path, tier: str) -> None:
    write(
        memory,
        form("m-1", "The till is closed on Mondays", tier=tier),
        file="medium_term/a.json" if tier == "L2" else "long_term/a.json",
    )
    assert casebook("archive", "m-1").code == 0
    assert casebook("recall", "till").err == "nothing is known of it\n"
    (found,) = data(casebook("recall", "till", "--archive", "--json"))
    assert found["id"] == "m-1"
    assert "casebook restore m-1" in casebook("recall", "till", "--archive").out
    assert "casebook restore m-1" in casebook("mute", "m-1").err
    assert "casebook restore m-1" in casebook("history", "m-1").err
    assert casebook("restore", "m-1").code == 0
    assert data(casebook("show", "m-1", "--json"))["tier"] == tier


# -- review ------------------------------------------------------------------------------------------------------------


def test_a_contradiction_waits_with_both_texts_and_what_each_answer_does(casebook: Run, memory: Path) -> None:
    first, second = remembered(casebook, "我喜欢喝咖啡")["id"], remembered(casebook, "我不喜欢喝咖啡")["id"]
    told = casebook("review")
    assert told.err == "1 memory waits for a person\n"
    for words in (
        second, '"我不喜欢喝咖啡"', f'{first}: "我喜欢喝咖啡" (preference, L3)', "it says the opposite of another",
        f"`casebook review approve {second}`: it holds, and {first} goes to the archive", f"`casebook review reject {second}`: both stay",
    ):  # fmt: skip
        assert words in told.out
    (item,) = data(casebook("review", "--json"))
    assert (item["proposes"], item["memory"]["text"], item["others"][0]["text"]) == (
        "hold",
        "我不喜欢喝咖啡",
        "我喜欢喝咖啡",
    )
    assert {each["id"] for each in data(casebook("list", "--memories", "--json"))} == {first, second}
    done = casebook("review", "approve", second)
    assert done.out.startswith(f"{second} holds; what says the opposite is in the archive")
    assert {each["id"] for each in data(casebook("list", "--memories", "--json"))} == {second}
    assert "it waits again" in casebook("review", "undo").out
    assert {each["id"] for each in data(casebook("list", "--memories", "--json"))} == {first, second}
    assert "refused what was proposed" in casebook("review", "reject", second).out
    assert casebook("review").err == "nothing waits\n"


def test_an_agent_s_correction_waits_and_is_applied_once_a_person_approves(casebook: Run, memory: Path) -> None:
    kept = remembered(casebook, "I always use npm")["id"]
    asked = casebook(
        "remember", "Ann uses pnpm, not npm", "--corrects", kept, "--user", "ann", "--by", "agent", "--agent", "bot"
    )
    assert asked.out.startswith("proposed")
    told = casebook("review").out
    assert '"I always use npm"' in told
    assert 'proposed: "Ann uses pnpm, not npm"' in told
    assert casebook("review", "approve", kept).out.startswith(f"corrected {kept}")
    assert data(casebook("show", kept, "--json"))["text"] == "Ann uses pnpm, not npm"


def test_approved_feedback_is_recalled_from_then_on(casebook: Run, memory: Path) -> None:
    casebook("after-task", "--feedback", "Your answers are too long", "--user", "ann", "--session", "s1")
    assert casebook("recall", "answers long", "--user", "ann").err == "nothing is known of it\n"
    (item,) = data(casebook("review", "--json"))
    assert casebook("review").err == "1 remark waits for a person\n"
    assert "it is recalled from now on" in casebook("review", "approve", item["id"]).out
    assert item["id"] in casebook("recall", "answers long", "--user", "ann").out
    casebook("review", "undo")
    assert casebook("recall", "answers long", "--user", "ann").err == "nothing is known of it\n"


def test_the_queue_counts_cases_memories_and_remarks_apart(casebook: Run, memory: Path) -> None:
    remembered(casebook, "我喜欢喝咖啡")
    remembered(casebook, "我不喜欢喝咖啡")
    casebook("after-task", "--feedback", "Your answers are too long", "--user", "ann")
    for number in range(3):
        casebook(
            "after-task",
            "--error",
            "KeyError",
            "--message",
            "no such sku",
            "--tool",
            "stock",
            "--arg",
            f"n={number}",
            "--session",
            f"s{number}",
        )
    assert casebook("review").err == "1 case, 1 memory and 1 remark wait for a person\n"


# -- upkeep ------------------------------------------------------------------------------------------------------------


def test_maintain_reconcile_and_why_tell_a_move_in_words(casebook: Run, memory: Path) -> None:
    write(memory, form("m-1", "The till is closed on Mondays", kind="usage"))
    dry = casebook("maintain", "age", "--dry-run", "--now", "2026-04-15")
    assert "age: 1 demoted to L1" in dry.out
    assert "(dry run)" in dry.out
    assert data(casebook("show", "m-1", "--json"))["tier"] == "L2"
    ran = casebook("maintain", "age", "--now", "2026-04-15")
    assert (ran.code, "age: 1 demoted to L1" in ran.out) == (0, True)
    (report,) = data(casebook("maintain", "age", "--now", "2026-04-15", "--json"))
    assert report["moves"] == []
    why = casebook("why", "m-1").out
    assert "move  m-1  L2 → L1: P2" in why
    assert "()" not in why
    assert "L2 → L1" in casebook("review", "log").out
    (move,) = data(casebook("reconcile", "--json", "--peek", "--now", "2026-04-16"))
    assert (move["before"], move["after"], move["layer"]) == ("L2", "L1", None)
    shown = casebook("reconcile", "--now", "2026-04-16")
    assert f"#{move['number']}  L2 → L1  m-1  The till is closed on Mondays" in shown.out
    undone = casebook("reconcile", "undo", str(move["number"]), "--now", "2026-04-16")
    assert "m-1 is in L2 again" in undone.out
    assert casebook("reconcile", "--now", "2026-04-16").err == "nothing was moved since you last confirmed\n"
    assert (
        casebook("review", "undo", str(move["number"])).err.endswith("undone already\n")
        or "reconcile undo" in casebook("review", "undo", str(move["number"])).err
    )


def test_confirming_all_leaves_nothing_to_reconcile(casebook: Run, memory: Path) -> None:
    write(memory, *(form(f"m-{number}", f"Till {number} is closed", kind="usage") for number in range(3)))
    casebook("maintain", "age", "--now", "2026-04-15")
    assert casebook("reconcile", "confirm", "--all", "--now", "2026-04-16").out == "confirmed 3 moves\n"
    assert casebook("reconcile", "--now", "2026-04-16").err == "nothing was moved since you last confirmed\n"


def test_the_schedule_s_bookkeeping_is_in_no_story(casebook: Run, memory: Path) -> None:
    write(memory, form("m-1", "The till is closed on Mondays"))
    casebook("maintain", "--due", "--now", "2026-03-20T03:00")
    assert casebook("review", "log").out == ""
    assert "schedule" in casebook("review", "log", "--all").out
    assert "what happened" not in casebook("why", "m-1").out


def test_moves_of_the_user_s_layer_bear_its_name(casebook: Run, memory: Path, mine: Path) -> None:
    write(memory, form("m-1", "The till is closed on Mondays", kind="usage"))
    write(mine, form("m-2", "I like tea", kind="usage", scope={"user": "ann"}))
    ran = casebook("maintain", "age", "--now", "2026-04-15")
    assert "age in project: 1 demoted to L1" in ran.out
    assert "age in user: 1 demoted to L1" in ran.out
    moves = {each["layer"]: each["number"] for each in data(casebook("reconcile", "--json", "--peek"))}
    assert set(moves) == {"project", "user"}
    shown = casebook("reconcile").out
    assert f"  #{moves['project']}  " in shown
    assert f"  user#{moves['user']}  " in shown
    assert casebook("reconcile", "undo", f"user#{moves['user']}", str(moves["project"])).out.count("in L2 again") == 2
    assert data(casebook("show", "m-2", "--json"))["tier"] == "L2"


# -- two layers --------------------------------------------------------------------------------------------------------


def test_each_memory_goes_to_its_layer_and_every_command_finds_it_there(
    casebook: Run, memory: Path, mine: Path
) -> None:
    kept = remembered(casebook, "以后报告都用简体中文", "--project", "shop")
    rule = remembered(casebook, "In this project we use tabs, never spaces", "--project", "shop")
    assert (kept["layer"], rule["layer"]) == ("user", "project")
    assert (mine / kept["path"]).is_file()
    assert (memory / rule["path"]).is_file()
    assert {each["layer"] for each in data(casebook("list", "--memories", "--json"))} == {"user", "project"}
    assert [each["id"] for each in data(casebook("list", "--memories", "--layer", "user", "--json"))] == [kept["id"]]
    for command in ("why", "show", "history"):
        assert kept["id"] in casebook(command, kept["id"]).out or "stands now" in casebook(command, kept["id"]).out
    done = casebook("mute", kept["id"])
    assert done.code == 0
    assert '"disabled"' in (mine / kept["path"]).read_text(encoding="utf-8")
    assert casebook("review", "undo").code == 0  # the last that a person did, whichever layer
    assert '"disabled"' not in (mine / kept["path"]).read_text(encoding="utf-8")
    opposite = remembered(casebook, "以后报告不要用简体中文", "--project", "shop")
    waiting = {each["id"] for each in data(casebook("review", "--json"))}
    if opposite["opposes"]:
        assert waiting == {opposite["id"]}
        assert casebook("review", "reject", opposite["id"]).code == 0
        assert casebook("review").err == "nothing waits\n"


def test_a_preference_reaches_its_user_in_another_project_and_a_convention_does_not(
    casebook: Run, memory: Path, mine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    remembered(casebook, "以后报告都用简体中文", "--project", "shop")
    remembered(casebook, "In this project we use tabs, never spaces", "--project", "shop")
    other = tmp_path / "other"
    (other / "memory" / "long_term").mkdir(parents=True)
    (other / "memory" / "memory-policy.yaml").write_text("format: 1\n", encoding="utf-8")
    monkeypatch.chdir(other)
    told = json.loads(
        casebook("before-task", "--text", "这份报告要用简体中文写吗？", "--user", "ann", "--project", "till").out
    )
    assert "以后报告都用简体中文" in told["prompt"]
    assert told["related"][0]["layer"] == "user"
    for words in ("tabs spaces", "报告"):
        assert casebook("recall", words, "--user", "bob", "--project", "till").err == "nothing is known of it\n"
    assert casebook("recall", "tabs spaces", "--user", "ann", "--project", "shop").err == "nothing is known of it\n"


# -- a session, forget, purge, secrets ---------------------------------------------------------------------------------


def test_the_end_of_a_session_lists_what_was_remembered(casebook: Run, memory: Path) -> None:
    kept = remembered(casebook, "I prefer tabs over spaces", "--session", "s1")
    told = json.loads(casebook("after-task", "--ended", "--session", "s1", "--user", "ann").out)
    assert [(each["id"], each["tier"]) for each in told["remembered"]] == [(kept["id"], "L3")]
    start = json.loads(casebook("before-task", "--point", "session_start", "--user", "ann", "--session", "s2").out)
    assert start["verdict"] == "allow"


def test_forget_counts_first_and_leaves_no_byte(casebook: Run, memory: Path) -> None:
    kept = remembered(casebook, "I always drink Zwetschgenwasser")
    remembered(casebook, "以后报告都用简体中文")
    (mine,) = data(casebook("remember", "I always drink water", "--user", "bob", "--json"))
    casebook("archive", kept["id"])
    before = casebook("forget", "--user", "ann")
    assert "would forget" in before.out
    assert "nothing was written" in before.err
    assert data(casebook("show", mine["id"], "--json"))
    assert casebook("forget", "--user", "ann", "--yes").code == 0
    held = b"".join(path.read_bytes() for path in memory.rglob("*") if path.is_file())
    for words in ("Zwetschgenwasser", "简体中文"):
        assert words.encode() not in held
        assert words.encode("unicode-escape") not in held
    assert data(casebook("show", mine["id"], "--json"))["text"] == "I always drink water"


def test_purge_takes_what_has_been_in_the_archive_for_its_year(casebook: Run, memory: Path) -> None:
    write(memory, form("m-1", "The till is closed on Mondays"))
    casebook("archive", "m-1", "--now", "2026-03-20T12:00")
    for now, counted in (("2027-03-20T12:00", "nothing"), ("2027-03-20T12:01", "1 ")):
        assert counted in casebook("purge", "--now", now).out
    done = casebook("purge", "--now", "2027-03-21", "--yes")
    assert (done.code, "purged" in done.out) == (0, True)
    assert casebook("recall", "till", "--archive").err == "nothing of it is in the archive\n"


def test_secrets_are_in_no_file_and_in_no_output(casebook: Run, memory: Path) -> None:
    key = "sk-ant-api03-" + "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGh"
    told = casebook("remember", f"The key of staging is always {key}", "--user", "ann", "--pin")
    assert key not in told.out
    assert "redacted" in told.out
    held = b"".join(path.read_bytes() for path in memory.rglob("*") if path.is_file())
    assert key.encode() not in held


def test_doctor_and_stats_count_memories(casebook: Run, memory: Path) -> None:
    remembered(casebook, "以后报告都用简体中文")
    assert casebook("doctor").code == 0
    assert '"L3": 1' in casebook("doctor", "--json").out.replace("\n", "").replace("  ", "")


@pytest.mark.parametrize(("by", "asked"), [((), True), (("--by", "agent"), None), (("--by", "tool"), None)])
def test_what_the_user_types_is_asked_for_and_what_others_say_is_not(
    casebook: Run, memory: Path, by: tuple[str, ...], asked: bool | None
) -> None:
    (kept,) = data(casebook("remember", "The build is red", "--kind", "temporary", "--user", "ann", "--json", *by))
    assert data(casebook("show", kept["id"], "--json"))["source"].get("asked") is asked


def test_an_idle_case_waits_with_what_each_answer_does(casebook: Run, memory: Path) -> None:
    casebook("maintain", "audit", "--now", "2026-03-21T12:00")
    assert casebook("review").err == "nothing waits\n"
    casebook("maintain", "audit", "--now", "2026-12-01T12:00")
    told = casebook("review")
    assert told.err == "1 case waits for a person\n"
    for words in (
        "case_001", "it was of no use for long", "`casebook review approve case_001`: it goes to the archive",
        "`casebook review reject case_001`: it stays as it is",
    ):  # fmt: skip
        assert words in told.out
    assert casebook("review", "approve", "case_001").code == 0
    assert casebook("list").err.startswith("0 cases")
    casebook("review", "undo")
    assert casebook("review", "reject", "case_001").out.startswith(
        "refused what was proposed for case_001; the case stays"
    )
    assert casebook("list").err.startswith("1 case")
    casebook("maintain", "audit", "--now", "2026-12-02T12:00")
    assert casebook("review").err == "nothing waits\n"  # it was answered
