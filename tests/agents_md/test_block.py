"""The managed block goes into a file and out of it, and every other byte stays."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from casebook.adapters.agents_md.markers import MarkerError, block_of, find
from casebook.adapters.agents_md.placing import EditedError, held, placed, taken_out
from casebook.faults import CasebookError

BODY = "\n## Casebook\n\n- ask first\n\n"
OTHER = "\n## Casebook\n\n- ask first\n- and report\n\n"
ENDS = ("\n", "\r\n", "\r")
FILES = {
    "empty": "",
    "a line": "Use pnpm.\n",
    "no final line end": "# Shop\n\nUse pnpm.",
    "a heading alone": "# Shop\n",
    "a heading without a line end": "# Shop",
    "a heading and text below it": "# Shop\nUse pnpm.\n",
    "empty lines first": "\n\n# Shop\n\nUse pnpm.\n",
    "empty lines last": "# Shop\n\n\n\n",
    "front matter": "---\nname: shop\n---\n\n# Shop\n\nUse pnpm.\n",
    "front matter without an end": "---\nname: shop\n",
    "a fence that shows markers": "# Shop\n\n```md\n<!-- BEGIN CASEBOOK v:1 hash:0 -->\n<!-- END CASEBOOK -->\n```\n",
    "a fence of tildes": "~~~\n```\n<!-- END CASEBOOK -->\n~~~\n",
    "a fence that never ends": "Run:\n\n```\nls\n",
    "an indented marker": "- write\n\n      <!-- BEGIN CASEBOOK v:1 -->\n",
    "Chinese": "# 商店\n\n用 pnpm。\n",
    "a line separator that ends no line": "# Shop\u2028<!-- END CASEBOOK -->\n\nUse pnpm.\n",
}


@pytest.mark.parametrize("end", ENDS, ids=("lf", "crlf", "cr"))
@pytest.mark.parametrize("mark", [b"", codecs.BOM_UTF8], ids=("plain", "bom"))
@pytest.mark.parametrize("name", FILES)
def test_put_in_and_taken_out_leaves_the_very_bytes(name, mark, end):
    data = mark + FILES[name].replace("\n", end).encode()
    made = placed(data, BODY)
    assert made != data
    assert taken_out(made) == data
    assert taken_out(placed(made, OTHER)) == data, "an update in between leaves no trace"
    assert made.startswith(mark)


PIECES = st.sampled_from(
    [*"\n\r#`~- a<!>.\ufeff\u2028é", "\r\n", "```\n", "---\n", "# ", "<!-- BEGIN CASEBOOK", "<!-- END CASEBOOK -->"]
)


@given(st.lists(PIECES, max_size=40).map("".join) | st.text())
@example("\n\r\r")
@example("---\n---\n# a\n\r\n")
def test_any_text_comes_back(text):
    data = text.encode()
    try:
        made = placed(data, BODY)
    except MarkerError:
        return  # it has what may be a marker: it was left as it is
    assert taken_out(made) == data
    assert placed(made, BODY) is made, "the second time nothing changes"


@given(st.binary(max_size=60).filter(lambda data: data[:2] not in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)))
def test_bytes_that_are_no_utf8_come_back(data):
    assert taken_out(placed(data, BODY)) == data


def test_a_file_made_for_the_block_goes_with_it():
    made = placed(None, BODY)
    assert made.endswith(b"<!-- END CASEBOOK -->\n")
    assert taken_out(made) is None
    assert taken_out(placed(b"", BODY)) == b"", "and one that was there, and empty, stays"


def test_what_somebody_wrote_beside_the_block_of_such_a_file_stays():
    assert taken_out(placed(None, BODY) + b"\n# Mine\n") == b"\n# Mine\n"


@pytest.mark.parametrize(
    "before, edit, left",
    [
        (b"# Shop\n\nUse pnpm.\n", lambda made: made + b"Use node 24.\n", b"# Shop\n\nUse pnpm.\nUse node 24.\n"),
        (b"# Shop\n\nUse pnpm.\n", lambda made: b"Read me.\n\n" + made, b"Read me.\n\n# Shop\n\nUse pnpm.\n"),
        (b"Use pnpm.\n", lambda made: made.replace(b"-->\n\nUse", b"-->\nUse"), b"Use pnpm.\n"),
        (b"Use pnpm.\n", lambda made: made.replace(b"\n", b"\r\n"), b"Use pnpm.\r\n"),
        (b"Use pnpm.\r\n", lambda made: made.replace(b"\r\n", b"\n"), b"Use pnpm.\n"),
        (b"Use pnpm.\n", lambda made: made.removesuffix(b"\nUse pnpm.\n"), b""),
    ],
    ids=("below", "above", "our empty line", "to crlf", "to lf", "all the rest"),
)
def test_only_the_block_goes_where_somebody_has_edited_the_rest(before, edit, left):
    assert taken_out(edit(placed(before, BODY))) == left


def test_the_block_stands_near_the_top_below_the_first_heading():
    assert placed(b"# Shop\n\nUse pnpm.\n", BODY).startswith(b"# Shop\n\n<!-- BEGIN CASEBOOK v:1 hash:")
    assert placed(b"Use pnpm.\n", BODY).startswith(b"<!-- BEGIN CASEBOOK v:1 hash:")
    assert placed(b"---\nname: x\n---\nUse pnpm.\n", BODY).startswith(
        b"---\nname: x\n---\n<!-- BEGIN CASEBOOK v:1 hash:"
    )


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_a_block_has_the_line_ends_of_its_file(end):
    made = placed(b"a" + end + b"b" + end, BODY)
    assert made.replace(end, b"").find(b"\n") == made.replace(end, b"").find(b"\r") == -1


def test_a_block_that_was_changed_by_hand_is_left_until_it_is_forced():
    made = placed(b"Use pnpm.\n", BODY)
    edited = made.replace(b"ask first", b"ask me first")
    with pytest.raises(EditedError, match="line 1: the block was changed by hand"):
        placed(edited, OTHER)
    with pytest.raises(EditedError):
        taken_out(edited)
    assert placed(edited, BODY, force=True) == made
    assert taken_out(edited, force=True) == b"Use pnpm.\n"


@pytest.mark.parametrize(
    "before, after",
    [
        ("- Never *push*\n", "- Never _push_\n"),
        ("- Always **pull**\n", "- Always __pull__\n"),
        ("- a\n- b\n", "\n\n- a\n\n- b\n\n"),
        ("- a\n", "- a  \n"),
    ],
)
def test_what_a_formatter_changes_is_no_change_by_hand(before, after):
    made = placed(b"Use pnpm.\n", before)
    formatted = made.replace(before.encode(), after.encode())
    assert formatted != made
    assert placed(formatted, before) is formatted, "and the file is left as the formatter has it"
    assert taken_out(formatted) == b"Use pnpm.\n"


BEGIN = block_of(BODY, tail=False, made=False).split("\n")[0]
END = "<!-- END CASEBOOK -->"


@pytest.mark.parametrize(
    "text, line, told",
    [
        (f"a\n{BEGIN}\nb\n", 2, "found a begin marker and no end marker after it"),
        (f"a\n{END}\nb\n", 2, "found an end marker and no begin marker before it"),
        (f"{END}\n{BEGIN}\n", 1, "found an end marker and no begin marker before it"),
        (f"{BEGIN}\n{BEGIN}\n{END}\n{END}\n", 2, "found a begin marker within the block that begins in line 1"),
        (f"{BEGIN}\n{END}\n{BEGIN}\n{END}\n", 3, "found a marker behind the block that begins in line 1"),
        (f"{BEGIN}\n{END}\n{END}\n", 3, "found a marker behind the block that begins in line 1"),
        (f"<!-- BEGIN CASEBOOK -->\n{END}\n", 1, "expected <!-- BEGIN CASEBOOK v:1 hash:"),
        (f"<!-- BEGIN CASEBOOK v:1 hash:12 tail:0 -->\n{END}\n", 1, "expected <!-- BEGIN CASEBOOK v:1 hash:"),
        (f"<!-- BEGIN CASEBOOK v:1\n{END}\n", 1, "expected <!-- BEGIN CASEBOOK v:1 hash:"),
        (f"{BEGIN} and more\n{END}\n", 1, "expected <!-- BEGIN CASEBOOK v:1 hash:"),
        (f"{BEGIN}\n{END} and more\n", 2, "expected <!-- END CASEBOOK --> alone on its line"),
        (f"<!-- BEGIN CASEBOOK v:2 hash:{'0' * 12} x:y -->\n{END}\n", 1, "expected a block of version 1, found version 2"),
        (f"```\nls\n{BEGIN}\n{END}\n", 3, "found a marker in the fence of code that line 1 opens and that never ends"),
    ],
)  # fmt: skip
def test_markers_that_are_not_those_of_one_block_are_left_with_line_and_cure(text, line, told):
    for attempt in (lambda: placed(text.encode(), BODY, force=True), lambda: taken_out(text.encode(), force=True)):
        with pytest.raises(MarkerError) as raised:
            attempt()
        assert raised.value.line == line
        assert raised.value.message.startswith(told)
        assert raised.value.cure


@pytest.mark.parametrize(
    "text",
    [
        f"```md\n{BEGIN}\n{END}\n```\n", f"````\n```\n{BEGIN}\n````\n", f"~~~ md\n{END}\n~~~\n", f"  {BEGIN}\n",
        f"> {BEGIN}\n", f"text {END}\n", "<!-- BEGIN CASEBOOKS -->\n", "<!-- BEGIN OTHER -->\n", f"    {END}\n",
    ],
)  # fmt: skip
def test_what_only_looks_like_a_marker_is_text(text):
    assert find(text) is None


def test_inline_code_with_three_backticks_opens_no_fence():
    assert find(f"```x```\n{BEGIN}\n{END}\n") is not None


def test_trailing_blanks_after_a_marker_do_not_lose_it():
    assert held(f"{BEGIN} \n{END}\t\n".encode()) is not None


@pytest.mark.parametrize("mark", [codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE])
def test_utf16_is_refused(mark):
    with pytest.raises(CasebookError, match="expected UTF-8, found UTF-16"):
        placed(mark + "Use pnpm.\n".encode("utf-16-le"), BODY)


def test_a_body_with_a_marker_in_it_is_refused():
    with pytest.raises(CasebookError):
        placed(b"", f"{BEGIN}\n{END}\n")
