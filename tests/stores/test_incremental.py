"""However a file is edited, the next snapshot is what a fresh reading gives, faults, lines and order included.

Where the edit leaves a file that does not parse, it is what was served before.
"""

import json
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.stores.folders import case, opened, seen, write

_NAMES = st.sampled_from(["a", "b", "c", "d", "长"])
_GOOD = st.builds(
    lambda name, words, more: case(name.replace("长", "e"), correction=words or "x", **more),
    _NAMES,
    st.text(max_size=6).filter(lambda text: not text.isspace()),
    st.sampled_from(
        [{}, {"supersedes": ["a"]}, {"supersedes": ["b", "zz"]}, {"x-n": "\n中"}, {"ttl": 5}, {"tags": ["]", "{,"]}]
    ),
)
_BAD: st.SearchStrategy[Any] = st.sampled_from(
    [{}, 5, "x", [], {"id": "a"}, case("b", priority=77), case("c", trigger_conditions=["oops oops"]), None]
)
_ELEMENT = st.one_of(_GOOD, _GOOD, _BAD)
_GAP = st.sampled_from(["", " ", "\n", "\n  ", "\r\n\t"])


@st.composite
def files(draw: st.DrawFn) -> list[str]:
    """A file in pieces: the pieces between are what edits take out, put in, or double."""
    elements = draw(st.lists(_ELEMENT, max_size=6))
    indent = draw(st.sampled_from([None, 2]))
    pieces = [draw(st.sampled_from(["[", ' {"format": 1, "cases": [', "\ufeff["]))]
    for at, element in enumerate(elements):
        gap = draw(_GAP)
        pieces.append(("," if at else "") + gap + json.dumps(element, ensure_ascii=draw(st.booleans()), indent=indent))
    pieces.append(draw(_GAP) + ("]}" if "{" in pieces[0] else "]"))
    return pieces


@st.composite
def edited(draw: st.DrawFn, pieces: list[str]) -> str:
    """An edit: a whole element out, in or changed, or any characters anywhere (as a half-written file has)."""
    text = "".join(pieces)
    kind = draw(st.sampled_from(["drop", "add", "swap", "cut", "type", "other"]))
    if kind == "other":
        return "".join(draw(files()))
    if kind in ("drop", "add", "swap") and len(pieces) > 2:
        at = draw(st.integers(1, len(pieces) - 2))
        new = ("," if at > 1 else "") + draw(_GAP) + json.dumps(draw(_ELEMENT), ensure_ascii=False)
        middle = {"drop": [], "swap": [new], "add": [pieces[at], "," + new.lstrip(",")]}[kind]
        return "".join([*pieces[:at], *middle, *pieces[at + 1 :]])
    start = draw(st.integers(0, len(text)))
    end = draw(st.integers(start, min(len(text), start + draw(st.sampled_from([0, 1, 3, 40])))))
    return (
        text[:start]
        + (draw(st.sampled_from(["", "x", "\n", ",", "{}", '"', "9", "]", " "])) if kind == "type" else "")
        + text[end:]
    )


def _is_whole(path: Path) -> bool:
    try:
        json.loads(path.read_text("utf-8-sig"))
    except ValueError:
        return False
    return True


@settings(max_examples=250, deadline=None)
@given(st.data())
def test_a_snapshot_after_edits_equals_a_fresh_one(data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        write(root, "b.json", [case("a"), case("z")])
        pieces = data.draw(files())
        path = write(root, "a.json", "".join(pieces).encode())
        store = opened(root)
        good = dict(store.snapshot().cases)
        for _ in range(data.draw(st.integers(1, 3))):
            path.write_bytes(data.draw(edited(pieces)).encode())
            snapshot = store.snapshot()
            fresh = opened(root).snapshot()
            if not any("its last good version serves" in fault.message for fault in snapshot.faults):
                assert seen(snapshot) == seen(fresh)
                good = dict(snapshot.cases)
            else:
                assert list(snapshot.cases.items()) == list(good.items())
            if _is_whole(path):
                pieces = [path.read_bytes().decode()]


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_only_what_was_changed_is_made_anew(data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        cases = [case(f"c{at}") for at in range(data.draw(st.integers(2, 8)))]
        write(root, "a.json", cases)
        store = opened(root)
        before: dict[str, Any] = dict(store.snapshot().cases)
        at = data.draw(st.integers(0, len(cases) - 1))
        cases[at]["correction"] = data.draw(st.text(min_size=1, max_size=9).map(lambda text: text + "."))
        write(root, "a.json", cases)
        after = store.snapshot().cases
        assert list(after) == list(before)
        assert [name for name in after if after[name] is not before[name]] == [f"c{at}"]
