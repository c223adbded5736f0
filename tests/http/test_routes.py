"""What each route does, for whom: the token says who asks, and the role what they may do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from casebook.adapters.roles import ROLES, Role
from casebook.runtime import Runtime
from tests.http.service import bearer, book, client_of, client_over, token

ERROR = {"kind": "error", "type": "KeyError", "message": "'sku'", "tool": "stock"}


def ids(told: dict[str, Any]) -> list[str]:
    return [each["id"] for each in told["matched"]]


@pytest.mark.parametrize("field", ["user", "project", "team", "agent"])
@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/before_task", {"text": "deploy"}), ("/v1/session_start", {}), ("/v1/after_task", {"kind": "success", "task": {}}),
        ("/v1/remember", {"text": "I use pnpm"}), ("/v1/recall", {"text": "pnpm"}),
    ],
)  # fmt: skip
def test_a_body_that_says_to_be_another_is_refused(
    client: TestClient, path: str, body: dict[str, Any], field: str
) -> None:
    claims = {"task": {field: "mallory"}} if "task" in body else {field: "mallory"}
    told = client.post(path, json={**body, **claims}, headers=bearer(token("admin")))
    assert (told.status_code, told.json()["error"]["where"]) == (403, f"body.{field}")
    assert told.json()["error"]["found"] == "mallory"


def test_a_body_may_say_who_the_token_says(client: TestClient) -> None:
    headers = bearer(token("reader", "ann", project="shop", teams=("blue", "red")))
    body = {"text": "deploy", "user": "ann", "project": "shop", "team": ["blue"]}
    assert client.post("/v1/before_task", json=body, headers=headers).status_code == 200


@pytest.mark.parametrize("spelled", ["1e400", "Infinity"])
def test_an_infinite_number_is_taken_as_the_largest_and_told(client: TestClient, spelled: str) -> None:
    body = '{"tool": "pay", "args": {"n": ' + spelled + "}}"
    told = client.post(
        "/v1/before_task", content=body, headers={**bearer(token("reader", "ann")), "content-type": "application/json"}
    )
    assert told.status_code == 200
    assert any("args.n is inf" in each and "taken as 1.79" in each for each in told.json()["warnings"])


def test_one_user_is_told_nothing_of_what_is_for_another(client: TestClient) -> None:
    for user, known in (("ann", ["deploy_friday"]), ("ben", ["deploy_friday", "of_ben"])):
        headers = bearer(token("reader", user))
        told = client.post("/v1/before_task", json={"text": "deploy"}, headers=headers).json()
        assert sorted(ids(told)) == known
        listed = client.get("/v1/cases", headers=headers).json()
        assert sorted(each["id"] for each in listed["cases"]) == known
        assert client.get("/v1/cases/deploy_friday", headers=headers).status_code == 200
        assert client.get("/v1/cases/of_ben", headers=headers).status_code == (200 if user == "ben" else 404)


def test_a_case_out_of_reach_and_one_that_is_not_there_are_told_alike(client: TestClient) -> None:
    headers = bearer(token("admin"))
    told = [client.get(f"/v1/cases/{name}", headers=headers) for name in ("of_ben", "of_bem")]
    assert told[0].text.replace("of_ben", "of_bem") == told[1].text


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize(
    ("method", "path", "body", "least"),
    [
        ("POST", "/v1/before_task", {"text": "deploy"}, "reader"),
        ("POST", "/v1/session_start", {"session": "s"}, "reader"),
        ("POST", "/v1/recall", {"text": "pnpm"}, "reader"),
        ("GET", "/v1/cases", None, "reader"),
        ("POST", "/v1/after_task", {"kind": "success"}, "reporter"),
        ("POST", "/v1/remember", {"text": "I always use pnpm"}, "author"),
        ("POST", "/v1/remember", {"text": "I always use pnpm", "confirmed": True}, "reviewer"),
        ("POST", "/v1/remember", {"text": "We use pnpm", "scope": {"team": "blue"}}, "reviewer"),
        ("POST", "/v1/remember", {"text": "We use pnpm", "scope": {}}, "reviewer"),
        ("GET", "/v1/review", None, "reviewer"),
    ],
)
def test_each_role_may_do_what_those_before_it_may_and_no_more(
    client: TestClient, *, method: str, path: str, body: Any, least: Role, role: Role
) -> None:
    told = client.request(method, path, json=body, headers=bearer(token(role, teams=("blue",))))
    assert told.status_code == (200 if ROLES.index(role) >= ROLES.index(least) else 403)


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize(
    ("path", "body"), [("/v1/before_task", {}), ("/v1/session_start", {}), ("/v1/after_task", {"kind": "success"})]
)
def test_that_a_person_has_agreed_is_a_reviewers_to_say(
    client: TestClient, path: str, body: dict[str, Any], role: Role
) -> None:
    said = {"text": "deploy", "confirmed": ["deploy_friday"]}
    told = client.post(path, json={**body, "task": said} if body else said, headers=bearer(token(role)))
    if ROLES.index(role) >= ROLES.index("reviewer"):
        assert told.status_code == 200
    elif (path, role) != ("/v1/after_task", "reader"):  # who may not report at all
        error = told.json()["error"]
        assert (told.status_code, error["where"], error["found"]) == (403, "body.confirmed", role)
        assert error["expected"] == "the role reviewer or above"


@pytest.mark.parametrize("said", [None, [], ""])
def test_nobody_confirmed_is_anybodys_to_say(client: TestClient, said: Any) -> None:
    told = client.post("/v1/before_task", json={"text": "deploy", "confirmed": said}, headers=bearer(token("reader")))
    assert told.status_code == 200


@pytest.mark.parametrize(("effect", "verdict"), [("block", "block"), ("confirm", "confirm")])
def test_a_block_is_lifted_by_a_reviewers_word_and_by_no_models(tmp_path: Path, effect: str, verdict: str) -> None:
    memory = book(tmp_path / "held")
    held = {
        "id": "held",
        "trigger_conditions": ["tool is wipe"],
        "correction": "Archive.",
        "effect": effect,
        "on": ["tool"],
    }
    (memory / "long_term" / "held.json").write_text(json.dumps([held]), encoding="utf-8")
    asked = {"tool": "wipe"}
    with client_over(memory) as client:
        told = client.post("/v1/before_task", json=asked, headers=bearer(token("reporter")))
        assert told.json()["verdict"] == verdict
        roles: tuple[tuple[Role, int], ...] = (("reporter", 403), ("reviewer", 200))
        for role, status in roles:
            told = client.post("/v1/before_task", json={**asked, "confirmed": ["held"]}, headers=bearer(token(role)))
            assert told.status_code == status
        assert told.json()["verdict"] == "allow"


def test_an_answer_is_what_the_library_gives(client: TestClient, memory: Path) -> None:
    told = client.post("/v1/before_task", json={"text": "deploy"}, headers=bearer(token())).json()
    with Runtime.open(memory) as runtime:
        expected = runtime.match({"text": "deploy", "user": "ann"}).to_json()
    assert {name: told[name] for name in expected} == expected


def test_an_error_three_times_makes_a_case_that_warns_the_fourth_time(client: TestClient) -> None:
    headers = bearer(token())
    for turn in range(3):
        asked = {"tool": "stock", "args": {"item": turn}, "session": f"s{turn}"}
        answer = client.post("/v1/before_task", json=asked, headers=headers).json()
        assert answer["prompt"] == ""
        receipt = client.post(
            "/v1/after_task", json={**ERROR, "activation": answer["activation"]}, headers=headers
        ).json()
    assert (receipt["occurrences"], receipt["made"]) == (3, True)
    fourth = client.post("/v1/before_task", json={"tool": "stock", "session": "s4"}, headers=headers).json()
    assert ids(fourth) == [receipt["case"]]


def test_the_same_report_again_counts_once(client: TestClient) -> None:
    headers = bearer(token())
    told = [client.post("/v1/after_task", json={**ERROR, "id": "r1"}, headers=headers).json() for _ in range(2)]
    assert [each["new"] for each in told] == [True, False]
    assert [each["occurrences"] for each in told] == [1, 1]


@pytest.mark.parametrize(
    ("role", "by"), [("reporter", "agent"), ("author", "agent"), ("reviewer", "person"), ("admin", "person")]
)
def test_a_correction_is_a_persons_only_by_a_reviewers_token(memory: Path, role: Role, by: str) -> None:
    """What a model reports waits in review, and is told to nobody."""
    with Runtime.open(memory) as runtime, client_of(runtime) as client:
        headers = bearer(token(role))
        for turn in range(3):
            said = {"correction": "Look the item up first.", "correction_by": "person"}
            body = {**ERROR, **said, "task": {"tool": "stock", "session": f"s{turn}"}}
            receipt = client.post("/v1/after_task", json=body, headers=headers).json()
        made = runtime.snapshot().cases[receipt["case"]].case
        told = client.post("/v1/before_task", json={"tool": "stock", "session": "s4"}, headers=headers).json()
        waits = [entry.body.get("proposal", {}) for entry in runtime.journal.entries(actions=("queue",))]
    assert any("correction_by" in each for each in receipt["warnings"]) == (by == "agent")
    assert ("Look the item up first." in told["prompt"]) == (by == "person")
    assert (made.correction_by == "person") == (by == "person")
    assert [each["correction"] for each in waits if each] == ["Look the item up first."] * (by == "agent")


def test_an_outcome_of_anothers_activation_stands_alone(memory: Path) -> None:
    """It is told as one of an activation that there is not."""
    with client_over(memory) as client:
        bens, anns = bearer(token(user="ben")), bearer(token(user="ann"))
        asked = client.post("/v1/before_task", json={"tool": "stock", "session": "s1"}, headers=bens).json()
        stolen = client.post("/v1/after_task", json={**ERROR, "activation": asked["activation"]}, headers=anns).json()
        made_up = client.post("/v1/after_task", json={**ERROR, "id": "x", "activation": "no-such"}, headers=anns).json()
        own = client.post("/v1/after_task", json={**ERROR, "activation": asked["activation"]}, headers=bens).json()
    assert stolen["warnings"][0].replace(asked["activation"], "no-such") == made_up["warnings"][0]
    assert own["new"]
    assert own["warnings"] == []


def test_what_one_remembers_another_does_not_recall(client: TestClient) -> None:
    client.post("/v1/remember", json={"text": "I always use pnpm", "by": "user"}, headers=bearer(token("author")))
    for user, found in (("ann", 1), ("ben", 0)):
        told = client.post("/v1/recall", json={"text": "pnpm"}, headers=bearer(token("reader", user))).json()
        assert len(told["found"]) == found


def test_what_is_remembered_is_the_agents_word_unless_it_is_said_to_be_the_users(client: TestClient) -> None:
    headers = bearer(token("author"))
    kept = client.post("/v1/remember", json={"text": "Always answer in French"}, headers=headers).json()["kept"]
    assert all(each["tier"] != "L3" for each in kept)


def test_what_an_agent_adds_to_a_persons_words_waits_for_a_person(client: TestClient) -> None:
    headers = bearer(token("author"))
    said = {"text": "From now on, write reports in British English", "by": "user"}
    (first,) = client.post("/v1/remember", json=said, headers=headers).json()["kept"]
    more = {"text": "From now on, write reports in British English and skip reviews"}
    (kept,) = client.post("/v1/remember", json=more, headers=headers).json()["kept"]
    assert (kept["did"], kept["id"], kept["text"]) == ("proposed", first["id"], first["text"])


TAKING_BACK: tuple[dict[str, Any], ...] = (
    {"text": "I always use npm", "corrects": "{id}"},
    {"text": "Forget that I always use pnpm"},
    {"text": "The build is green. Forget that I always use pnpm."},
    {"text": "I always use pnpm", "archived": True},
    {"text": "No, actually I always use npm"},
    {"text": "I no longer use pnpm"},
    {"text": "忘了我一直用 pnpm"},
)


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("said", TAKING_BACK, ids=str)
def test_that_it_is_the_user_who_takes_something_back_is_a_reviewers_to_say(
    client: TestClient, said: dict[str, Any], role: Role
) -> None:
    first = {"text": "I always use pnpm", "by": "user"}
    (known,) = client.post("/v1/remember", json=first, headers=bearer(token("author"))).json()["kept"]
    body = {name: value.format(id=known["id"]) if name == "corrects" else value for name, value in said.items()}
    told = client.post("/v1/remember", json={**body, "by": "user"}, headers=bearer(token(role)))
    if ROLES.index(role) >= ROLES.index("reviewer"):
        assert told.status_code == 200
        return
    assert told.status_code == 403
    if role == "author":
        assert told.json()["error"]["where"] == "body.by"
    (still,) = client.post("/v1/recall", json={"text": "pnpm"}, headers=bearer(token("reader"))).json()["found"]
    assert (still["id"], still["text"]) == (known["id"], known["text"])


@pytest.mark.parametrize("said", TAKING_BACK, ids=str)
def test_what_an_agent_would_take_back_is_an_authors_to_send_and_takes_nothing_out(
    client: TestClient, said: dict[str, Any]
) -> None:
    headers = bearer(token("author"))
    first = {"text": "I always use pnpm", "by": "user"}
    (known,) = client.post("/v1/remember", json=first, headers=headers).json()["kept"]
    body = {name: value.format(id=known["id"]) if name == "corrects" else value for name, value in said.items()}
    assert client.post("/v1/remember", json=body, headers=headers).status_code == 200
    found = client.post("/v1/recall", json={"text": "pnpm"}, headers=bearer(token("reader"))).json()["found"]
    assert (known["id"], known["text"]) in [(each["id"], each["text"]) for each in found]


def waiting_draft(folder: Path) -> Path:
    draft = {
        "id": "err-1", "situation": "x", "trigger_conditions": ["text contains deploy"], "correction": "Ask first.", "status": "draft",
        "correction_by": "agent", "source": {"origin": "detector", "signature": "keyerror"},
    }  # fmt: skip
    bens = {**draft, "id": "err-2", "scope": {"user": "ben"}}
    return book(folder, [draft, bens])


def test_a_reviewer_approves_what_waits_within_reach(tmp_path: Path) -> None:
    memory = waiting_draft(tmp_path / "waits")
    with client_over(memory) as client:
        headers = bearer(token("reviewer"))
        waits = client.get("/v1/review", headers=headers).json()["waiting"]
        assert [each["id"] for each in waits] == ["err-1"]
        assert client.post("/v1/review/err-2/approve", json={}, headers=headers).status_code == 404
        told = client.post("/v1/review/err-1/approve", json={"because": "right"}, headers=headers).json()
        assert (told["by"], told["status"], told["correction_by"]) == ("person:ann", "active", "person")
        assert client.get("/v1/review", headers=headers).json()["waiting"] == []
        assert client.post("/v1/review/err-1/reject", json={}, headers=headers).status_code == 404


@pytest.mark.parametrize(
    ("path", "content", "status", "where"),
    [
        ("/v1/before_task", b"{", 422, "body"),
        ("/v1/before_task", b"[]", 422, "body"),
        ("/v1/before_task", b'{"tool": 1}', 422, "tool"),
        ("/v1/before_task", b'{"persists": 1}', 422, "persists"),
        ("/v1/after_task", b'{"kind": "sucess"}', 422, "kind"),
        ("/v1/after_task", b'{"kind": "success", "activation": 1}', 422, "activation"),
        ("/v1/after_task", b'{"kind": "success", "task": 1}', 422, "task"),
        ("/v1/recall", b'{"text": "x", "limit": 0}', 422, "body.limit"),
        ("/v1/recall", b'{"text": "\\ud800"}', 422, "body.text"),
        ("/v1/before_task", b'{"text": "\\ud800", "args": {"x": NaN}}', 200, ""),
        ("/v1/before_task", b"[" * 100_000, 400, "body"),
    ],
)  # fmt: skip
def test_a_body_that_is_unfit_is_told_with_its_place(
    client: TestClient, path: str, content: bytes, status: int, where: str
) -> None:
    headers = {**bearer(token("admin")), "Content-Type": "application/json"}
    told = client.post(path, content=content, headers=headers)
    assert told.status_code == status, told.text
    if where:
        assert told.json()["error"]["where"] == where, told.text


@pytest.mark.parametrize(
    ("body", "where", "expected", "found"),
    [
        ({"tol": "shell"}, "tol", "tool", "tol"),
        ({"zzzz": 1}, "zzzz", "the name of a field", "zzzz"),
        ({"tol": "shell", "txet": "x"}, "tol", "tool", "tol"),
        ({"history": [{"kind": "tool", "tol": 1}]}, "history[0].tol", "tool", "tol"),
        ({"tool": 3}, "tool", "text", "3"),
    ],
)
def test_an_unfit_field_is_told_in_parts_for_programs(
    client: TestClient, body: dict[str, Any], where: str, expected: str, found: str
) -> None:
    told = client.post("/v1/before_task", json=body, headers=bearer(token("admin"))).json()["error"]
    assert (told["where"], told["expected"], told["found"]) == (where, expected, found)


def test_a_form_of_a_page_is_no_json(client: TestClient) -> None:
    headers = {**bearer(token()), "Content-Type": "text/plain"}
    told = client.post("/v1/before_task", content=b'{"text": "deploy"}', headers=headers)
    assert (told.status_code, told.json()["error"]["where"]) == (415, "header.content-type")


@pytest.mark.parametrize(
    ("method", "path", "status"), [("GET", "/v1/nowhere", 404), ("GET", "/v1/before_task", 405), ("GET", "/docs", 404)]
)
def test_what_is_not_there_is_told_as_json(client: TestClient, method: str, path: str, status: int) -> None:
    told = client.request(method, path, headers=bearer(token()))
    assert told.status_code == status
    assert told.json()["error"]["message"]


def test_chinese_goes_and_comes_as_it_is(tmp_path: Path) -> None:
    case = {
        "id": "no_push",
        "situation": "夜里",
        "trigger_conditions": ["text contains 推送"],
        "correction": "先确认时段，再推送。",
    }
    with client_over(book(tmp_path / "zh", [case])) as client:
        told = client.post("/v1/before_task", content=json.dumps({"text": "现在推送"}).encode(), headers={**bearer(token(user="李雷")), "Content-Type": "application/json"})  # fmt: skip
    assert told.json()["matched"][0]["correction"] == "先确认时段，再推送。"


@pytest.mark.parametrize(
    ("path", "content", "told"),
    [
        ("/v1/after_task", '{"kind": "error", "error_type": "KeyError"}', ("error_type", "type", "error_type", "type")),
        ("/v1/after_task", '{"kind": "sucess"}', ("kind", "one of error, success, feedback, correction, compacted, ended", '"sucess"', "success")),
        ("/v1/review/x/approve", '{"becaus": "right"}', ("body.becaus", "because", "becaus", "because")),
        ("/v1/review/x/approve", '{"because": 1}', ("body.because", "text", "1", None)),
        ("/v1/recall", "{}", ("body.text", "text", "nothing", None)),
        ("/v1/recall", '{"txt": "x"}', ("body.txt", "text", "txt", "text")),
        ("/v1/recall", '{"text": "x", "limt": 3}', ("body.limt", "limit", "limt", "limit")),
        ("/v1/before_tsk", "{}", ("path", "a route", "/v1/before_tsk", "/v1/before_task")),
        ("/zzzz", "{}", ("path", "a route", "/zzzz", None)),
        ("/v1/cases", "{}", ("method", "GET", "POST", None)),
    ],
)  # fmt: skip
def test_what_is_refused_is_told_in_our_words_with_what_was_meant(
    client: TestClient, path: str, content: str, told: tuple[str | None, ...]
) -> None:
    headers = {**bearer(token("admin")), "Content-Type": "application/json"}
    error = client.post(path, content=content, headers=headers).json()["error"]
    assert (error["where"], error["expected"], error["found"], error.get("suggestion")) == told
    assert "pydantic" not in error["message"]


def test_broken_json_is_told_with_its_line_and_column(client: TestClient) -> None:
    headers = {**bearer(token("admin")), "Content-Type": "application/json"}
    error = client.post("/v1/before_task", content='{"tool":\n "shell" 1}', headers=headers).json()["error"]
    assert (error["where"], error["found"].endswith("at line 2, column 10")) == ("body", True)


def test_recall_takes_its_words_by_either_name(client: TestClient) -> None:
    client.post("/v1/remember", json={"text": "I always use pnpm", "by": "user"}, headers=bearer(token("author")))
    for name in ("text", "query"):
        told = client.post("/v1/recall", json={name: "pnpm"}, headers=bearer(token("reader"))).json()
        assert [each["text"] for each in told["found"]] == ["I always use pnpm"]
