"""docs/serve.md: its commands do what it shows, its tables are those of the code."""

from __future__ import annotations

import os
import re
import shutil
import signal
from contextlib import suppress
from pathlib import Path

import pytest

from casebook.adapters.http import hook_service, hook_socket, pool, serving
from casebook.adapters.http.app import application
from casebook.adapters.http.desk import Desk
from casebook.adapters.http.forms import REFUSALS
from casebook.adapters.roles import ROLES
from casebook.clock import system_clock
from tests.docs.reading import ROOT, rows_of, run_page

PAGE = "docs/serve.md"
TEXT = (ROOT / PAGE).read_text(encoding="utf-8")


@pytest.mark.skipif(shutil.which("curl") is None, reason="the page asks with curl, which is not here")
def test_the_page_does_what_it_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    try:
        run_page(PAGE)
    finally:
        pid = tmp_path / "pid"
        if pid.exists():
            with suppress(ProcessLookupError):
                os.kill(int(pid.read_text(encoding="utf-8")), signal.SIGKILL)


def test_its_roles_are_the_roles() -> None:
    assert [row[0].strip("`") for row in rows_of(TEXT, "role")] == list(ROLES)


def test_its_routes_are_the_routes() -> None:
    told = set(re.findall(r"`(?:GET|POST)? ?(/[\w/{}]+)`", "\n".join(row[0] for row in rows_of(TEXT, "route"))))
    desk = Desk(lambda: pytest.fail("nothing is asked"), system_clock)
    known = {
        path.replace("{case_id}", "{id}").replace("{subject}", "{id}") for path in application(desk).openapi()["paths"]
    }
    assert told | {"/v1/review/{id}/reject"} == known
    desk.close()


def test_its_statuses_are_those_that_every_route_may_answer() -> None:
    told = {int(each) for row in rows_of(TEXT, "status") for each in row[0].split(", ")}
    assert told == {*REFUSALS, 404, 405}


def test_its_figures_are_those_of_the_code() -> None:
    assert "at 127.0.0.1" in TEXT
    assert f"ready in {hook_service.WAITS:g} s" in TEXT
    assert f"At most {pool.MOST} casebooks" in TEXT
    assert f"each for {pool.IDLE / 60:g} minutes" in TEXT
    assert f"come in within {hook_socket.SECONDS:g} s" in TEXT
    assert serving.PORT == 7477
