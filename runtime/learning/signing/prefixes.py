"""What a log writes before a message: dates, hosts, processes, levels, threads. A message is the same kind without them."""

from __future__ import annotations

import re

_LEVEL = r"(?:trace|debug|info|information|notice|warn|warning|error|err|severe|crit|critical|fatal|alert|emerg|panic|failure|finest|finer|fine|config|错误|警告|告警|报警|严重)"
_STEPS = tuple(
    re.compile(pattern, re.ASCII | re.IGNORECASE)
    for pattern in (
        r"<\d{1,3}>(?:\d )?",
        r"message: (?=\S)",
        r"(?:uncaught|unhandled) (?:error|exception)[:.] ",
        r"[\w./-]{1,60}\[\d{1,8}\]: ",
        r"[\w./-]{1,60}: error: (?=[a-z])",
        r"(?:-?(?:/(?:usr/)?bin/)?(?:ba|z|da|k|fi|a|c|tc)?sh|[\w./-]{1,80}\.(?:sh|bash|zsh)): (?:-c: )?(?:(?:line |第 ?)?\d+(?: ?行)?: ?)?",
        r"\d{6} \d{6} \d{1,8} ",
        r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec) {1,2}\d{1,2} \d\d:\d\d:\d\d(?:\.\d+)? (?:[\w.-]+ )?(?:[\w./()@-]+(?:\[\d+\])?: )?",
        r"\d{4}-\d\d-\d\dt\d\d:\d\d:\d\d(?:[.,]\d+)?(?:z|[+-]\d\d:?\d\d) [\w.-]+ [\w./()@-]+\[\d+\]: ",
        r"\[?(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/]\d{1,2}(?:[-/]\d{2,4})?|\d{1,2}/[a-z]{3}/\d{4}|(?:mon|tue|wed|thu|fri|sat|sun),? [a-z]{3} {1,2}\d{1,2}|\d{1,2} [a-z]{3} \d{4})[ t:]\d\d?:\d\d(?::\d\d(?:[.,:]\d+)?)?(?: ?(?:z|utc|gmt|[+-]\d\d:?\d\d))?(?: \d{4})?(?![\d:])\]?(?: ?- |: ?| )?(?:[\w.-]{1,60} [\w./-]{1,60}\[\d{1,8}\]: )?",
        r"\[\d{1,9}(?:[.,]\d{1,6})?m?s\] ?(?:\[\w{1,10} *\] ?){0,2}(?:\[[\w, ]{1,40}\] ?)?",
        r"\[\d{10}(?:\d{3})?(?:\.\d{1,6})?\]:? ",
        r"\[?\d\d:\d\d:\d\d(?:[.,]\d+)?\]?(?: - |: | )",
        r"[iwef]\d{4} \d\d:\d\d:\d\d\.\d+ {1,8}\d+ [\w.-]+:\d+\] ",
        rf"\[? ?{_LEVEL} ?\](?: ?- |: ?| )?",
        rf"{_LEVEL}(?::[\w.]+)?(?:: | - | {{1,4}}\|? ?(?=\[|\())",
        rf"{_LEVEL} {{1,4}}(?=[A-Z\[(\d])(?![A-Z]{{2,}}[ :])",
        r"(?-i:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL) {1,4}(?=(?-i:[a-z]))(?!error|in )",
        r"(?:ts|time|timestamp|level|lvl|severity|logger|caller|thread|pid|host)=(?:\"[^\"]{0,200}\"|[^\s\"]{0,200}) ",
        rf"[\w.]{{1,60}} - {_LEVEL} - (?=\S)",
        rf"{_LEVEL} [\w.]{{1,60}}: (?=[\w.]{{0,80}}(?:Error|Exception)\b)",
        r"[viwef]/[\w.$ -]{1,60}\( ?\d+\): ",
        r"\[(?:main|[\w.-]*(?:thread|exec|pool|worker|nio)[\w.:#/-]*|pid[ :=]?\d+|tid[ :=]?\d+|\d+#\d+)\](?:: ?| - | )?",
        rf"\[\d{{1,8}}\] (?={_LEVEL}:? )",
        r"\d{1,8}#\d{1,8}: (?:\*\d+ )?",
        r"\[ *\d+\.\d{3,9}\] ",
        r"(?:kernel|systemd|sshd|crond?|nginx|dockerd|containerd|kubelet|sudo|su|dhclient|ntpd|postgres|mysqld|redis-server)(?:\[\d+\])?: (?:\[ *\d+\.\d+\] )?",
        r"thread '[^']{0,60}' (?=panicked)",
        r"(?:uncaught |unhandled )(?:\(in promise\) ?)?(?=[A-Z]\w*(?:Error|Exception)\b)|exception in thread \"[^\"]{0,80}\" ",
        r"(?:error|err|错误|报错|异常|失败)(?: ?[:：] ?)(?=\S)",
    )
)


def without_prefix(line: str) -> str:
    """Give a line without what a log or a shell wrote before its message; a line that is nothing else stays as it is."""
    rest = line.strip()
    for _ in range(8):
        before = rest
        for step in _STEPS:
            found = step.match(rest)
            if found is not None and found.end() < len(rest):
                rest = rest[found.end() :].lstrip(" :-|")
        if rest == before:
            break
    return rest or line.strip()
