"""The one configuration of all sources: the variable parts of a message, in the order in which they are taken out.

A pattern's group `v`, where it has one, is what is taken out; what stands around it stays. The name `constant` keeps what it
finds (its group `v`) from every later row. ASCII classes only: Chinese characters border on numbers and names.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from casebook.runtime.learning.signing.alphabet import MARK_RANGE

CONSTANT = "constant"


@dataclass(frozen=True, slots=True)
class Part:
    """One row: what stands for it, how it is found, and texts it is found in (each example holds at least one)."""

    name: str
    pattern: re.Pattern[str]
    examples: tuple[str, ...]


def _part(name: str, pattern: str, *examples: str) -> Part:
    return Part(name, re.compile(pattern, re.ASCII | re.IGNORECASE), examples)


def _exact(name: str, pattern: str, *examples: str) -> Part:
    return Part(name, re.compile(pattern, re.ASCII), examples)


_MONTH = "(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]{0,6}"
_DAY = "(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?"
_CLOCK = r"\d{1,2}:\d{2}(?::\d{2}(?:[.,:]\d{1,9})?)?(?: ?[ap]\.?m\.?(?![a-z]))?"
_DATED_CLOCK = r"\d{1,2}[:.-]\d{2}(?:[:.-]\d{2}(?:[.,:]\d{1,9})?)?"
_ZONE = r"(?: ?(?:z(?![a-z0-9])|utc|gmt|cst|est|pst|[+-]\d{2}:?\d{2}))?"
_NUMERAL = "[零〇一二三四五六七八九十百千万亿两]"
_COUNTER = "(?:个|條|条|次|行|件|张|位|名|人|天|小时|分钟|秒|毫秒|页|项|元|块|步|台|份|种|只|年|月|周|号|笔|辆|间|本|组|批|度|倍|列|字节|字符)"
_SUFFIXES = (
    "py|pyc|pyi|ipynb|js|mjs|cjs|jsx|ts|tsx|vue|java|class|jar|kt|scala|go|rs|c|cc|cpp|cxx|h|hh|hpp|cs|rb|php|pl|pm|lua|r|swift|m|mm|sh|bash|"
    "zsh|ps1|bat|cmd|exe|dll|so|dylib|o|a|lib|sql|db|sqlite3?|json5?|jsonl|ya?ml|toml|ini|cfg|conf|config|env|xml|html?|css|scss|less|svg|"
    "png|jpe?g|gif|bmp|webp|ico|pdf|docx?|xlsx?|pptx?|csv|tsv|txt|md|rst|log|out|err|tmp|bak|lock|pid|sock|zip|tar|gz|tgz|bz2|xz|7z|rar|whl|"
    "deb|rpm|iso|img|mp[34]|wav|avi|mkv|mov|parquet|avro|pkl|npy|npz|h5|pt|onnx|bin|dat|data|pem|crt|cer|key|csr|p12|properties|gradle|"
    "service|socket|timer|mount|proto|tf|tfvars|dockerfile|patch|diff|map|wasm|ko|cu|f90|tex|bib"
)
_TOP = (
    "com|net|org|io|dev|app|ai|co|cn|uk|de|fr|jp|kr|eu|ru|us|in|br|au|ca|edu|gov|mil|info|biz|cloud|local|localdomain|internal|lan|"
    "intranet|corp|home|svc|test|example|invalid|xyz|me|tv|ch|nl|se|it|es|hk|tw|sg"
)
_CODE_WORD = (
    r"(?:exit(?:ed)?(?: with)?(?: (?:status|code|value|error)){0,2}|(?:status|return(?:ed)?|error|err|result|response|reason|http|https|vendor|sql)[ _-]?"
    r"(?:status[ _-]?)?codes?|code|status|errno|os error|winerror|error number|signal|sqlstate|sql state|returned(?: non-zero)?(?: exit status)?|http(?:/\d(?:\.\d)?)?|http error|"
    r"rc|ret|retcode|ec|error|err|msg|mysql|ora|got|server responded with(?: a status of)?|"
    r"状态码|错误码|错误代码|错误号|退出码|退出状态|返回码|返回值|响应码|状态|代码|信号|异常码|错误编号)"
)

PARTS: tuple[Part, ...] = (
    # constants that tell the kind
    _exact(
        CONSTANT,
        r"(?<![A-Za-z0-9_])(?P<v>(?:ORA|PLS|TNS|SP2|RMAN|DPY|DPI|IMP|EXP|LRM|KUP|JDBC|SQLCODE|SQL|MYSQL|MY|CWE|GHSA|LDAP|JAVA|OGG|AADSTS|TF|ERR|KB|MSB|SC|NG|TM|BGLERR|DL|RT|E|W|F|EE|WW)-\d{1,6})(?![A-Za-z0-9_-])",
        "ORA-00942: table or view does not exist",
    ),
    _exact(
        CONSTANT,
        r"(?<![A-Za-z0-9_-])(?P<v>(?:TS|CS|LNK|MSB|NU|CA|BC|FS|NETSDK|AADSTS|SQL|PGRST|CWWK[A-Z]{1,2}|WFLY[A-Z]{2,6}|HHH|AMQ|JBAS|IJ|XDOCLET|BUILD|DEP|PLR|PLW|PLE|PLC|RUF|SIM|SC|DL|CKV_[A-Z]{2,6}_|NG|RTE|VBA)\d{3,7}[A-Z]?)(?![A-Za-z0-9_-])",
        "error TS2345: Argument of type",
        "CS0103: The name",
    ),
    _exact(
        CONSTANT,
        r"(?<![A-Za-z0-9_-])(?P<v>(?:E\d{4,5}|[CWEFRNDSIBX]\d{3,4}|P[0-3]\d{3}|H\d{2}|R\d{2}))(?=[\]\):]|: | ?[-–] | [A-Z]?[a-z])(?![A-Za-z0-9_-])",
        "error[E0308]: mismatched types",
        "E11000 duplicate key error",
        "x.c(3): error C2065: undeclared",
    ),
    _exact(
        CONSTANT,
        r"(?:\b(?:[Ee]rror|ERROR|[Ww]arning|[Ff]atal|FATAL|[Cc]ode|SQLSTATE|[Ss]ql[Ss]tate|错误码|错误代码|错误|代码)[ :=]{0,3}[\[(\"']?|^\[|^)(?P<v>(?=[A-Z0-9]{0,7}\d)[A-Z]{1,8}[-_]?\d{2,6}[A-Z]?|(?=[0-9]{0,4}[A-Z])[0-9A-Z]{5})(?=[\]:)\"',.;，：）】]|$| - )",
        "error code: HY000",
        "SQLSTATE[42S02]: Base table",
        "[A1234] message",
    ),
    _exact(
        CONSTANT,
        r"SQLSTATE[ :=]{0,3}[\[(]?[\"']?(?P<v>[0-9A-Z]{5})(?![A-Za-z0-9_])",
        "SQLSTATE 23505",
        "SQLSTATE[HY000]",
    ),
    _exact(CONSTANT, r"\bERROR (?P<v>\d{4} ?\([0-9A-Z]{5}\))", "ERROR 1146 (42S02): Table"),
    _exact(CONSTANT, r"(?<![\w])\((?P<v>\d{4}), ?[\"']", "(1146, \"Table 'a.b' doesn't exist\")"),
    _exact(CONSTANT, r"\b(?P<v>Msg \d{1,6}, Level \d{1,3}, State \d{1,3})", "Msg 208, Level 16, State 1, Line 3"),
    _part(CONSTANT, r"\[(?P<v>(?:errno|winerror|error) -?\d{1,6})\]", "[Errno 2] No such file"),
    _part(CONSTANT, r"(?P<v>\b0x[89c][0-9a-f]{7}\b)(?![0-9a-f])", "HRESULT 0x80070005"),
    _part(
        CONSTANT,
        rf"(?<![A-Za-z0-9]){_CODE_WORD}(?: (?:of|is|was|为|是))?[\"']?[ :=#：]{{0,3}}[\"'(\[]?(?P<v>[-+]?\d{{1,6}})(?![A-Za-z0-9_]|[.,:/]\d|[\"']? ?(?:ms|sec|s|seconds?|bytes?|kb|mb|errors?|items?|of|times?)(?![a-z]))",
        "exit code 1",
        "HTTP 404",
        "status=503",
        "错误码：1001",
        "os error 2",
    ),
    _part(
        CONSTANT,
        r"(?<![A-Za-z0-9_.,:/-])(?P<v>[1-5]\d\d)(?=:? (?:(?:client|server) error|bad request|unauthori[sz]ed|payment required|forbidden|not found|method not allowed|not acceptable|request timeout|conflict|gone|precondition failed|payload too large|request entity|uri too long|unsupported media|unprocessable|locked|too many requests|internal server|not implemented|bad gateway|service (?:temporarily )?unavailable|gateway time-?out|moved|found|see other|ok|created|no content))",
        "404 Client Error: Not Found for url",
        "503 Service Unavailable",
    ),
    _part(CONSTANT, r"HTTP/\d(?:\.\d)?[\"'] (?:status: )?(?P<v>[1-5]\d\d)(?!\d)", '"GET /a HTTP/1.1" 404 153'),
    _part(
        CONSTANT, r"(?P<v>expect(?:ed|ing) [\"'‘“`][^\w\s\"'’”`]{1,3}[\"'’”`])", "error: expected ‘;’ before ‘}’ token"
    ),
    # what holds other parts
    _part(
        "url",
        r"(?<![A-Za-z0-9])(?:[a-z][a-z0-9+.-]{1,20}):(?://)[^\s\"'<>`，。；）)\]}]+",
        "GET https://a.example/v1?x=1 failed",
    ),
    _part("url", r"(?<![A-Za-z0-9])(?:urn|data|mailto|jdbc:[a-z]{2,12}):[^\s\"'<>`，。；）)\]}]+", "urn:uuid:5"),
    _part(
        "email",
        r"(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}",
        "no user ann@example.org",
    ),
    _part(
        "date",
        rf"(?<![A-Za-z0-9])\d{{4}}[-/.]\d{{1,2}}[-/.]\d{{1,2}}(?:(?:[ t,_-]{{1,2}}){_DATED_CLOCK}{_ZONE})?(?![A-Za-z0-9])",
        "2024-05-13T10:00:00.123Z",
        "2024/05/13",
    ),
    _part("date", r"(?<![A-Za-z0-9])\d{8}[t_-]?\d{6}z?(?![A-Za-z0-9])", "20240513T100000Z"),
    _part(
        "date",
        rf"(?:(?:\d{{4}}|{_NUMERAL}{{2,4}}) ?年 ?)?(?:\d{{1,2}}|{_NUMERAL}{{1,3}}) ?月 ?(?:\d{{1,2}}|{_NUMERAL}{{1,3}}) ?[日号](?: ?[上下]午)?(?: ?\d{{1,2}}[:时点]\d{{1,2}}(?:[:分]\d{{1,2}}秒?|分)?)?",
        "2024年5月13日 10:20",
    ),
    _part(
        "date",
        rf"(?<![A-Za-z0-9])(?:{_DAY},? )?(?:\d{{1,2}}[ /-]{_MONTH}\.?[ /:,-]{{1,2}}\d{{2,4}}|{_MONTH}\.? {{1,2}}\d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?)(?:[ :,t]{{1,2}}{_CLOCK}{_ZONE}(?: \d{{4}})?)?(?![A-Za-z0-9])",
        "Mon, 13 May 2024 10:00:00 GMT",
        "Jun 14 15:16:01",
        "13/May/2024:10:00:00 +0000",
        "Mon May 13 10:00:00 2024",
    ),
    _part(
        "date",
        r"(?<![A-Za-z0-9/.-])\d{1,2}[/-]\d{1,2}[/-](?:\d{4}|\d{2})(?![A-Za-z0-9/])(?: \d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]m)?)?",
        "05/13/2024",
    ),
    _part("date", rf"(?<![A-Za-z0-9:.]){_CLOCK}{_ZONE}(?![A-Za-z0-9:])", "at 10:20:30,123"),
    _part(
        "id",
        r"(?<![A-Za-z0-9])\{?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\}?(?![A-Za-z0-9])",
        "550e8400-e29b-41d4-a716-446655440000",
    ),
    _part("object", r"<[^<>\n]{1,120} (?:object )?at 0x[0-9a-f]{4,16}>", "<foo.Bar object at 0x7f3a>"),
    _part(
        "address",
        r"(?<![A-Za-z0-9:.])/?(?:\d{1,3}\.){3}\d{1,3}(?:/\d{1,2}(?!\d))?(?::\d{1,5})?(?![A-Za-z0-9]|\.\d)",
        "10.0.0.1:5432",
    ),
    _part(
        "address",
        r"(?<![A-Za-z0-9:.])\[?(?:[0-9a-f]{1,4}:){2,7}(?::?[0-9a-f]{1,4}){0,7}(?:%[a-z0-9]{1,12})?\]?(?::\d{1,5}(?!\d))?(?![A-Za-z0-9:])",
        "2001:db8::1",
    ),
    _part(
        "address",
        r"(?<![A-Za-z0-9:.])\[?::(?:ffff:)?(?:[0-9a-f]{1,4}|(?:\d{1,3}\.){3}\d{1,3})\]?(?::\d{1,5}(?!\d))?(?![A-Za-z0-9:])",
        "::1",
    ),
    _part("address", r"(?<![A-Za-z0-9])(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}(?![A-Za-z0-9])", "00:1b:44:11:3a:b7"),
    # key=value and key: value
    _part(
        "value",
        r"\((?:[\w ,.:\"'-]{1,120})\)=\((?P<v>[^\n]{0,300}?)\)(?= |$|\n|\.)",
        "Key (email)=(a@b) already exists.",
    ),
    _part("name", r"(?<![A-Za-z0-9_])[\w.$]+\((?:0x[0-9a-f]+)?\)", "foo() missing 1 required positional argument"),
    # quoted values, of all kinds of quotes; what stands in them is judged by `quoting` before
    _part("value", r"\"(?:[^\"\\\n]|\\.){0,400}\"", 'name "x" is not defined'),
    _part("value", r"(?<!\w)'(?:[^'\n]|(?<=\w)'(?=\w)){0,400}'(?!\w)", "No module named 'x'"),
    _part("value", r"`[^`'\n]{0,400}[`']", "undefined reference to `foo'", "cannot find `x`"),
    _part(
        "value", r"‘[^‘’\n]{0,400}’|“[^“”\n]{0,400}”|„[^“”\n]{0,400}[“”]|«[^»\n]{0,400}»|‹[^›\n]{0,400}›", "“x” 不存在"
    ),
    _part(
        "value",
        r"「[^「」\n]{0,400}」|『[^『』\n]{0,400}』|《[^《》\n]{0,400}》|〈[^〈〉\n]{0,400}〉|【(?=[^】\n]{0,60}[0-9A-Za-z_])[^【】\n]{0,400}】|〔[^〔〕\n]{0,400}〕",
        "字段「金额」不能为空",
    ),
    # paths
    _part(
        "path",
        r"(?<![A-Za-z0-9])[a-z]:[\\/](?:[^\\/:*?\"<>|\r\n'，。；]{1,80}[\\/])*[^\\/:*?\"<>|\r\n\s'，。；,;)\]]{0,80}(?::\d+){0,2}",
        r"C:\Users\a b\x.txt",
    ),
    _part("path", r"(?<![\\A-Za-z0-9])\\\\[\w.$-]{1,64}(?:\\[\w .$-]{1,80}){1,20}", r"\\host\share\x"),
    _part(
        "path",
        r"(?<![A-Za-z0-9_.~/])(?:~|\.{1,2}|\$\{?\w{1,40}\}?|@[\w.-]{1,40})?/(?:[\w.@%+~:#$*=&?{}-]|(?<=\w),(?=\w)|[\u4e00-\u9fff])+(?:/[\w.@%+~:#$*=&?,{}\u4e00-\u9fff-]*)*(?:\(\d+(?:,\d+)?\))?",
        "/var/log/x.log:12:5",
        "./a/b",
        "~/x",
    ),
    _part(
        "path",
        rf"(?<![A-Za-z0-9_./])(?:[\w@.+-]{{1,80}}/){{1,20}}[\w.@+-]{{0,80}}\.(?:{_SUFFIXES})(?![A-Za-z0-9_])(?:\(\d+(?:,\d+)?\)|(?::\d+){{0,2}})",
        "src/main.rs:4:5",
        "src/a.ts(10,5)",
    ),
    _part("path", r"(?<![A-Za-z0-9_./])(?:[\w@.+-]{1,80}/){2,20}[\w.@+-]{1,80}(?::\d+){0,2}", "app/models/user"),
    _part(
        "path",
        rf"(?<![A-Za-z0-9_./-])(?:[\w@+-][\w@.+-]{{0,80}})?\.(?:{_SUFFIXES})(?![A-Za-z0-9_./-])(?:\(\d+(?:,\d+)?\)|(?::\d+){{0,2}})",
        "main.c:3:5: error",
        "nginx.service not found",
    ),
    _part("path", rf"[\w\u4e00-\u9fff-]{{1,60}}\.(?:{_SUFFIXES})(?![A-Za-z0-9_.])", "找不到文件报告.docx"),
    # hosts and dotted names
    _part(
        "address",
        rf"(?<![A-Za-z0-9_.-])(?:[a-z0-9_](?:[a-z0-9_-]{{0,62}})\.){{1,8}}(?:{_TOP})\.?(?![A-Za-z0-9_(-]|\.[a-z])(?::\d{{1,5}}(?!\d))?",
        "db.example.com:5432",
    ),
    _part(
        "address",
        r"(?<![A-Za-z0-9_.-])(?:localhost(?:\.localdomain)?)(?::\d{1,5}(?!\d))?(?![A-Za-z0-9_])",
        "localhost:6379",
    ),
    _part(
        "address",
        r"(?<![A-Za-z0-9_.-])(?=[a-z0-9-]{0,62}[a-z])[a-z0-9][a-z0-9-]{0,62}:\d{2,5}(?![A-Za-z0-9_.:])",
        "redis:6379",
    ),
    _exact(
        "number",
        r"(?<![A-Za-z0-9_.])v?\d+(?:\.\d+){1,3}(?:-?(?:alpha|beta|rc|a|b|dev|post|pre|SNAPSHOT|RELEASE|Final|GA)[.-]?\d{0,4})(?![A-Za-z0-9_])",
        "1.2.3-rc1",
    ),
    _part(
        "number",
        r"(?<![A-Za-z0-9_.])v?\d+(?:\.\d+){2,5}(?:[-+][a-z0-9.]{1,30})?(?![A-Za-z0-9_])|(?<![A-Za-z0-9_.])v\d+(?:\.\d+){0,5}(?![A-Za-z0-9_])",
        "v18.2.0",
        "1.2.3",
    ),
    _part(
        "name",
        r"(?<![A-Za-z0-9_.$])(?!(?:e\.g|i\.e|etc|vs)(?![a-z]))[a-z_$][\w$-]*(?:(?:\.|::|->)[a-z_$][\w$]*)+(?:\(\))?(?![A-Za-z0-9_$])",
        "users.email",
        "std::vector",
        "com.foo.Bar",
    ),
    # key=value, the key kept
    _part(
        "value",
        r"(?<![A-Za-z0-9_=!<>])(?:[A-Za-z_][\w.-]{0,60}) ?(?<![=!<>])=(?![=>])(?P<v>(?: ?[^\s,;()\[\]{}|，；]{1,300})|(?=[\s,;)\]}|]|$))",
        "uid=0",
        "user=",
    ),
    _part(
        "value",
        r"(?<![A-Za-z0-9])(?:[\w-]{0,30}(?:[ _-]?ids?|uuid|guid|token|trace|span|nonce|requestid|traceid)) ?[:：#] ?(?P<v>[^\s,;()\[\]{}，；。]{1,200})",
        "request_id: req_1",
    ),
    # sets and lists
    # measures
    _part(
        "duration",
        rf"(?<![A-Za-z0-9_.])[-+]?\d[\d,_]*(?:\.\d+)? ?(?:ns|us|µs|μs|ms|msecs?|millis(?:econds?)?|milliseconds?|microseconds?|nanoseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|weeks?|months?|years?)(?:(?: ?,? ?(?:and )?)\d+(?:\.\d+)? ?(?:ms|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?))*(?![A-Za-z0-9_])",
        "30s",
        "1.5 seconds",
        "2m30s",
    ),
    _part(
        "duration",
        rf"(?:\d[\d,.]*|{_NUMERAL}+) ?(?:毫秒|微秒|秒钟?|分钟|个?小时|天|个?月|周|年)(?!间)",
        "30 秒",
        "三分钟",
    ),
    _part(
        "size",
        r"(?<![A-Za-z0-9_.])[-+]?\d[\d,_]*(?:\.\d+)? ?(?:bytes?|[kmgtp]i?b(?:ytes?|it|ps|/s)?|[kmgtp](?=[ ,.;)/]|$)|b)(?![A-Za-z0-9_])",
        "10MB",
        "512 bytes",
    ),
    _part("size", r"\d[\d,.]* ?(?:字节|兆|千字节)", "512 字节"),
    _part("number", rf"第? ?(?:\d[\d,.]*|{_NUMERAL}+)(?= ?{_COUNTER})", "共三个文件", "第 12 行"),
    _part(
        "number",
        r"(?<![A-Za-z0-9_.])[-+]?(?:[$€£¥₹] ?|(?:usd|eur|cny|rmb|gbp|jpy) ?)[-+]?\d[\d,_]*(?:\.\d+)?|(?<![A-Za-z0-9_.])\d[\d,_]*(?:\.\d+)? ?(?:usd|eur|cny|rmb|gbp|jpy|dollars?|元|€|￥|¥|%)(?![A-Za-z0-9_])",
        "$12.50",
        "30 元",
        "95%",
    ),
    _part("id", r"(?<![A-Za-z0-9_])0x[0-9a-f]+(?![A-Za-z0-9_])", "0x7ffeefbff5c8"),
    _part(
        "number",
        r"(?<![A-Za-z0-9_])[-+]?(?:\d{1,3}(?:[,_' ]\d{3})+(?!\d)|\d+)(?:\.\d+)?(?:e[-+]?\d+)?(?:st|nd|rd|th)?(?![A-Za-z0-9_])|(?<![A-Za-z0-9_.])\.\d+(?![A-Za-z0-9_])",
        "12",
        "-3.5e10",
        "1,234",
        "3rd",
    ),
    _part("number", r"[½¼¾⅓⅔]|∞|(?<![A-Za-z0-9_])(?:nan|inf|infinity)(?![A-Za-z0-9_])", "nan"),
)
"""All rows, first come first served."""

AFTER: tuple[Part, ...] = (
    _part("list", rf"\[[{MARK_RANGE} ,;]*[{MARK_RANGE}](?: ?,? ?\.\.\.)?[{MARK_RANGE} ,;]*\]|\[\]", "[1, 2, 3]"),
    _part("list", rf"\([{MARK_RANGE} ,;]*[{MARK_RANGE}](?: ?,? ?\.\.\.)?[{MARK_RANGE} ,;]*\)", "(1, 2)"),
    _part("value", rf"\{{[^{{}}\n]{{0,300}}[{MARK_RANGE}][^{{}}\n]{{0,300}}\}}", "{a: 1}"),
)
"""What holds nothing but variable parts is one: a list of three is a list of one."""
