"""The one configuration of all sources: the variable parts of a message, in the order in which they are taken out.

A pattern's group `v`, where it has one, is what is taken out; what stands around it stays.
"""

from __future__ import annotations

from casebook.runtime.learning.signing.alphabet import MARK_RANGE
from casebook.runtime.learning.signing.measures import MEASURES, NUMERAL
from casebook.runtime.learning.signing.part import Part, exact, part

_MONTH = "(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]{0,6}"
_DAY = "(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?"
_CLOCK = r"\d{1,2}:\d{2}(?::\d{2}(?:[.,:]\d{1,9})?)?(?: ?[ap]\.?m\.?(?![a-z]))?"
_DATED_CLOCK = r"\d{1,2}[:.-]\d{2}(?:[:.-]\d{2}(?:[.,:]\d{1,9})?)?"
_UNIT = "ns|us|ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|weeks?|months?|years?"
_N = r"\d(?:[\d,.:]{0,16}\d)?"
_ZONE = r"(?: ?(?:z(?![a-z0-9])|utc|gmt|cst|est|pst|[+-]\d{2}:?\d{2}))?"
_SUFFIXES = (
    "git|py|pyc|pyi|ipynb|js|mjs|cjs|jsx|ts|tsx|vue|java|class|jar|kt|scala|go|rs|c|cc|cpp|cxx|h|hh|hpp|cs|rb|php|pl|pm|lua|r|swift|m|mm|sh|bash|"
    "zsh|ps1|bat|cmd|exe|dll|so|dylib|o|a|lib|sql|db|sqlite3?|json5?|jsonl|ya?ml|toml|ini|cfg|conf|config|env|xml|html?|css|scss|less|svg|"
    "png|jpe?g|heic|avif|tiff?|gif|bmp|webp|ico|pdf|docx?|xlsx?|pptx?|csv|tsv|txt|md|rst|log|out|err|tmp|bak|lock|pid|sock|zip|tar|gz|tgz|bz2|xz|7z|rar|whl|"
    "deb|rpm|iso|img|mp[34]|wav|avi|mkv|mov|parquet|avro|pkl|npy|npz|h5|pt|onnx|bin|dat|data|pem|crt|cer|key|csr|p12|properties|gradle|"
    "service|socket|timer|mount|proto|tf|tfvars|dockerfile|patch|diff|map|wasm|ko|cu|f90|tex|bib"
)
_TOP = (
    "com|net|org|io|dev|app|ai|co|cn|uk|de|fr|jp|kr|eu|ru|us|in|br|au|ca|edu|gov|mil|info|biz|cloud|local|localdomain|internal|lan|"
    "intranet|corp|home|svc|test|example|invalid|xyz|me|tv|ch|nl|se|it|es|hk|tw|sg|at|be|dk|fi|no|pl|cz|pt|gr|hu|ie|il|mx|my|nz|ro|sk|th|tr|ua|vn|za|cl|ar"
)

WHOLE: tuple[Part, ...] = (
    part("value", r"\[redacted(?::[\w-]{1,60})?\]", "password=[redacted:password] for ann"),
    part(
        "url",
        r"(?<![A-Za-z0-9])(?:[a-z][a-z0-9+.-]{1,20}):(?://)(?:[^\s\"'<>`，。；）)\]}\u4e00-\u9fff]|(?<=[/=?&#])[\u4e00-\u9fff]+)+",
        "GET https://a.example/v1?x=1 failed",
    ),
    part("url", r"(?<![A-Za-z0-9])(?:urn|arn|mailto|unix|jdbc:[a-z]{2,12}):[^\s\"'<>`，。；）)\]}]+", "urn:uuid:5"),
    part("name", r"(?<![\w@/.-])@[\w.-]{1,60}/[\w.-]{1,60}@[\^~]?\d[\w.-]{0,40}", "@scope/pkg@1.0"),
    part(
        "email",
        r"(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}",
        "no user ann@example.org",
    ),
    part(
        "id",
        r"(?<![A-Za-z0-9])\{?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\}?(?![A-Za-z0-9])",
        "550e8400-e29b-41d4-a716-446655440000",
    ),
    part(
        "id",
        r"(?<![A-Za-z0-9])(?:sha-?(?:1|224|256|384|512)|md5|crc32c?|blake\d\w?)[:=]['\"]?[0-9a-f]{6,128}(?![A-Za-z0-9])",
        "sha256:9f86d081",
    ),
)
"""What is taken out first of all: a code in an address or an id is none."""

PARTS: tuple[Part, ...] = (
    # dates and addresses
    part(
        "address",
        r"(?<![\w.@-])[A-Za-z0-9_.-]{1,64}@[A-Za-z0-9_.-]{1,64}(?<![.-])(?::\d{1,5})?(?!\w)",
        "msrabi@msra-sa-41:9000",
    ),
    part(
        "number",
        r"(?<![\w.+-])\+?(?:\d{1,3}[ -])?\(?\d{3,4}\)?[ -]\d{3,4}[ -]\d{4}(?![\w-])",
        "(555) 123-4567",
        "+86 138 0013 8000",
    ),
    part(
        "date",
        rf"(?<![A-Za-z0-9])\d{{4}}[-/.]\d{{1,2}}[-/.]\d{{1,2}}(?:(?:[ t,_-]{{1,2}}){_DATED_CLOCK}{_ZONE})?(?![A-Za-z0-9])",
        "2024-05-13T10:00:00.123Z",
        "2024/05/13",
    ),
    part(
        "duration", r"(?<![\w.-])\d{1,9} days?,? (?:and )?\d{1,2}:\d{2}:\d{2}(?:\.\d{1,9})?(?![\w:])", "1 day, 2:03:04"
    ),
    part("date", r"(?<![A-Za-z0-9])\d{8}[t_-]?\d{6}z?(?![A-Za-z0-9])", "20240513T100000Z"),
    part(
        "date",
        rf"(?<![\w.-])(?:{_N} ?(?:{_UNIT}),? ?){{1,4}}(?:ago|from now)(?!\w)|(?<![\w-])(?:yesterday|tomorrow|(?:last|next) (?:{_DAY}|week|month|year))(?: (?:at )?{_CLOCK})?(?![\w-])"
        rf"|(?<=since )today(?!\w)|(?<![\w-])now[-+]\d+[a-z](?:/[a-z])?(?!\w)|(?<=from )(?:now|today)(?= to )|(?<![\w-])(?<=to )(?:now|today|in {_N} (?:{_UNIT}))(?= ?(?:[,.;)]|$| exceeds| is | was ))",
        "expired 3 days ago",
        "since yesterday",
        "from now-7d to now",
    ),
    part(
        "date",
        rf"(?:昨[天日]|今[天日]|明[天日]|前天|后天)(?:[上下]午|早上|晚上)? ?(?:\d{{1,2}}[:点时]\d{{0,2}}分?)?|(?:\d{{1,6}}|{NUMERAL}{{1,4}}) ?(?:秒钟?|分钟|个?小时|天|周|个?月|年)[前后]",
        "昨天 18:30",
        "3 分钟前",
    ),
    part(
        "date",
        rf"(?:(?:\d{{4}}|{NUMERAL}{{2,4}}) ?年 ?)?(?:\d{{1,2}}|{NUMERAL}{{1,3}}) ?月 ?(?:\d{{1,2}}|{NUMERAL}{{1,3}}) ?[日号](?: ?[上下]午)?(?: ?\d{{1,2}}(?::\d{{1,2}}(?::\d{{1,2}})?|[时点](?:\d{{1,2}}(?:分(?:\d{{1,2}}秒)?)?)?))?",
        "2024年5月13日 10:20",
    ),
    part(
        "date",
        rf"(?<![A-Za-z0-9])(?:{_DAY},? )?(?:\d{{1,2}}[ /-]{_MONTH}\.?[ /:,-]{{1,2}}\d{{2,4}}|{_MONTH}\.? {{1,2}}\d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?)(?:[ :,t]{{1,2}}{_CLOCK}{_ZONE}(?: \d{{4}})?)?(?![A-Za-z0-9])",
        "Mon, 13 May 2024 10:00:00 GMT",
        "Jun 14 15:16:01",
        "13/May/2024:10:00:00 +0000",
        "Mon May 13 10:00:00 2024",
    ),
    part(
        "date",
        r"(?<![A-Za-z0-9/.-])\d{1,2}[/-]\d{1,2}[/-](?:\d{4}|\d{2})(?![\w/-]|\.\w)(?: \d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]m)?)?",
        "05/13/2024",
    ),
    part("date", rf"(?<![\w:.])(?:{_DAY} )?{_CLOCK}{_ZONE}(?![\w:])", "at 10:20:30,123", "from 8:00 AM to"),
    exact(
        "name",
        r"(?<!\w)(?:Dr|Mr|Mrs|Ms|Prof|Professor|Doctor)\.? [A-Z][A-Za-z'-]{0,30}(?: [A-Z][A-Za-z'-]{1,30}){0,2}",
        "an appointment with Dr. Smith",
    ),
    part(
        "name", r"(?<![\w.:-])[a-z][\w.-]{0,80}:[a-z][\w.-]{0,80}:(?:[a-z]{1,20}:)?\d[\w.-]{0,40}", "com.foo:bar:1.2.3"
    ),
    part(
        "name",
        r"(?<![\w.:-])[a-z][\w-]{0,60}:[a-z_]\w{0,60}(?:\.\w{1,60}){1,6}(?![\w(])",
        "Table my-proj:ds.t1 was not found",
    ),
    part("name", r"(?<!\w)\$(?:\.[\w*]{1,60}|\[[\w'*]{1,60}\]){1,12}", "$.items[0].price must be a number"),
    part("name", r"(?<!\S)[-+]\[[^\[\]\n]{1,120}\]", "-[Foo bar]: unrecognized selector"),
    part(
        "duration", r"(?<![\w.-])(?:\d{1,9}(?:\.\d{1,9})? ?(?:天|个?小时|时|分钟?|秒钟?|毫秒) ?){2,6}", "耗时 3分20秒"
    ),
    part(
        "list",
        r"(?<![\w.@/-])[\w.@/-]{1,80}(?: ?(?:->|→|=>) ?[\w.@/-]{1,80}){1,20}(?![\w(])",
        "circular dependency: a -> b -> a",
    ),
    part("list", r"\[\[[^\[\]\n]{1,80}\]\[\d{1,6}\]\]", "request: [[logs][0]]"),
    part(
        "number",
        r"(?<![\w-])(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?![\w-])",
        "after five attempts",
    ),
    part("id", r"(?<![\w-])(?:[a-z0-9]{1,40}_){1,8}-?\d{3,}(?!\w)", "blk_-2918118818249673980"),
    part("object", r"<[^<>\n]{1,120} (?:object )?at 0x[0-9a-f]{1,16}>", "<foo.Bar object at 0x7f3a>"),
    part("value", r"(?<![\w*-])[\w-]{0,60}\*{3,}[\w*-]*", "key sk-abc***xyz is wrong"),
    part(
        "address",
        r"(?<![\w:.-])/?(?:\d{1,3}\.){3}\d{1,3}(?:/\d{1,2}(?!\d))?(?::\d{1,5})?(?![\w-]|\.\w)",
        "10.0.0.1:5432",
    ),
    part(
        "address",
        r"(?<![A-Za-z0-9:.])\[(?=[0-9a-f]*:[0-9a-f]*:)[0-9a-f:.]{2,45}(?:%[a-z0-9]{1,12})?\](?::\d{1,5}(?!\d))?",
        "[2001:db8::1]:443",
    ),
    part(
        "address",
        r"(?<![A-Za-z0-9:.])(?=[0-9a-f:]{0,45}\d)(?:[0-9a-f]{1,4}:(?:[0-9a-f]{0,4}:){1,7}[0-9a-f]{1,4}|[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,6}::|::(?:ffff:)?(?:(?:\d{1,3}\.){3}\d{1,3}|[0-9a-f]{1,4}))(?:%[a-z0-9]{1,12})?(?![A-Za-z0-9])",
        "2001:db8::1",
        "::1",
    ),
    part("address", r"(?:(?<=\s)|^)(?::::?|\*:)\d{1,5}(?!\d)", "address already in use :::3000"),
    part("address", r"(?<![A-Za-z0-9])(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}(?![A-Za-z0-9])", "00:1b:44:11:3a:b7"),
    # key=value and what it holds
    part(
        "value",
        r"\((?:[\w ,.:\"'-]{1,120})\)=\((?P<v>[^\n]{0,300}?)\)(?= |$|\n|\.)",
        "Key (email)=(a@b) already exists.",
    ),
    part(
        "list", r"duplicate key value is (?P<v>\([^\n]{0,300}\))(?=\.?(?:$|\n))", "The duplicate key value is (<NULL>)."
    ),
    part("list", r"row contains (?P<v>\([^\n]{0,400}?\))(?=\.?(?:$|\n))", "Failing row contains (1, null)."),
    part("list", r"from versions: (?P<v>[^)\n]{1,400})", "(from versions: 1.0, 2.0)"),
    part("list", r"args? beginning with: (?P<v>[^\n]{1,200})", "unknown command, with args beginning with: `a`"),
    # quoted values, of all kinds of quotes; what stands in them is judged by `quoting` before
    part(
        "name",
        r"(?<![\w.$])(?:[\w$]|\.(?:<\w{1,20}>)?)+\((?:0x[0-9a-f]+)?\)",
        "foo() missing 1 required positional argument",
    ),
    part(
        "value",
        r"b?\"(?:[^\"\\\n]|\\.){0,400}\"(?:\.\"(?:[^\"\\\n]|\\.){0,400}\")*",
        'relation "x" does not exist',
        '"T"."X"',
    ),
    part(
        "value",
        r"(?<!\w)[bu]?'(?:\\'(?=\w)|[^'\n]|(?<=\w)'(?=\w)){0,200}'(?!\w)(?:[@.]'[^'\n]{0,200}'(?!\w))*",
        "No module named 'x'",
    ),
    part("value", r"`[^`'\n]{1,400}[`']", "undefined reference to `foo'", "cannot find `x`"),
    part(
        "value",
        r"‹[^‹›\n]{1,400}›|「[^「」\n]{0,400}」|『[^『』\n]{0,400}』|《[^《》\n]{0,400}》|〈[^〈〉\n]{0,400}〉|【(?=[^】\n]{0,60}[0-9A-Za-z_])[^【】\n]{0,400}】|〔[^〔〕\n]{0,400}〕",
        "字段「金额」不能为空",
    ),
    # paths
    part(
        "path",
        r"(?<![A-Za-z0-9])[a-z]:[\\/](?:[^\\/:*?\"<>|\n'，。；,;]{1,80}[\\/])*[^\\/:*?\"<>|\s'，。；,;)\]]{0,80}(?::\d+){0,2}",
        r"C:\Users\a b\x.txt",
    ),
    part("path", r"(?<![\\A-Za-z0-9])\\\\[\w.$-]{1,64}(?:\\[\w.$-]{1,80}){1,20}", r"\\host\share\x"),
    part(
        "path",
        r"(?<![\w.~/\]])(?:~|\.{1,2}|\$\{?\w{1,40}\}?|@[\w.-]{1,40})?/(?:[\w.@%+~:#$*=&?{}-]|(?<=\w),(?=\w)|[\u4e00-\u9fff])+(?:/[\w.@%+~:#$*=&?,{}\u4e00-\u9fff-]*)*(?<![:.,;])(?:\(\d+(?:,\d+)?\))?",
        "/var/log/x.log:12:5",
        "./a/b",
        "~/x",
    ),
    part("path", r"(?:(?<=\s)|^)/(?=$|\s)", "url: / (Caused by"),
    exact("path", r"(?<=[\w\u4e00-\u9fff] )[A-Z]:(?=[ ,;)]|$)", "drive D: is full"),
    part("value", r"(?<=[a-z] )-(?=[),;]|$)|(?<=: )\*(?=[ ,;)]|$)", "(trace -)", "on resource: *"),
    exact("name", r"\$LATEST(?!\w)", "Version: $LATEST"),
    part(
        "duration",
        r"(?<=[a-z] per )(?:\d+ ?)?(?:sec(?:ond)?|min(?:ute)?|hour|day|week|month|year)s?(?![a-z])",
        "60 requests per minute",
    ),
    part(
        "path",
        rf"(?<![\w./\\])(?:[\w@.+-]{{1,80}}[\\/]|\[[\w.]{{1,40}}\]/){{1,20}}[\w.@+-]{{0,80}}\.(?:{_SUFFIXES})(?![\w/])(?:\(\d+(?:,\d+)?\)|(?::\d+){{0,2}})",
        "src/main.rs:4:5",
        "src/a.ts(10,5)",
    ),
    part("path", r"(?<![\w./])(?:[\w@.+-]{1,80}/){2,20}[\w.@+-]{1,80}(?<![.])(?::\d+){0,2}", "app/models/user"),
    part("path", r"(?<![\w./])[\w@.+-]{1,80}/(?=[\s,;:]|$)", "src/: Is a directory"),
    part(
        "path", rf"(?<![\w.\u4e00-\u9fff-])[\w\u4e00-\u9fff-]{{1,60}}\.(?:{_SUFFIXES})(?![\w./])", "找不到文件报告.docx"
    ),
    part(
        "path",
        rf"(?<![\w./-])(?:[\w@+-][\w@.+-]{{0,80}})?\.(?:{_SUFFIXES})(?![\w/-]|\.\w)(?:\(\d+(?:,\d+)?\)|(?::\d+){{0,2}})",
        "main.c:3:5: error",
        "nginx.service not found",
    ),
    exact(
        "path",
        r"(?<![\w./])(?:Makefile|Dockerfile|Jenkinsfile|Vagrantfile|Gemfile|Rakefile|Procfile)(?::\d+){0,2}(?![\w-])",
        "[Makefile:12: all]",
    ),
    # hosts and dotted names
    part(
        "address",
        rf"(?<![\w.-])(?:\*\.)?(?:[a-z0-9_](?:[a-z0-9_-]{{0,62}})\.){{1,8}}(?:{_TOP})\.?(?![\w(-]|\.[a-z])(?::\d{{1,5}}(?!\d))?(?:/[\w./~%@-]*)?",
        "db.example.com:5432",
    ),
    part("address", r"(?<![\w.-])localhost(?:\.localdomain)?(?::\d{1,5}(?!\d))?(?!\w)", "localhost:6379"),
    part(
        "address",
        r"(?<![\w.-])(?!(?:line|error|code|status|column|port|position|row|col|exit|errno|at|pid|id|level|signal|char|character|offset|index|length|size|count|number|version|attempt|retry|step|page|item|seq|uid|gid|tid|worker|thread|job|task|batch|block|limit|max|min|total|expected|actual|got|found|record|qty|quantity|amount|year|age|priority|timeout|depth|width|height|weight)s?:)(?=[a-z0-9-]{0,62}[a-z])[a-z][a-z0-9-]{0,62}:\d{2,5}(?![\w:]|\.\w)",
        "redis:6379",
    ),
    exact(
        "number",
        r"(?<![\w.])v?\d+(?:\.\d+){1,3}(?:-?(?:alpha|beta|rc|a|b|dev|post|pre|SNAPSHOT|RELEASE|Final|GA)[.-]?\d{0,4})(?!\w)",
        "1.2.3-rc1",
    ),
    part("value", r"(?<![\w.-])[a-z][\w.-]{0,60}(?:\[[\w,]{1,40}\])?(?:[=~!<>]=|[<>](?=\d))[\w.*]{1,40}", "torch==9.9"),
    part(
        "number",
        r"(?<![\w.])v?\d+(?:\.\d+){2,5}(?:[-+][a-z0-9.]{1,30})?(?!\w)|(?<![\w.])v\d+(?:\.\d+){0,5}(?!\w)",
        "v18.2.0",
        "1.2.3",
    ),
    part(
        "name",
        r"(?<![\w.$])(?!(?:e\.g|i\.e|etc|vs|a\.m|p\.m)(?![a-z]))[a-z_$][\w$-]{0,60}(?:(?:\.|::|->)[a-z_$][\w$]*)+(?:\(\))?(?:/\.?[\w.$]+)?(?![\w$])",
        "users.email",
        "std::vector",
        "com.foo.Bar",
    ),
    part(
        "name",
        r"(?<![\w/.-])/?(?:sd[a-z]\d{0,3}|vd[a-z]\d{0,3}|xvd[a-z]\d{0,3}|hd[a-z]\d{1,3}|nvme\d+n\d+(?:p\d+)?|mmcblk\d+(?:p\d+)?)(?![\w-])(?<!sdk)(?<!sdn)(?<!sdr)",
        "I/O error, dev sda",
    ),
    # key=value, the key kept; a key that names a code keeps its word
    part(
        "value",
        r"(?<![\w=!<>])(?!(?:code|errno|error|err|status|type|reason|desc|msg|message|exception|signal|state|result|cause|level|op|method|sqlstate|event|action)=[a-z])[a-z_][\w.-]{0,60}(?<![=!<>])=(?![=>])(?P<v>[^\s,;()\[\]{}|，；]{1,300}|(?=[\s,;)\]}|]|$))",
        "uid=0",
        "user=",
    ),
    part(
        "value",
        r"(?<![A-Za-z0-9])(?:[\w-]{0,30}(?:[ _-]ids?|uuid|guid|trace|span|nonce|requestid|traceid)|(?:request|trace|correlation|job|task|order|session|user|transaction|event|message) ?id) ?(?:[:：#] ?|= ?)(?!(?:must|is|are|should|cannot|can|not|has|have|was|were|does|do|invalid|missing|required|unknown|may|expected)(?!\w))(?P<v>[^\s,;()\[\]{}，；。]{1,200})",
        "request_id: req_1",
    ),
    *MEASURES,
)
"""The rows that come first, in order."""

AFTER: tuple[Part, ...] = (
    part("date", rf"[{MARK_RANGE}] (?:ago|from now)(?!\w)|(?<=[{MARK_RANGE}] to )(?:now|today)(?!\w)"),
    part("list", rf"\[(?:[{MARK_RANGE} ,;]|\.\.\.)*\]|\{{(?:[{MARK_RANGE} ,;:]|\.\.\.)*\}}", "[]", "{}"),
    part(
        "list",
        rf"[(\[](?=[^()\[\]\n]*[{MARK_RANGE}])(?:[\w.$-]+|[{MARK_RANGE}])(?:[,;] ?(?:[\w.$-]+|[{MARK_RANGE}]|\.\.\.))*,?[)\]]",
    ),
    part("value", rf"\{{(?=[^{{}}\n]{{0,300}}[{MARK_RANGE}])[^{{}}\n]{{1,400}}\}}"),
    part(
        "value",
        rf"(?<![\w.])(?:Decimal|UUID|ObjectId|ISODate|NumberLong|NumberInt|(?:datetime\.)?(?:datetime|date|timedelta|time)|Timestamp|(?:Posix|Windows|PurePosix)?Path)(?:[{MARK_RANGE}]|\([{MARK_RANGE} ,]*\))",
    ),
    part(
        "list",
        rf"[{MARK_RANGE}](?:, [\w.-]{{1,40}})+,? and [\w.-]{{1,40}}(?= ?(?:[(.;)]|$))|[{MARK_RANGE}](?:, [\w.-]{{1,40}}){{1,12}}, [{MARK_RANGE}]",
    ),
    part("id", rf"[{MARK_RANGE}]/[a-z0-9]{{1,8}}(?![\w/])|(?<!\w)(?:no|nr)\. ?[{MARK_RANGE}]"),
    part("value", rf"[\"'`](?P<v>[{MARK_RANGE}])[\"'`]"),
)
"""What holds nothing but variable parts is one: a list of three is a list of one."""
