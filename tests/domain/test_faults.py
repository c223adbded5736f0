"""A fault is one line, whatever the thing at fault is called."""

from __future__ import annotations

import pytest

from casebook.faults import Fault, nearest


@pytest.mark.parametrize("name", ["a\nb.json:1:1 c: fine", "a\x1b[31mb", "a\u2028b", "a\udcffb"])
def test_no_name_begins_a_line_of_its_own(name: str) -> None:
    fault = Fault(name, f"expected x, got {name}", line=1, column=2, case="c", field=name, suggestion=name)
    for told in (str(fault), fault.where):
        assert told.splitlines() == [told]
        assert told.encode()
        assert "\x1b" not in told


@pytest.mark.parametrize(("name", "expected"), [("intnet", "intent"), ("INTENT", "intent"), ("zzz", None), ("", None)])
def test_the_nearest_name(name: str, expected: str | None) -> None:
    assert nearest(name, ["intent", "tool", "text"]) == expected
