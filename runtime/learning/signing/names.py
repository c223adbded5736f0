"""Names that nothing but their place gives away: `no such table: users`, `user ann not found`, `foo is not defined`."""

from __future__ import annotations

import re

from casebook.runtime.learning.signing.alphabet import MARK_RANGE, mark
from casebook.runtime.learning.signing.vocabulary import WORDS
from casebook.runtime.learning.signing.words import NOUNS

_F = re.ASCII | re.IGNORECASE
_NAME = rf"[A-Za-z_$@][\w$.@:/+<>~{MARK_RANGE}-]{{0,100}}"
COMMON = frozenset(
    """
    not does do did is was are were be been being has have had cannot can could couldn't can't doesn't isn't wasn't
    already with without for in on at to of by from and or nor must may might should shall will would exists exist
    existing exceeded exceeds failed fails failure error errors denied missing invalid required limit limits name
    names id ids key keys type types value values list set file files path data input output request response method
    methods field fields info information access permission permissions account group role found lookup creation
    deletion update updates query connection password login logout session token tokens size length count number
    range index state status code message timeout handler definition declaration expected unexpected argument
    arguments parameter parameters constraint reference call calls too that this these those the a an which when
    while as if than then but so because after before until into onto over under between within during no none only
    more less format version level mode policy pool server client host port address process service unavailable
    unreachable unknown unsupported unresolved undefined up down out off left right returned returns used using use
    unable attempted attempt tried lost closed open opened blocked locked disabled enabled expired revoked rejected
    refused reset aborted cancelled canceled terminated killed stopped started running ready busy full empty
    available loaded created deleted removed changed resolved installed specified provided supplied given allowed
    body signature layer driver engine digest checksum
    depth manager partition partitions binding bindings policy scan lock locks quota runtime definition exchange supported per via against upon it its you your we our their they
    """.split()  # noqa: SIM905 - words, not a list of them
)
"""Words that stand after a noun and are no name."""

_MISSING = (
    r"(?:(?:is |was |does |do |has |could |can)?not |cannot be |can't be |could not be |isn't |doesn't |wasn't |already |is already |no longer )?(?:found|defined|exists?|installed|recogni[sz]ed|declared|"
    r"known|registered|available|resolved|located|loaded|imported|present|valid|running|reachable)|is (?:unknown|undefined|missing|undeclared|unavailable|invalid)|unknown|missing|undefined|不存在|未找到|已存在|不可用|无效"
)
_VERB = (
    r"(?:not|does|do|did|is|was|are|has|have|had|cannot|can|could|can't|doesn't|isn't|wasn't|already|must|may|should|will|would|failed|fails|"
    r"exceeded|exceeds|from|on|in|at|for|to|of|with|by|via|referenced|specified|requires?|expired|denied|"
    r"and|or|contains?|returned|returns|timed|rejected|refused|lost|closed|because|while|when|never|needs?|used|exited|died|crashed|port)"
)
_PERSON = r"(?-i:[A-Z][a-z]+(?: [A-Z][A-Za-z'-]+){1,3})"
_AFTER_NOUN = re.compile(
    rf"(?<![\w-])(?P<noun>{NOUNS})s?:? (?P<v>{_PERSON}|{_NAME}?)(?P<next>(?P<missing>[:,]? (?:{_MISSING})(?!\w)|:? ?(?:不存在|未找到|已存在))|(?P<end>[.:;!]*(?:$|\n))|,| ?[)\]]|:? {_VERB}(?!\w)|[:;] | [({MARK_RANGE}])",
    _F,
)
_STATE = re.compile(r"^un[a-z]{3,}|(?:ed|ing|able|ible|ful|less)$")
"""What a thing is, not what it is called: `3 hosts unhealthy: …`."""
_CODE_LETTERS = re.compile(
    r"(?<=[a-z] )(?P<v>[A-Z]{3,16})(?= (?:is|was|not|does|has|cannot|on|in|at|for|to|from|already|exceeds|expired|requires?|and|or)(?!\w)|[.,;:)]|$)",
    re.ASCII | re.MULTILINE,
)
_CODED = frozenset(
    """
    convert location exchange code codes reservation booking flight airport airports order ticket symbol currency ticker locator pnr coupon
    voucher sku station from to pair stock plate country unit region zone
    """.split()  # noqa: SIM905 - words, not a list of them
)
_CUE = re.compile(
    r"(?<![A-Za-z0-9_])(?:no such [a-z ]{1,40}|unknown(?: (?!error|exception|failure)[a-z]+){0,3}|undefined(?: [a-z]+){0,3}|undeclared(?: [a-z]+){0,2}|unrecogni[sz]ed(?: [a-z]+){0,3}|"
    r"unsupported(?: [a-z]+){0,3}|unresolved(?: [a-z]+){0,3}|missing(?: [a-z]+){0,4}|invalid(?: [a-z]+){0,3}|illegal(?: [a-z]+){0,3}|duplicate(?: [a-z]+){0,3}|unexpected(?: [a-z]+){0,2}|"
    r"not found|not defined|not recogni[sz]ed|not installed|does not exist|already exists|constraint failed|could not resolve(?: [a-z]+){0,2}|cannot resolve(?: [a-z]+){0,2}|"
    r"(?:cannot|can't|could not|unable to|failed to) (?:find|locate|open|load|import|resolve|read|write|access|delete|create|stat|connect to|start|stop)(?: [a-z]+){0,3}|declared and not used|"
    r"imported and not used|redeclared|required(?: [a-z]+){0,3}|(?:[a-z]+ ){0,3}(?:provided|supplied)|value too long for [a-z ]{1,30}|modulenotfounderror|classnotfoundexception|noclassdeffounderror|"
    r"keyerror|nosuchelementexception|nosuchfieldexception|nosuchmethodexception|nosuchkey|command not found|unit|package|module|"
    rf"找不到[^\s:{MARK_RANGE}]{{0,10}}|未找到[^\s:{MARK_RANGE}]{{0,10}}|不存在的?[^\s:{MARK_RANGE}]{{0,10}}|未知[^\s:{MARK_RANGE}]{{0,10}}|无效的?[^\s:{MARK_RANGE}]{{0,10}}|缺少[^\s:{MARK_RANGE}]{{0,10}}|重复[^\s:{MARK_RANGE}]{{0,10}}|不支持的?[^\s:{MARK_RANGE}]{{0,10}}|不存在|没有[^\s:{MARK_RANGE}]{{0,10}}|参数错误)"
    rf" ?[:：] ?(?P<v>-{{0,2}}[A-Za-z_$@][\w$.@:/+<>~-]{{0,100}}(?: (?-i:[A-Z])[\w-]{{1,20}}){{0,3}}(?:, ?[A-Za-z_$@][\w$.@/+<>~-]{{0,100}}){{0,20}})(?=[.;!]?(?:$|\n)| ?[(,;，。]|[{MARK_RANGE}])",
    _F,
)
_TECHNICAL = frozenset(
    """
    table column relation database collection index topic queue bucket namespace pod container image node host
    service unit interface device branch tag remote package module library dependency crate gem class function
    method variable identifier symbol target command program option flag macro tool requirement
    """.split()  # noqa: SIM905 - words, not a list of them
)
_DIRECT = frozenset(
    "branch header cookie namespace region role topic queue host stage step project column table field parameter param argument variable option flag setting".split()  # noqa: SIM905 - words, not a list of them
)
"""Nouns that are all but always followed by a name."""
_TRADE = frozenset(
    """
    http https json xml yaml html sql api id url uri ip tcp udp dns ssl tls ssh ftp smtp redis mysql postgresql
    postgres mongodb oracle kafka docker kubernetes nginx token cookie session cpu gpu io app sdk sms vip pin csv
    pdf excel word utf-8 utf8 null none true false java python go rust node npm pip git linux windows android ios
    web get post put delete and or not in is to of ok key value
    """.split()  # noqa: SIM905 - words, not a list of them
)
_BESIDE_HAN = re.compile(
    r"(?<=[\u3400-\u9fff:])(?P<v> ?(?:[a-z_][a-z0-9_/-]{0,60}(?:\.[a-z_]\w*)*|(?:[A-Z][a-z0-9]+){2,6}(?<!Error)(?<!Exception)))(?= ?(?:[\u3400-\u9fff]|:[\u3400-\u9fff]))|(?<=[表段列库户数件机务块量令支引题器像点色目组])(?P<u> ?[a-z_][\w.-]{0,60})(?=$|[,，。;；)）])",
    re.ASCII | re.MULTILINE,
)
_HAN_TAIL = re.compile(
    r"(?:未知|找不到|不支持|无效|缺少|不存在|重复|非法|未找到|没有找到|不正确|不合法|有误|不在[\u4e00-\u9fff]{1,8}内|格式错误)[\u4e00-\u9fff]{0,10} ?[:：] ?(?P<v>[^\s,，。;；:：]{1,30}(?: [A-Z]\w{0,16})?)(?=[。.！!]?(?:$|\n))"
)
_HAN_PERSON = re.compile(
    r"(?<=用户|客户|员工|会员|乘客|旅客|患者|学生|老师|买家|卖家|成员|司机)[王李张刘陈杨赵黄周吴徐孙胡朱林郭罗梁宋郑谢韩唐冯董萧程曹袁邓沈彭吕苏卢蒋蔡贾丁魏薛叶阎潘杜戴钟汪姜范姚谭廖邹熊陆郝崔康邱秦江史顾侯邵孟龙雷钱汤尹黎贺赖龚]"
    r"[\u4e00-\u9fff]{1,2}?(?=不|未|没|已|无|的|在|登|注|提|申|下|支|取|请|余|账|积分|额|权限|密码|[，,。；;:： ]|$)"
)
_HAN_SPACED = re.compile(
    r"(?<=用户|会员|客户|酒店|商品|产品|航班|文件|门店|店铺|仓库|员工|司机|乘客|城市|企业|公司|项目|部门|服务|节点|设备|主机|分支|队列|角色|租户|商家|医生|课程|渠道|银行|科室|模块|应用|任务|学生|老师|买家|卖家|地区|区域) "
    r"(?P<v>[\u4e00-\u9fff][\u4e00-\u9fff()（）·]{0,19})(?<!失败)(?<!超时)(?<!错误)(?<!异常)(?<!不足) (?=\S)"
)
_HAN_IN_LATIN = re.compile(
    rf"(?<=[a-z] )(?![^ ]{{0,30}}(?:失败|错误|异常|超时|拒绝|[不未无]|支付|退款|登录|注册|上传|下载|查询|创建|删除|更新|提交|取消))[\u3400-\u9fff][\u3400-\u9fffA-Za-z0-9·_.-]{{0,30}}(?: [\u3400-\u9fff]{{1,12}}){{0,3}}(?= (?:[a-z(]|[{MARK_RANGE}]))"
    rf"|(?:(?<=for )|(?<=user )|(?<=by )|(?<=at )|(?<=to )|(?<=from )|(?<=of )|(?<=in )|(?<=on )|(?<=customer )|(?<=account )|(?<=named )|(?<=item )|(?<=passenger )|(?<=tenant )|(?<=product )|(?<=store )|(?<=service ))[\u3400-\u9fff][\u3400-\u9fffA-Za-z0-9·_.-]{{0,30}}(?=[,.;)\]]|$)"
)
"""A Chinese name in an English sentence: between words of small letters, or after a noun or preposition at an end."""
_HAN = re.compile("[\u3400-\u9fff]+")
_LATIN_WORD = re.compile("[A-Za-z]{2,}")
_FIXED = tuple(
    re.compile(pattern, _F | re.MULTILINE)
    for pattern in (
        rf"(?P<v>(?<![A-Za-z0-9_.$])[A-Za-z_$][\w$.\[\]{MARK_RANGE}]{{0,100}}(?:\([^()\n]{{0,60}}\))?) (?:is not (?:defined|a function|a constructor|iterable|a valid [a-z]+|recogni[sz]ed)|undeclared)(?![A-Za-z0-9_])",
        r"collection: (?P<v>\S{1,200}) index: (?P<w>\S{1,200}) dup key: (?P<x>[^\n]{1,400})",
        r"(?<![\w-])for (?:argument|parameter|param|option|flag|field|setting) (?!(?:count|list|type|types|number|value|values|name|names|not)(?!\w))(?P<v>[\w.\[\]-]{1,80})(?=[:,;)]|$| (?:is|was|must|has|should|cannot|does)(?!\w))",
        r"(?<=value )(?P<v>none|null|true|false|nil|undefined)(?= (?:for|in|of|is|was|at)(?!\w))",
        r"(?<![\w-])(?:transition|change[sd]?|move[sd]?|transfer|switch|convert|upgrade[sd]?|downgrade[sd]?|migrate[sd]?|rename[sd]?|status|state)(?: \S{1,60}){0,6}? from (?P<v>[\w.-]{1,40}) to (?P<w>[\w.-]{1,40})(?=[,.;:)]|$| (?:is|was|not|rejected|failed|for|on|in|at)(?!\w))",
        r"\(reading (?P<v>[^)\n]{1,100})\)",
        r"(?<![\w-])(?:the|calling) (?P<v>(?-i:[A-Z])\w{2,60}) (?:operation|method|api|action|function|rpc)(?!\w)",
        r"(?<![\w:.-])(?P<v>[a-z][a-z0-9-]{1,40}:(?-i:[A-Z])[a-z]+(?:(?-i:[A-Z])[a-z0-9]*)*)(?![\w:])",
        r"(?<![A-Za-z0-9_])(?P<v>[a-z_]\w{0,60}) declared and not used",
        r"[(,] ?(?:current )?(?:status|state):? (?P<v>[a-z_-]{1,30}(?: [a-z]{1,20})?)(?= ?[,)])",
        r"(?<![\w-])current (?:status|state)(?: is)?:? (?P<v>[a-z_-]{1,30})(?=$|[\n,.;)])",
        r"当前(?:订单)?状态(?:是|为|[:：])? ?(?P<v>[\u4e00-\u9fff]{2,8}?)(?=$|[,，。;；\n)）]|不|无法)",
        r"(?<![\w-])(?:for|of|by) tool (?P<v>[\w.-]{1,80})(?=$|[\n:,; ])",
        r"unexpected token (?!in )(?P<v>[^\s,]{1,60})(?=,| in |$|\n| at )",
        r"(?<![A-Za-z0-9_])near (?P<v>[A-Za-z_]\w*)(?=[:;,]|$|\n)",
        rf"(?<![A-Za-z0-9_])(?:password|login|publickey|session opened|session closed|login attempt|credentials?|attempt|permission) for (?:(?:invalid |illegal )?user )?(?P<v>[A-Za-z_$][\w$.@'-]{{0,60}}|{MARK_RANGE[0]})(?= from| on| at| by|$|\n|[.,;:(])",
        r"(?<![A-Za-z0-9_])cannot use (?P<v>[^\n]{1,100}?) (?P<w>\([^()\n]{1,100}\)) as (?P<x>\S{1,80}) value in (?:argument to (?P<y>\S{1,100})|[a-z ]{1,30})",
        r"(?<![\w-])(?:choose from|(?:must be |is not |not |expected )?one of|(?:allowed|valid|available|possible|supported|known|accepted|permitted) (?:values?|options?|choices?|types?|names?|commands?|tools?|formats?)(?: are| is)?|did you mean|可选值|可选项)[:：]? (?P<v>[^\n]{1,600})",
        r"(?<![A-Za-z0-9_])is not a valid (?P<v>(?-i:[A-Z])\w{0,60})(?=$|[.,;!])",
        r"(?:environment variable|env var|config(?:uration)? (?:key|option|setting|value)) (?P<v>[\w.-]{1,100})(?= (?:is|must|has|was|should|cannot|does)(?!\w)|[:;,]|$)",
        r"(?<![\w-])in (?:location|region|zone|availability zone) (?P<v>[\w-]{1,60})",
        r"(?<![\w-])(?:invalid|illegal|unknown) user (?P<v>[\w.@-]{1,60})(?= from| \[| by| on )",
        r"^(?P<v>\S{1,80}) ?: ?(?:未找到命令|找不到命令)",
        r"(?:unrecognized arguments?|arguments are required|unknown arguments?|unknown options?|no such option): (?P<v>[^\n]{1,200})",
        r"(?:denied to|denied for user|exceeded quota:) (?P<v>[\w.@/-]{1,80})(?=$|\n|[.,;])",
        r"(?:ENOTFOUND|EAI_AGAIN) (?P<v>\S{1,100}(?: \S{1,100})?)$",
        r"^(?P<v>\w{1,60}) validation failed: (?P<w>[\w.]{1,60}):",
        r"(?<![\w-])(?P<v>\w{1,60}) matching query ",
        r"unreported exception (?P<v>[\w.]{1,100})",
        r"^(?P<v>[^\s:]{1,80}): (?=unbound variable|parameter (?:null or )?not set|readonly variable|is not set)",
        r"(?<![\w-])(?:index|topic|shard|node|role|user|setting|field|bean|property|named?|parser|type|alias|job|queue|key|value|consumer|group|table|column|id) \[(?P<v>[^\[\]\s]{1,100})\]",
        r"^\[(?P<v>[\w.-]{1,80})\]: (?=[A-Z]{4,}!)",
        r"(?P<v>,? with args? beginning with:[^\n]{0,300})",
        r"incompatible types: (?P<v>[^\n]{1,200}?) cannot be converted to (?P<w>[^\n]{1,200})",
        rf"(?<![A-Za-z0-9_])(?:by|for|as|user|process|pid) (?P<v>[A-Za-z_][\w.@-]{{0,60}}) (?:from|on|at|via) (?=[{MARK_RANGE}])",
        rf"(?:process|pid) [{MARK_RANGE}] \((?P<v>[\w./{MARK_RANGE}-]{{1,60}}(?: [\w.-]{{1,20}})?)\)",
        r"(?<![\w-])(?:for|of|in|on|from|by) \[(?P<v><?[\w.-]{1,80}>?)\]",
        r"(?:操作人|操作员|姓名|客户|用户|经办人|申请人|审批人|联系人|收件人|发件人|负责人|创建人|提交人|处理人|作者|乘客|旅客|员工|租户|企业|公司|供应商|位置|地址|门店|仓库|商品|产品|部门|城市|地区|主机|设备|服务|文件|目录|项目|模块|账号|账户|角色|节点|队列): ?(?![不未无没已错失超非缺异正])(?P<v>[^\s,;:()，。]{1,40})(?=[,;)。]|$)",
        rf"(?<= )(?P<v>at line [{MARK_RANGE}])(?=:)",
        r"(?:distribution found for|satisfies the requirement|on project|for task|rule to make target|no such package|locate package) (?P<v>[^\s,()]{1,120})",
        r"(?<![A-Za-z0-9_])client: (?P<v>\S{1,80}), server: (?P<w>\S{1,80}),",
        r"(?:(?<![A-Za-z0-9])rpc error: )?(?<![A-Za-z0-9])(?:container|pod|host) (?P<v>[a-z][\w-]{0,80}) (?=in (?:pod|namespace)|port )",
        r"class (?P<v>[\w.$]{1,160}) cannot be cast",
        r"cast to (?:class )?(?P<v>[\w.$]{1,160})",
        r"for (?:relation|table|column|schema|database|user|role) (?P<v>[a-z_][\w.]{0,100})(?=$|\n|[.,;:(])",
    )
)
_SH = r"(?:-?(?:/(?:usr/)?bin/)?(?:ba|z|da|k|fi|a|c|tc)?sh: )"
_LINE = rf"(?:(?:line |第 ?)?(?:\d+|{mark('number')})(?: ?行)?: ?)"
_SHELL_FILE = re.compile(
    rf"^( *{_SH}{_LINE}?)([^\s:/'\"]{{1,200}})(?=: (?:No such file or directory|Permission denied|Is a directory|cannot execute)\b)",
    re.MULTILINE,
)
_SHELL = re.compile(
    rf"^ *{_SH}{_LINE}?[^\s:]{{1,200}}: (?:command )?not found[.! ]{{0,4}}$|^ *{_SH}?{_LINE}?[^\s:]{{1,200}}: command not found[.! ]{{0,4}}$"
    rf"|^ *{_SH}?(?:command not found|unknown command): \S{{1,200}}$",
    re.IGNORECASE | re.MULTILINE,
)


def command_not_found(text: str) -> str:
    """Give the lines of the shells that miss a command as one text, whichever shell and command it was."""
    return _SHELL_FILE.sub(r"\1'\2'", _SHELL.sub("command not found", text))


def named(text: str) -> str:
    """Give a text with names that their place tells as variable parts."""
    name = mark("name")
    if not _HAN.match(text) and len(_LATIN_WORD.findall(text)) >= 2 and len(_HAN.findall(text)) <= 3:
        text = _HAN_IN_LATIN.sub(name, text)
    for pattern in _FIXED:
        text = pattern.sub(_only_value, text)
    text = _CUE.sub(_only_value, text)

    text = _AFTER_NOUN.sub(_judged, text)
    text = _HAN_SPACED.sub(_only_value, _CODE_LETTERS.sub(_coded, text))
    return _HAN_PERSON.sub(name, _HAN_TAIL.sub(_only_value, _BESIDE_HAN.sub(_judged_beside_han, text)))


def known(word: str) -> bool:
    """Say whether a word is a common one of error messages, in any number and capitals."""
    word = word.lower()
    return word in WORDS or (word.endswith("s") and word[:-1] in WORDS) or word in COMMON


def _judged(found: re.Match[str]) -> str:
    """Give a noun and what follows it, as a name where it is one: where something is missing any word may be, else only a rare one."""
    word = found["v"].rstrip(":.")
    plain = word.isascii() and word.isalpha()
    if word.lower() in COMMON or (
        plain
        and known(word)
        and not (
            found["missing"]
            or found["noun"].lower() in _DIRECT
            or (found["end"] is not None and found["noun"].lower() in _TECHNICAL)
        )
    ):
        return found[0]
    if plain and word.islower() and _STATE.search(word) and not found["missing"] and found["next"][:1] in ":;":
        return found[0]
    begin, end = found.start("v") - found.start(), found.end("v") - found.start()
    return found[0][:begin] + mark("name") + found[0][end:]


def _coded(found: re.Match[str]) -> str:
    """Give capital letters as a name where the word before them takes a code: `airport XYZ`."""
    before = found.string[max(0, found.start() - 20) : found.start()].split()
    return mark("name") if before and before[-1].lower() in _CODED and not known(found[0]) else found[0]


def _judged_beside_han(found: re.Match[str]) -> str:
    """Give a word of small letters among Chinese ones as a name, but for the words of the trade."""
    return found[0] if (found["v"] or found["u"]).strip().lower() in _TRADE else mark("name")


def _only_value(found: re.Match[str]) -> str:
    """Give a find with each of its named groups as the mark of a name."""
    text, name = found[0], mark("name")
    spans = sorted((found.span(group) for group in found.re.groupindex if found[group] is not None), reverse=True)
    for start, end in spans:
        text = text[: start - found.start()] + name + text[end - found.start() :]
    return text
