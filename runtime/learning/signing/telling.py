"""Which lines of a message tell what went wrong: the last exception of a traceback, the head of a stack, the first compiler error."""

from __future__ import annotations

import re

MOST_LINES = 12
"""Lines that are read of a message which is no stack: of more, the first ones and the last."""
MOST = 4_096
"""Characters of the telling lines that are read."""

_TRACEBACK = re.compile(
    r"^[ |+-]*(?:Exception Group )?Traceback \(most recent call (?:last|first)\):?$|^ {0,8}File \".{1,400}\", line \d+.{0,200}$",
    re.MULTILINE,
)
_GROUP = re.compile(r"^ {0,40}\+ Exception Group Traceback|^ {0,40}\| [\w.]*ExceptionGroup: ", re.MULTILINE)
_GROUP_LINE = re.compile(r"^(?P<bars>[ |]*\|) (?! )(?!Traceback |[\w.]*ExceptionGroup: |-|\+)(?P<v>.+)$", re.MULTILINE)
_CHAINED = re.compile(r"^(?:During handling of the above|The above exception was the direct cause)")
_FRAME = re.compile(
    r"^ {1,40}(?:at |\.{3} \d+ (?:more|common frames)|- locked |in )|^ +\[?(?:native code|internal)|^\s*at [\w.$<>]+\(|^\[?<anonymous>",
    re.IGNORECASE,
)
_CAUSE = re.compile(r"^\s*(?:Caused by|\[cause\]|Suppressed)\s?:\s?(?P<v>.+)$")
_COMPILER = re.compile(
    r"^(?:(?:[A-Za-z]:)?[^\s:()][^:()\n]{0,300}(?::\d+(?::\d+)?|\(\d+(?:,\d+)?\))(?: ?: | - | ))?(?:fatal |internal compiler )?(?:error|错误)(?:\[\w+\]| ?[A-Z]{1,6}\d+)? ?:",
    re.IGNORECASE,
)
_CODE_LINE = re.compile(
    r"^\s*(?:\d+\s*)?\|(?!\|)|^\s*-->|^[\s^~|-]+$|^\s*\d+ \| |^\S+: In (?:function|member|static|constructor)|^\s+from |^In file included|: note: |^note: |^\s*= (?:note|help): |^help: "
)
_CARETS = re.compile(r"^\s*[~^]*\^[~^]*\s*$")
_SYMBOL = re.compile(r"^\s+symbol: +(?P<v>[a-z]+)")
_GO_END = re.compile(
    r"^(?:goroutine \d+ \[|\[signal |stack backtrace:|stack ?trace:|backtrace:|Stack ?[Tt]race:|Backtrace:|note: run with `RUST_BACKTRACE)",
    re.MULTILINE,
)
_VALIDATION = re.compile(r"^(?:[\w.]+: )?\d+ validation errors? for ", re.MULTILINE)
_INPUT = re.compile(r"^ {1,8}(?P<v>\S.{0,400}) \[type=(?P<type>\w+)", re.MULTILINE)
_NOISE = re.compile(
    r"^\[(?:SQL|parameters): .*|^\(Background on this error at.*|^ *For further information visit.*|^\s*\^+\s*$|^LINE {1,4}\d+: .*|^\s*(?:HINT|CONTEXT|STATEMENT|QUERY|LOCATION): .*"
    r"|^\s*\(Session info: .*|^[Uu]sage: .*|^Try '.*' for help\.$|^For more information check: .*|^(?:ORA-06512|ORA-06510): .*|^Node\.js v[\d.]+$|^Help: https?:.*|^npm (?:ERR!|error) (?:A complete log|    ).*|^Run with .*|^ {0,8}See (?:also )?https?:.*|^- Windows error.*",
    re.MULTILINE,
)


def telling(text: str) -> str:
    """Give the lines of a message that tell its kind, at most `MOST` characters; any text has some, but an empty one."""
    if _GROUP.search(text):
        told = _of_group(text)
        if told:
            return told[:MOST]
    tracebacks = [*_TRACEBACK.finditer(text)]
    if tracebacks:
        text = _after_traceback(text[tracebacks[-1].end() :]) or text
    text = _of_pydantic(text) or text
    text = _NOISE.sub("", text)
    end = _GO_END.search(text)
    if end is not None and text[: end.start()].strip():
        text = text[: end.start()]
    lines = [line for line in text.split("\n") if line.strip()]
    lines = _of_stack(lines)
    lines = _of_compiler(lines)
    if len(lines) > MOST_LINES:
        lines = [*lines[: MOST_LINES // 2], *lines[-MOST_LINES // 2 :]]
    return "\n".join(lines)[:MOST]


def _of_pydantic(text: str) -> str:
    """Give the kinds of a report of validation errors, each once, in an order of ours; "" for any other text."""
    if not _VALIDATION.search(text):
        return ""
    return "\n".join(
        ["validation error", *sorted({f"{found['v']}: {found['type']}" for found in _INPUT.finditer(text)})]
    )


def _of_group(text: str) -> str:
    """Give the last exceptions that an exception group holds, each once, in an order of ours."""
    leaves = {found["v"].strip() for found in _GROUP_LINE.finditer(text)}
    leaves = {leaf for leaf in leaves if re.match(r"[A-Za-z_][\w.]*(?::|$)", leaf)}
    return "\n".join(["exceptiongroup", *sorted(leaves)]) if leaves else ""


def _after_traceback(rest: str) -> str:
    """Give what follows the frames of the last traceback."""
    lines = rest.split("\n")
    for position, line in enumerate(lines):
        if line.strip(" |") and not line.startswith(" ") and not line.startswith("|  "):
            told = []
            for other in lines[position:]:
                if _CHAINED.match(other):
                    break
                told.append(other)
            return "\n".join(told)
    return "\n".join(line.strip() for line in lines[-2:])


def _of_stack(lines: list[str]) -> list[str]:
    """Give the head of a stack and its last cause, without frames; other lines as they are."""
    first = next((position for position, line in enumerate(lines) if _FRAME.match(line)), None)
    causes = [found["v"] for line in lines if (found := _CAUSE.match(line))]
    if first is None and not causes:
        return lines
    head = [line for line in lines[:first] if not _CAUSE.match(line)]
    code = next((position for position, line in enumerate(head) if re.fullmatch(r"\s*\^+\s*", line)), None)
    if code is not None:
        head = head[code + 1 :]
    elif len(head) > 2 and re.match(r"^(?:file://)?[/A-Z][^ ]*:\d+$", head[0]):
        head = head[2:]
    return [*head[-3:], *causes[-1:]] or [line for line in lines if not _FRAME.match(line)] or lines


def _of_compiler(lines: list[str]) -> list[str]:
    """Give the first error of a compiler; other lines as they are, but for the source a compiler shows."""
    symbol = next((f"{found['v']}-symbol" for line in lines if (found := _SYMBOL.match(line))), None)
    for line in lines:
        if _COMPILER.match(line.strip()):
            if symbol or re.match(r".*:\d+(?::\d+)?: |.*\(\d+,\d+\)|error\[", line):
                return [line, symbol] if symbol else [line]
            break
    shown = {place - 1 for place, line in enumerate(lines) if _CARETS.match(line)}
    kept = [line for place, line in enumerate(lines) if place not in shown and not _CODE_LINE.search(line)]
    return kept or lines
