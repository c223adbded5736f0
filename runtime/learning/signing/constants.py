"""Constants that tell the kind: error codes, statuses, exit codes. They are kept from every row of the variable parts."""

from __future__ import annotations

from casebook.runtime.learning.signing.part import CONSTANT, Part, exact, part

_VENDOR = "ORA|PLS|TNS|SP2|RMAN|DPY|DPI|KUP|SQLCODE|SQL|MYSQL|MY|CWE|LDAP|OGG|AADSTS|TF|ERR|KB|MSB|EE|WW|E|W|ANR|DB2|IDX|JCO|SAP|WSWS|IMAP"
_CODE_WORD = (
    r"(?:exit(?:ed)?(?: with)?(?: (?:status|code|value|error)){1,2}|exited with|(?:status|return(?:ed)?|error|err|result|response|reason|http|https|vendor|sql|exit|native)"
    r"[ _-]?(?:status[ _-]?)?codes?|status|errno|os error|winerror|error number|signal|sqlstate|sql state|exit status|https?(?:/\d(?:\.\d)?)?|http error|"
    r"rc|ret|retcode|ec|error|err|exception|server responded with(?: a status of)?|"
    r"(?:^|[\[({\"',;:.] ?|with |and |by |got |returned |received )(?:error )?code|"
    r"状态码|错误码|错误代码|错误号|退出码|退出代码|退出状态|返回码|返回值|响应码|状态|信号|异常码|错误编号|(?:^|[，,;；:：(（]|返回|错误)代码)"
)
_REASONS = (
    "(?:client|server) error|bad request|unauthori[sz]ed|payment required|forbidden|not found|method not allowed|not acceptable|"
    "request time-?out|conflict|gone|precondition failed|payload too large|request entity|uri too long|unsupported media|unprocessable|locked|"
    "too many requests|internal server|not implemented|bad gateway|service (?:temporarily )?unavailable|gateway time-?out|moved|found|see other|"
    "ok|created|no content|insufficient storage|loop detected|upgrade required|misdirected|too early"
)

CONSTANTS: tuple[Part, ...] = (
    part(CONSTANT, r"^[^\w\u3400-\u9fff]{0,8}(?P<v>\d{1,6})[^\w\u3400-\u9fff]{0,8}$", "404"),
    exact(
        CONSTANT,
        rf"(?<![A-Za-z0-9_])(?P<v>(?!(?:E|W)-\d{{1,2}}(?!\d))(?:{_VENDOR})-\d{{1,6}})(?![A-Za-z0-9_-])",
        "ORA-00942: table or view does not exist",
    ),
    exact(
        CONSTANT,
        r"(?<![A-Za-z0-9_-])(?P<v>(?:TS|LNK|MSB|NETSDK|AADSTS|PGRST|CWWK[A-Z]{1,2}|WFLY[A-Z]{2,6}|HHH|AMQ|JBAS|XDOCLET|CKV_[A-Z]{2,6}_)\d{3,7}[A-Z]?)(?![A-Za-z0-9_-])",
        "TS2345: Argument of type",
    ),
    exact(
        CONSTANT,
        r"(?:^|(?<=\d: )|(?<=\[)|(?<=\())(?P<v>[A-Z]{1,3}\d{3,5})(?=[\])]|: | [`'\"a-z])(?![A-Za-z0-9_-])",
        "app/a.py:12:5: F401 `os` imported but unused",
        "CS0103: The name",
    ),
    exact(
        CONSTANT,
        r"^(?P<v>[A-Z]{1,4}\d{2,6})(?= [a-z])(?! (?:not|is|was|has|does|cannot)(?![a-z]))",
        "E11000 duplicate key error",
    ),
    exact(
        CONSTANT,
        r"(?:\b(?:[Ee]rror|ERROR|[Ww]arning|[Ff]atal|FATAL|[Ee]rror [Cc]ode|[Ss]tatus [Cc]ode|SQLSTATE|[Ss]ql[Ss]tate)[ :=]{0,3}[\[(\"']?|(?:错误码|错误代码|错误|代码)[ :=]{0,3}[\[(\"']?|^\[)(?P<v>(?=[A-Z0-9]{0,7}\d)[A-Z]{1,8}[-_]?\d{2,6}[A-Z]?|(?=[0-9]{0,4}[A-Z])[0-9A-Z]{5})(?=[\]:)\"',.;，：）】]|$| - )",
        "error code: HY000",
        "error[E0308]: mismatched types",
        "[A1234] message",
    ),
    exact(
        CONSTANT,
        r"(?:code|status|reason|errno|error)=(?P<v>[A-Z]{1,4}\d{1,5})(?![A-Za-z0-9_])",
        "at=error code=H12 desc=",
    ),
    exact(
        CONSTANT,
        r"SQLSTATE[ :=]{0,3}[\[(]?[\"']?(?P<v>[0-9A-Z]{5})(?![A-Za-z0-9_])",
        "SQLSTATE 23505",
        "SQLSTATE[HY000]",
    ),
    exact(CONSTANT, r"\bERROR (?P<v>\d{4} ?\([0-9A-Z]{5}\))", "ERROR 1146 (42S02): Table"),
    exact(CONSTANT, r"(?<!\w)\((?P<v>\d{4}), ?[A-Z\"']", "(1146, \"Table 'a.b' doesn't exist\")"),
    exact(CONSTANT, r"\b(?P<v>Msg \d{1,6}, Level \d{1,3}, State \d{1,3})", "Msg 208, Level 16, State 1, Line 3"),
    exact(CONSTANT, r"(?<!\S)(?P<v>%[A-Z0-9_]+(?:-[A-Z0-9_]+)*-\d-[A-Z0-9_]+)", "%LINK-3-UPDOWN: Interface"),
    exact(
        CONSTANT,
        r"(?<![A-Za-z0-9_$])(?<!variable )(?<!env var )(?<!setting )(?P<v>(?:net::)?[A-Z]{2,}(?:_[A-Z]{2,})+)(?![A-Za-z0-9_])",
        "net::ERR_NAME_NOT_RESOLVED at",
    ),
    part(CONSTANT, r"\[(?P<v>(?:errno|winerror|error) -?\d{1,6})\]", "[Errno 2] No such file"),
    part(CONSTANT, r"(?<![A-Za-z0-9_])(?P<v>0x[89c][0-9a-f]{7})(?![0-9a-f])", "HRESULT 0x80070005"),
    part(
        CONSTANT,
        rf"(?<![A-Za-z0-9]){_CODE_WORD}(?: (?:of|is|was|为|是))?[\"']?(?:[ :=#：]{{1,3}}[\"'(\[]?|[\"'(\[]|(?<=[\u4e00-\u9fff]))(?P<v>[-+]?\d{{1,6}})(?![A-Za-z0-9_]|[.,:/]\d|[\"']? ?(?:ms|sec|s|seconds?|bytes?|kb|mb|errors?|items?|of|times?|rows?|files?|lines?)(?![a-z]))",
        "exit code 1",
        "HTTP 404",
        "status=503",
        "错误码：1001",
        "os error 2",
    ),
    part(
        CONSTANT,
        r"(?:returned|responded(?: with)?|received|got|replied(?: with)?|answered(?: with)?)(?: status| http)? (?P<v>[1-5]\d\d)(?![A-Za-z0-9_]|[.,:/]\d| [a-z]+s(?![a-z]))",
        "server returned 503",
    ),
    part(
        CONSTANT,
        rf"(?<![A-Za-z0-9_.,:/-])(?P<v>[1-5]\d\d)(?=:? (?:{_REASONS}))",
        "404 Client Error: Not Found for url",
        "503 Service Unavailable",
    ),
    part(
        CONSTANT,
        r"^[\[(]?(?P<v>[1-5]\d\d(?:[ -][245]\.\d\.\d{1,3})?)(?=[\])]?(?::| -|\]|\)) | <)",
        "550 5.1.1 <a@b.c>: rejected",
        "500: broken",
    ),
    part(CONSTANT, r"HTTP/\d(?:\.\d)?[\"']? (?:status: )?(?P<v>[1-5]\d\d)(?!\d)", '"GET /a HTTP/1.1" 404 153'),
    part(CONSTANT, r"\((?P<v>\d{1,3})(?=: [A-Z][a-z]+ [a-z]|: No such)", "connect() failed (111: Connection refused)"),
    part(CONSTANT, r"^[\w.-]{1,30}: \((?P<v>\d{1,3})\) (?=[A-Z])", "curl: (6) Could not resolve host"),
    part(CONSTANT, r"expect(?:ed|ing) (?P<v>[\"'`][^\w\s\"'`]{1,3}[\"'`])", "error: expected ';' before '}' token"),
)
"""All rows; each keeps its pattern's group `v`."""
