"""What speaks for each kind: one row a cue, with its weight, in English and in Chinese (RE2 over folded text)."""

from __future__ import annotations

from typing import NamedTuple

from casebook.kinds import Kind


class Cue(NamedTuple):
    """One cue.

    Attributes:
        kind: what it speaks for.
        weight: how strongly; weights of a kind are summed, each cue once (ours, tuned on `tests/gate/utterances.jsonl`).
        pattern: RE2, over folded text.
    """

    kind: Kind
    weight: float
    pattern: str


_ROLE = (
    "developer|dev|engineer|programmer|designer|manager|student|teacher|professor|doctor|nurse|lawyer|researcher|scientist|analyst|writer|"
    "freelancer|contractor|consultant|architect|founder|cto|ceo|lead|intern|sre|dba|admin|administrator|maintainer|tester|qa|accountant|"
    "vegetarian|vegan|american|chinese|german|french|native|backend|back-end|frontend|front-end|full-?stack|devops|data|ml|product|senior|"
    "junior|staff|principal|software|mobile|ios|android|java|python|golang|go|rust|security|pm|director|officer|specialist|translator|journalist|"
    "statistician|economist|physicist|biologist|chemist|mathematician|marketer|recruiter|postdoc|paralegal|pharmacist|therapist|coach|trainer|"
    "dentist|baker|farmer|driver|pilot|chef|cook|musician|artist|photographer|plumber|carpenter|electrician|mechanic|barista|vet|veterinarian|surgeon|midwife|"
    "psychologist|librarian|historian|linguist|geologist|astronomer|banker|broker|trader|realtor|salesperson|bookkeeper|auditor|actuary|firefighter|paramedic|"
    "volunteer|beginner|newbie|novice|hobbyist|parent|father|mother|dad|mum|mom|widow|widower|immigrant|expat|veteran|author|editor|translator"
)
_ROLE_ZH = (
    "后端|前端|全栈|开发|工程师|程序员|产品经理|产品|设计师|运维|测试工程师|测试|架构师|算法|数据|学生|研究生|博士|老师|教师|医生|护士|律师|经理|总监|"
    "创始人|实习生|自由职业|作家|编辑|会计|研究员|分析师|顾问|负责人|组长|管理员|北京人|上海人|广东人|四川人|中国人|素食|左撇子|色盲|独生|"
    "java|python|go|golang|rust|c\\+\\+|ios|android|php|sre|dba|pm|hr|qa|cto|ceo"
)

_MORE_ROLES_ZH = (
    "牙医|翻译|译者|厨师|司机|飞行员|记者|摄影师|画家|音乐人|农民|警察|消防员|药剂师|心理咨询师|销售|市场|运营|客服|人事|财务|出纳|审计|店主|家长|妈妈|爸爸|新手|初学者|小白|"
    "演员|导演|主播|博主|教练|裁缝|木匠|电工|科学家|经济学家|面包师|兽医|公务员|志愿者|退休(?:人员|教师|工人)?"
)

KIND_CUES: tuple[Cue, ...] = (
    # identity: who somebody is
    Cue("identity", 5, rf"\b(?:the )?user (?:is (?:an? )?(?:[a-z+#.-]+ ){{0,3}}(?:{_ROLE})s?|works (?:as|at|for)|lives in|speaks)\b"),
    Cue("identity", 5, rf"\b(?:i'm|i am|im) (?:(?:currently|now|also|still|mainly|mostly|just) )*(?:(?:an?|the|your|one of the) (?:[a-z+#.-]+ ){{0,3}})?(?:{_ROLE})s?\b"),
    Cue("identity", 5, rf"\b(?:i'm|i am|im|name's) [a-z][a-z'-]+(?: [a-z][a-z'-]+)?, (?:(?:an?|the|your|one of the|currently|working as an?) )*(?:[a-z+#.-]+ ){{0,4}}(?:{_ROLE})s?(?: (?:at|on|for|in|from|with|who|working|based|here|and|by|of)\b|[,.;! ]*$)|^[a-z]+ here[,.:]? (?:(?:an?|the|your) )*(?:[a-z+#.-]+ ){{0,3}}(?:{_ROLE})s?\b|^this is [a-z]+(?: [a-z]+)?, (?:(?:an?|the|your|our) )*(?:[a-z+#.-]+ ){{0,4}}(?:{_ROLE})s?\b"),
    Cue("identity", 5, rf"\b(?:i'm|i am|im|name's) [a-z][a-z'-]+(?: [a-z][a-z'-]+)?, (?:(?:an?|the|your|one of the|currently|working as an?) )*(?:[a-z+#.-]+ ){{0,4}}(?:{_ROLE})s?(?: (?:at|on|for|in|from|with|who|working|based|here|and|by|of)\b|[,.;! ]*$)|^[a-z]+ here[,.:]? (?:(?:an?|the|your) )*(?:[a-z+#.-]+ ){{0,3}}(?:{_ROLE})s?\b|^this is [a-z]+(?: [a-z]+)?, (?:(?:an?|the|your|our) )*(?:[a-z+#.-]+ ){{0,4}}(?:{_ROLE})s?\b"),
    Cue("identity", 5, r"\bname's [a-z]|\bi have an? (?:[a-z]+ ){0,2}allergy\b|\bi(?:'ve| have) been an? (?:vegan|vegetarian)\b|\bmy (?:full |first |last |real |nick)?name(?:'s| is)\b|\b(?:please )?call me [a-z]|\bi go by\b|\bmy (?:pronouns|job|role|title|occupation|profession|native language|mother tongue|nationality|birthday|time ?zone|email(?: address)?|phone(?: number)?|github(?: handle| username)?|hometown|age|employer|company) (?:is|are)\b"),
    Cue("identity", 5, r"\bi (?:work|am working|'ve worked) (?:as|at|for|in) \w|\bi (?:live|reside|am based|'m based|grew up|was born) in\b|\bi'm (?:based|located|living) in\b|\bi(?:'m| am) (?:originally )?from \w|\bi speak (?:[a-z]+ )|\bborn (?:in|on) \d|\bi(?:'m| am) \d{1,2}(?: years old)?\b|\bi have (?:two|three|a|an|one|\d) (?:kid|kids|child|children|son|daughter|dog|cat|wife|husband)|\bi(?:'m| am) (?:left-handed|colou?r-?blind|deaf|blind|dyslexic|married|allergic|diabetic|retired|responsible for|in charge of|on the \w+ team)|\bi (?:lead|manage|run|maintain|own) (?:the|a|an|our) \w+"),
    Cue("identity", 5, f"(?:^|[,、。 ])我?是(?:一名|一个|一位|个|名|位|做)?[^,。!?:不否想说要在来]{{0,8}}(?:{_ROLE_ZH})(?:[^a-z]|$)"),
    Cue("identity", 5, f"我(?:是|叫)[^,。]{{1,8}},?(?:一名|一个|一位|是个?|做)?[^,。不否想要]{{0,8}}(?:{_ROLE_ZH})(?:的)?(?:[,。.! ]|$)|(?:^|[,。 ])我?是(?:一名|一个|一位|个|名|位)?[^,。不否想说要在来]{{0,6}}(?:{_MORE_ROLES_ZH})(?:[,。.! ]|$)|^我是[^,。不否想说要在来为因怕觉认从对很真这那有没被用学做搞写看]{{1,6}}[。.! ]*$|我(?:现在|目前|也|还|刚)是(?:一名|一个|一位|个|名|位)?[^,。!?:不否想说要在来]{{0,8}}(?:{_ROLE_ZH})(?:[^a-z]|$)|(?:{_ROLE_ZH})出身|我是(?:新来的|刚来的|新入职的|这边的|这里的|负责[^,。]{{1,12}}的)|我是[^,。]{{1,8}},?(?:目前|现在)?在[^,。]{{1,12}}(?:做|当|任|工作|上班)|我(?:以后|今后|现在|目前|主要){{1,2}}负责[^,。]"),
    Cue("identity", 5, f"我(?:是|叫)[^,。]{{1,8}},?(?:一名|一个|一位|是个?|做)?[^,。不否想要]{{0,8}}(?:{_ROLE_ZH})(?:的)?(?:[,。.! ]|$)|我是(?:新来的|刚来的|新入职的|这边的|这里的|负责[^,。]{{1,12}}的)|我是[^,。]{{1,8}},?(?:目前|现在)?在[^,。]{{1,12}}(?:做|当|任|工作|上班)|我(?:以后|今后|现在|目前|主要){{1,2}}负责[^,。]"),
    Cue("identity", 5, "我(?:的名字)?叫[^你他她它我]|我姓|叫我[^做去来看写改帮]|我的(?:名字|职业|工作|岗位|职位|母语|时区|生日|邮箱|手机号?|电话|昵称|英文名|国籍|年龄|github|家乡|公司)(?:是|在|为|:|叫)"),
    Cue("identity", 5, "(?:我|本人)从事|我(?:现在|目前)?(?:住在?|家住|来自|老家|出生|生于|在[^,。]{1,12}(?:工作|上班|任职|读书|上学|生活|长大))|我今年?\\d{1,2}岁|我对[^,。]{1,12}过敏|我(?:会说|说)(?:[中英法德日韩粤西]|普通话)|我负责[^,。]|我(?:有|养)(?:一|两|三|\\d)?(?:个|只|条)?(?:孩子|儿子|女儿|猫|狗)|我(?:已婚|单身|吃素|是素食)"),
    # principle: what somebody holds to
    Cue("principle", 6, r"\b(?:my|our|core|guiding|first|a|one|the|as a|in|on) (?:(?:core|guiding|working|design|engineering|golden|basic|main) )?(?:principles?|philosophy|values?|motto|belief|tenet|creed|mantra) ?(?:is|are|:|,|of|that|we)|\bprinciple:|\bas a matter of principle|\bon principle\b"),
    Cue("principle", 5, r"\b(?:i|we) (?:strongly |firmly |really )?(?:believe in|stand for|value (?:\w+ )+(?:over|above|more than)|never compromise|put \w+ (?:first|before)|live by|swear by)|\b(?:matters?|counts?) more than\b|\b(?:simplicity|clarity|correctness|readability|safety|security|quality|privacy|honesty|users?) (?:always )?comes? before\b|\b(?:comes?|come) (?:first|before everything|before anything)\b|\b(?:simplicity|clarity|correctness|readability|safety|security|quality|privacy|honesty|users?) (?:over|before|above|first|beats?|comes? first|trumps)\b|\b(?:is|are) better than\b|\bnon-negotiable\b"),
    Cue("principle", 6, "原则|准则|信条|座右铭|底线|价值观|理念|哲学|宗旨|(?:坚信|信奉|秉持|坚持)|宁可|宁愿|宁缺|(?:优先于|高于|大于|胜过|重于|比[^,。]{1,8}(?:更)?重要)|(?:安全|质量|简单|可读性|用户|隐私|正确性|稳定)(?:第一|至上|为先|为王|优先)|绝不妥协"),
    # preference: what somebody likes
    Cue("preference", 5, r"\b(?:i|we) (?:(?:really|also|generally|usually|always|just|do|don't|do not|strongly|much|actually|personally|still|absolutely|never|can't|cannot) )*(?:like|love|prefer|enjoy|hate|dislike|adore|favou?r|detest|loathe|stand|fancy|care for|mind)\b|\b(?:not a|a big|a huge|not a big|am a|i'm a) fan of\b|\bmy favou?rite\b|\bi'd (?:rather|prefer)\b|\bmy preference\b|\bi(?:'m| am) (?:not )?(?:keen on|into|fond of|partial to)\b|^(?:prefer|preferring|dislikes?|likes?|hates?)\b|\b(?:user|he|she|they) (?:prefers?|likes?|dislikes?|hates?|loves?)\b"),
    Cue("preference", 10, r"\b(?:please |kindly )?(?:always |never |don't |do not |just |only )*(?:answer|reply|respond|write|speak|talk|explain|format|address|greet|keep (?:your |the )?(?:answers|replies|responses|explanations|it|things|code|comments|messages)|give me|show me|call me|ask me|tell me|send me|summari[sz]e|use)\b.{0,40}\b(?:in (?:english|chinese|french|german|spanish|japanese|plain|simple|short|markdown|bullet|bullets|table|british|american|formal|metric|simplified)|brief|short|concise|terse|simple|bullet points?|emojis?|jargon|formal|informal|casual|tone|language|one at a time|step by step|before (?:answering|you))\b"),
    Cue("preference", 5, r"\b(?:speak|talk|write|explain(?: it| things)?) to me\b|\bi (?:want|need|expect) you to (?:be|always|never|act|sound|speak)\b|\b(?:metric|imperial) units\b|\b(?:24|12)-hour\b"),
    Cue("preference", 6, r"^(?:please )?(?:speak|use|write|in) (?:english|chinese|german|french|spanish|japanese)\b|^(?:english|chinese|german|french|spanish|japanese)(?: only| please)"),
    Cue("preference", 6, "^请?(?:说|用|讲|写)(?:简体|繁体)?(?:中文|英文|英语|普通话|粤语|日语)"),
    Cue("preference", 5, "(?:跟|和|对)我(?:讲|说|用|聊)"),
    Cue("preference", 4, r"\b(?:from now on|going forward|in (?:the )?future|henceforth|next time you|whenever (?:you|i ask)|every time (?:you|i))\b.{0,60}|\bi (?:want|need|expect|would like|'d like) (?:you to |your |all |my )?(?:answers|replies|responses|code|reports|summaries|comments|explanations|always|never|everything|commit messages|you to always)\b"),
    Cue("preference", 5, "喜欢|喜爱|偏好|偏爱|更爱|最爱|热爱|钟爱|讨厌|反感|厌恶|受不了|不爱|倾向于?|更想|更愿意|宁愿用|我习惯|习惯(?:用|于|了|把|在)|不习惯|爱(?:用|吃|喝|看|听)|(?:不吃|不喝|不爱吃|爱吃|忌口)|口味|我爱"),
    Cue("preference", 6, "(?:(?:给|告诉|跟|问|提醒|向|陪|教)我)[^。!?]{0,12}(?:要|先|再|都|直接|慢|简)|(?:要|先|再|都|请)[^。!?]{0,8}(?:给|告诉|跟|问|提醒)我"),
    Cue("preference", 6, "(?:以后|今后|往后|从现在(?:起|开始)|从今(?:以后|往后)|默认)[^。!?]{0,30}?(?:都|请|用|要|别|不要|不用|写|回|给|叫|说|讲|先|发|输出|生成|保持)"),
    Cue("preference", 5, "(?:回答|回复|答复|解释|注释|报告|文档|总结|说明|代码|输出|邮件|周报|提交信息|commit|变量名?|称呼|语气|消息)[^,。]{0,10}?(?:都|请|尽量|要|应|最好|一律|全|不要|别|少|多)(?:用|写|说|讲|简短|简洁|详细|精简|直接|给|带|加|放|保持|分点|啰嗦|正式|口语|要|列)|(?:请|麻烦)?(?:用|说|讲)(?:简体|繁体)?(?:中文|英文|英语|普通话|大白话|markdown|表格)(?:回|答|写|跟|和|给|交流|解释|说|吧|就)|(?:回答|答案|说话|回复)(?:要|尽量|请)?(?:简短|简洁|直接|详细|别啰嗦|精炼)|(?:不要|别|少)(?:用|加|发|说|写|带)(?:表情|emoji|废话|客套|术语|黑话|敬语|英文|列表)"),
    Cue("preference", 6, r"\bkeep (?:your |the |all )?(?:answers?|replies|reply|responses?|explanations?|summar(?:y|ies)|messages?|code|diffs?|changes) (?:(?:as )?(?:short|brief|small|simple|concise)|under|below|within|to|at most|no longer|minimal)\b|^(?:please )?(?:call|ping|email|message|text|contact|reach) me \S.{0,30}\b(?:not|never|instead of|rather than)\b|^(?:please )?(?:explain|describe|break|talk through) (?:things|everything)\b|\bi want you to (?:ask|check|confirm|tell|warn|wait|show|read|run|test)\b"),
    Cue("preference", 6, "最烦|烦你|(?:我)?(?:最)?(?:见|看)不(?:得|惯)|(?:回答|回复|答案|总结|解释|报告|代码)[^,。]{0,6}(?:控制在|不超过|别超过|不要超过|限制在)|(?:找|联系|通知|叫|问|告诉)我,?(?:别|不要|不用|少)"),
    Cue("preference", 6, r"\bno (?:emojis?|jargon|fluff|preamble|apologies|small talk|yapping|bullets?|bullet points)\b"),
    # decision: what was chosen, against what, why
    Cue("decision", 7, r"\b(?:i|we|they|team|the team|it was|it's been|i've|we've|have|has|been|finally|just) (?:(?:have|has|had|all|just|finally|already|also|now|ultimately|jointly) )*(?:decided|chose|chosen|opted|settled|agreed|picked|selected|elected|resolved|committed to (?:using|move|build)|ruled out|rejected|dropped|ditched|switched (?:from|to)|standardi[sz]ed on|went with|going with|migrated (?:from|to)|replaced)\b|\bdecision(?: is| was|:|made)|\blet's (?:go with|stick with|settle on) |\bdecided (?:to|on|against|that|not)\b|\b(?:chose|picked|selected|choosing|opted for|went with|going with|settled on)\b"),
    Cue("decision", 4, r"\b(?:we|i)(?:'ll| will|'re going to| are going to|'re| are) (?:use|using|go with|going with|adopt|adopting|stick with|sticking with|keep|build on|drop|switch to|move to|switching to|moving to)\b.{0,80}\b(?:because|since|instead|rather|over|not)\b|\b(?:we|i) use \S+ (?:over|instead of|rather than)\b"),
    Cue("decision", 7, "决定|选了|选定|选用|选择(?:了|用|使用)|选的(?:是)?|定(?:了|下来|为用|在用|的是)|(?:换|改)成[^,。]{1,15}了|(?:后来|最后)(?:就|还是|又)?(?:改?用|换|选)了|^(?:那)?(?:就|先)?(?:用|选)(?:方案|第[一二三两\\d]|选项)|敲定|拍板|采用|改用|换成了|最终(?:用|选|定|决)|放弃(?:了|用)|弃用|达成一致|一致同意|方案(?:定|选|是|用)|(?:不用|没选|没用|而不用)[^,。]{1,15}(?:而|改|选)|商定|统一改"),
    # lesson: what was learnt, mostly by failing
    Cue("lesson", 11, r"\b(?:lessons? (?:learned|learnt|is|was|from)|lesson here|(?:i|we|i've|we've|have|just) (?:learned|learnt)(?: (?:that|the hard way|to|from|not))|the hard way|next time,? (?:we|i|don't|do not|always|make|check|let's|remember)|(?:should|shouldn't) have|gotcha|pitfall|never again|note to self|in hindsight|post-?mortem|takeaway|won't make that mistake|mistake was|bitten by|burned by|got burned|beware)\b"),
    Cue("lesson", 11, "教训|踩(?:过|了|到)?(?:个|的|一个|的是)?坑|坑(?:是|在|:|点)|避坑|下次(?:要|一定|记得|得|应该|别|不要|先|就|可|遇)|吸取|学到(?:了|的|:)|学乖了|长记性|早知道|当初(?:应该|不该|就该)|血泪|吃(?:过|了)亏|事后|复盘|经验(?:是|:|教训|告诉)|不该(?:在|直接|把|用|先)|注意别再|引以为戒"),
    # rule: what must be done, or never
    Cue("rule", 5, r"^(?:please )?(?:always|never|do not|don't|must|avoid|only|no|ensure|make sure|be sure|every|all|each|any)\b|\b(?:must(?:n't| not)?|shall(?: not)?|should (?:always|never|not)|may not|cannot|can't be|have to|has to|is|are) (?:always |never |be )?(?:forbidden|prohibited|mandatory|required|banned|not allowed|disallowed|allowed only|obligatory|compulsory)\b|\b(?:must|shall|mustn't)\b|\bshould (?:always|never)\b"),
    Cue("rule", 4, r"\b(?:always|never|whenever|every time|at all times|without exception|under no circumstances|only (?:after|when|if|with|in|via|through|by)|unless)\b|\b(?:rule|convention|policy|guideline|standard|requirement)(?: is| here|:|s are| says)|\b(?:before|after) (?:every|each|any|you|pushing|committing|merging|deploying|releasing)\b|\b(?:requires?|needs?) (?:at least |a |an |two |one |\d )?(?:approvals?|reviews?|reviewers?|sign-?off|tests?|tickets?|changelog|migration)"),
    Cue("rule", 4, r"^(?:please )?use [a-z0-9_#+.-]+(?: [a-z-]+){0,2}(?:,? not [a-z]+)?[.! ]*$|^in (?:this|our) [a-z]+,? (?:we )?(?:always |never )?(?:use|prefer|run|do|don't|avoid|keep|write|put)\b|\b[a-z]+s should (?:be|have|use|not|go|live)\b|\bbelongs? (?:in|to|under)\b|^(?:if|when|whenever) [^,]{3,80}, (?:then )?(?:always |never )?(?:run|rerun|roll|ask|notify|use|stop|check|write|open|create|add|do|don't|revert|escalate|call|page|restart|retry)\b"),
    Cue("rule", 5, "^(?:请|要|务必)?(?:永远|始终|总是|一直)(?:使用|用|要|先|把|保持|不)"),
    Cue("rule", 4, "(?:^|[^我他她你])(?:不能|不可以|不应该?|不许)|统一(?:用|成|为|使用)|^(?:如果|一旦|当|遇到|每当)[^。]{2,40}(?:就|则|要|应|必须|先)"),
    Cue("rule", 3, r"^(?:use|prefer|run|put|name|write|keep|format|squash|sign|tag|prefix|wrap|commit|branch|test|lint|validate|log|document|pin|store|escape)\b.{1,80}\b(?:instead of|rather than|before|after|for (?:all|every|each|any|new)|not|in all|everywhere|only|with)\b|^use \S+ for\b"),
    Cue("rule", 6, "必须|禁止|严禁|不得|不准|不许|一律|务必|规定|规范(?:是|要求|:)|约定|规矩|只能|只允许|不允许|不可以|不能(?:直接|在|把|用|跳|绕|超|提|改|删|推|合|写)|绝不|绝对不|切勿|请勿|任何[^,。]{0,12}(?:都|不|必须|前)|每次[^,。]{1,12}(?:前|后|都|要|先|必)|(?:提交|合并|发布|上线|部署|推送|改动|修改|删除)(?:代码)?(?:之?前|之?后|时)[^,。]{0,10}?(?:要|先|得|必|需|跑|通过|不)|应(?:当|该)(?:先|总|一直|始终)|要求(?:是|所有|每)|强制"),
    Cue("rule", 3, "^(?:不要|别|不能|勿)|(?:不要|别)(?:直接|随便|再|在|把|往|用|提交|推|改)|需要(?:先|两|至少|经过|\\d)|一定(?:要|不)|都(?:要|得|必|需)(?:先|用|写|加|有|经|带|走|跑|过)?|(?:得|要)先[^,。]{1,15}(?:再|才)|统一(?:放|用|命名|格式|走|由)"),
    Cue("rule", 6, r"\b(?:we|(?:this|our|the) (?:[a-z0-9-]+ ){0,2}(?:project|repo|repository|codebase|team|monorepo|package|service|app|company)) (?:only |always |never |don't |do not |doesn't |does not )*(?:uses?|writes?|names?|keeps?|puts?|runs?|indents?|formats?|stores?|logs?|commits?|merges?|deploys?|releases?|prefers?) .{1,80}(?:, ?(?:and |but )?(?:not|never) |\binstead of |\brather than )|\b(?:we|this (?:project|repo|codebase|team)|our (?:project|repo|codebase|team|company)) (?:don't|do not|never|doesn't|does not|forbids?|bans?|prohibits?|only|always) (?:use|write|put|commit|merge|deploy|release|store|log|mock|import|allow|push|rebase|uses|writes|allows|[a-z]+ )"),
    Cue("rule", 5, r"^(?:by default|as a rule|in general),? (?:always |never )?(?:use|write|keep|put|run|name|format|sort|prefer|log|test)\b|^use .{1,60} (?:in|for|on|as) (?:the |all |every |our |new )*(?:docs?|documentation|code|comments?|tests?|names?|messages?|commits?|logs?|apis?|readme|ui|filenames?|branch(?:es)?|queries|migrations?|urls?)\b|^read .{1,60} before (?:you|any)\b"),
    Cue("rule", 6, "用[^,。]{1,20},?(?:而)?(?:不用|不要用|别用|不准用|禁用|不写|不是|而不是|而非)|(?:不要|别|不用|不许|勿)(?:上线|发布|部署|合并|推送|提交|放|写|引|动|碰|删|超过|大于|超|混用|硬编码|跳过)|(?:里|中)?(?:不写|不加|不留|不放|不允许)(?:[^了过])|(?:里|中|全部|统一)(?:都|全部|全|统一)?用[^了过]"),
    Cue("rule", 4, r"^(?:please )?(?:write|keep|make|phrase) (?:all |our |the )*(?:commit messages|commits|changelogs?|release notes|docs|documentation|tickets|pr descriptions|error messages|log messages|docstrings|tests) (?:in|as|with|using|like|without|under|below|short|small|first|before)\b"),
    Cue("rule", 4, r"^(?:answer|reply|respond)(?: to)? .{1,60} (?:within|by)\b|^.{0,20}要在[^,。]{1,10}(?:之?内|之?前)(?:回复|处理|完成|响应|合并|解决|评审)"),
    Cue("rule", 4, "^先[^,。这那一下现个]{2,10}再[^,。这那一下现个]{2,12}$"),
    Cue("rule", 6, "(?:仓库|项目|代码|库|文档)(?:里|中)的[^,。]{1,10}(?:都|一律|统一|全)用[^了过]|^(?:提交信息|分支名?|变量名?|函数名|类名|表名|文件名|接口名?|标签)[^,。请]{0,4}用[^了过]"),
    Cue("rule", 4, "每(?:天|周|月|个月|日|季度|周[一二三四五六日]|个工作日)[^,。]{0,12}(?:前|之前|要|得)?(?:发|交|提交|开|轮换|汇报|同步)|单位用|删[^,。]{0,6}前"),
    # usage: what somebody uses, does or learns these days
    Cue("usage", 6, r"\b(?:i(?:'m| am)?|i've been) (?:currently |now |still |recently |lately |just |actively |busy )*(?:learning|studying|reading|exploring|experimenting with|playing with|trying out|taking (?:a |an )?(?:\w+ )?(?:course|class)|picking up|getting into|diving into|practi[cs]ing|using|working (?:with|through|on)|looking into|brushing up|training for)\b|\b(?:lately|recently|these days|nowadays|at the moment|this month|currently|for the past (?:few|couple|\w+) (?:days|weeks|months)|of late)\b.{0,40}\b(?:learning|studying|reading|exploring|using|use|learn|study|read|trying|into|practi[cs]ing|working|watching|playing|running|listening|switching|started)\b|\blearning \S+ (?:lately|these days|recently|now|at the moment)\b"),
    Cue("usage", 5, r"\bi (?:(?:usually|often|mostly|mainly|daily|typically|regularly|sometimes|frequently|normally|generally|currently|primarily) )+(?:use|work|code|write|run|develop|read|edit|browse|go|start|deploy|commit|listen|watch|do|test|drink|eat)\b|\bi (?:use|run|code (?:in|on)|develop (?:in|on)|edit (?:in|with)) .{1,60}\b(?:every day|daily|at work|at home|mostly|for (?:most|everything|notes|editing|work)|most of the time|as my (?:editor|main|primary|daily|shell|os|browser|terminal))\b|\bi use (?:a |an |the )?[a-z0-9.+#-]+(?:,? [a-z0-9.+#-]+){0,5}[.! ]*$|\bmy (?:editor|shell|os|setup|terminal|browser|laptop|keyboard|ide|machine|stack|daily driver|workflow) (?:is|uses|runs)\b"),
    Cue("preference", 5, r"\bi (?:always|never) [a-z]+"),
    Cue("preference", 6, "我(?:总是|总会|从来都?|每次都|一向|向来|从不)(?:先|都|会|要|只)?[^,。]"),
    Cue("usage", 12, r"\bi (?:always|never) (?:forget|forgot|lose|get|miss|confuse|struggle|run into|have (?:trouble|problems)|end up|seem|mix up|fail)\b|我(?:总是|总会|每次都|老是)(?:会)?(?:忘|丢|搞错|搞混|记不|记错|弄错|迷路)"),
    Cue("usage", 6, "(?:一般|通常|平时)[^,。]{0,5}(?:写代码|写|用|看|跑步|健身)|(?:最近|近期|近来|这阵子|这段时间|这几天|这几周|这个月|目前|现在|当前|眼下|正)(?:一直|都|也|主要|刚|开始|又)?(?:在|正在)?(?:学|用|看|读|研究|练|尝试|试用|折腾|啃|刷|补|追|准备考|听|玩|写|做|搞|健身|跑步|练习|入门|接触|使用|转)|(?:在学|正在学|在自学|开始学|刚开始学|在研究|正在研究|在读|在啃|在补|在准备|正在用|在用)"),
    Cue("usage", 5, "(?:平时|平常|日常|通常|一般|经常|常常|每天|主要|常年|多半|大多|工作中|上班|在家|天天)(?:都|会|也|主要|用|习惯)?(?:是)?(?:用|在用|使用|写|看|跑|喝|听|做|上|开|装|通过|靠)|常用(?:的)?|惯用|我(?:的)?(?:编辑器|电脑|系统|终端|浏览器|键盘|笔记本|ide|shell)(?:是|用)|我用(?:的是)?[a-z]"),
    # project_state: how a project stands
    Cue("project_state", 5, r"\b(?:the|our|this) (?:[a-z0-9-]+ ){0,3}(?:project|migration|release|rollout|refactor(?:ing)?|rewrite|sprint|milestone|beta|launch|upgrade|feature|branch|epic|mvp|prototype|pilot|port|backlog|deployment|build|pipeline|phase|integration|redesign|cutover|api|service|app|module|test suite)s? (?:is|are|has been|have been|was|has|have|stands|still|remains|isn't|now|will be)(?: (?:now|still|currently|about|almost|nearly|only|not|yet|already|being))* (?:in (?:progress|beta|alpha|review|production|staging|qa|testing|planning|development|code freeze|freeze|maintenance)|done|complete[d]?|finished|half|blocked|stuck|delayed|behind|ahead|on track|paused|frozen|live|released|shipped|merged|deployed|broken|failing|green|red|ready|pending|waiting|started|on hold|at \d|\d+ ?%|\d+ percent|under (?:review|way)|underway|ongoing|halfway|nearly|almost|partially|postponed|cancelled|canceled|in its)\b"),
    Cue("project_state", 5, r"\b(?:we(?:'re| are)|project is|team is) (?:currently |now |still |about |almost |nearly |already )*(?:at|in|on|migrating|moving|rewriting|refactoring|porting|blocked|waiting|behind|ahead|halfway|\d+ ?%|preparing|rolling out|stuck|upgrading|building|testing|mid-|between|down to|targeting|aiming)\b|\b(?:sprint|milestone|phase|iteration|release candidate|rc) ?\d+\b|\b\d+ ?(?:%|percent|of \d+)\b.{0,30}\b(?:done|complete|migrated|finished|covered|ported|left|remaining)\b|\b(?:current status|status:|progress:|next up|remaining work|todo left|still (?:missing|open|pending|to do)|left to do|wip)\b|\b(?:next|current) (?:milestone|release|sprint|version) is\b"),
    Cue("project_state", 5, "进度|进展|(?:项目|迁移|重构|开发|联调|测试|上线|灰度|版本|需求|功能|模块|接口|分支|服务|系统|对接|改造|升级|压测|一期|二期|三期|重写)[^,。]{0,10}?(?:已经?(?:完成|上线|合并|发布|提测|结束|暂停|启动|开始|部署)|完成了?|还没|还剩|尚未|进行中|在进行|处于|卡(?:住|在)|阻塞|延期|暂停|搁置|做到|做了|到了|一半|过半|\\d+ ?%|上线了|待|正在|在(?:测试|联调|灰度|评审|开发|内测|公测|迁移|排期)|冻结|收尾)|(?:目前|现在|当前)(?:的)?(?:处于|在(?:第|测试|联调|灰度|评审|开发|内测|公测|迁移)|阶段|状态|版本|里程碑|迭代)|第[一二三四五六七八九十\\d]+(?:期|阶段|个?迭代|个?里程碑|轮)|里程碑|已上线|已完成|还剩\\d|待办|卡在"),
    Cue("project_state", 5, r"\b(?:half|most|all|some|none|\d+|two thirds|a third) (?:of (?:the |our )?)?(?:[a-z-]+ ){1,3}(?:has|have|are|is) (?:now |already |been |not )*(?:migrated|ported|converted|moved|done|finished|rewritten|covered|deployed|tested|left|released)\b|\bv?\d+(?:\.\d+)+ (?:was|is|has been|went) (?:released|out|live|shipped|tagged|deployed)\b|\b(?:rollout|migration|release|coverage|progress) is at \d"),
    Cue("project_state", 5, "(?:我们|咱们|团队|项目)[^,。]{0,10}(?:迁到|迁移到|切到|切换到|升级到|升到)(?:[^了过])"),
    Cue("project_state", 5, "(?:开发|测试|联调|迁移|对接|部署|重构|改造|设计|评审)(?:完|好|通过)了|还(?:差|剩|有)[一二两三四五六七八九十几\\d]+个?|(?:正在|还在|已经?)(?:灰度|联调|提测|评审|排期|内测|公测)|已提测|(?:灰度|放量)(?:到|了)"),
    # conclusion: what was found out
    Cue("conclusion", 6, r"\b(?:turns? out|turned out|(?:the )?root cause|(?:in )?conclusion|we (?:found|concluded|determined|confirmed|verified|established|measured)(?: out)?(?: that)?|i (?:found|concluded|confirmed|verified|figured out|discovered|measured)(?: out)?(?: that)?|it was (?:caused|due|because)|(?:the )?(?:bug|issue|problem|outage|failure|crash|leak|error|slowness|regression|reason) (?:is|was|came from|comes from)(?: (?:caused|due|because|that|a|an|the|in|not))|benchmarks? (?:show|showed|shows)|tests? (?:show|showed|confirmed)|(?:profiling|analysis|investigation|measurements?|the data|results?|logs) (?:show|showed|shows|reveal|revealed|confirm|confirmed)|caused by|proved (?:to be|that)|is (?:due to|caused by))\b"),
    Cue("conclusion", 6, "结论|问题(?:出|就出)在|根因|根本原因|原因(?:是|在于|就是|找到|:|查)|原来是|查(?:明|出|到|清)|定位(?:到|出)|排查(?:发现|下来|结果|到)|发现(?:是|了|:|问题|原来|根|其实)|证实|证明|(?:实测|测试|压测|测下来|对比|分析|统计|调研|数据|结果|实验)(?:结果)?(?:表明|显示|发现|说明|下来|证明|得出)|是(?:由|因)[^,。]{1,20}(?:引起|导致|造成)|(?:导致|引起|造成)(?:的|了)|归根结底|总的来说|综上|得出"),
    # temporary: what holds for a while
    Cue("temporary", 5, r"\b(?:(?:this|next|by|until|before|due|on) (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)|code freeze|today|tonight|tomorrow|this (?:morning|afternoon|evening|week|weekend)|right now|for now|for the moment|for the time being|temporarily|just (?:this|for) (?:once|time|today|now|session|the)|until (?:tomorrow|tonight|then|monday|tuesday|wednesday|thursday|friday|saturday|sunday|next|the end|\d|i'm back|later|noon|end)|this time|(?:in|for|during) (?:this|the current) (?:session|conversation|chat|thread)(?: only)?|for this (?:session|task|pr|change|branch)|in (?:an?|one|two|three|\d+) (?:minutes?|hours?|days?|weeks?)|out of office|on (?:vacation|holiday|leave|call|sick leave)|remind me|due (?:on|by|today|tomorrow|this|next|friday|monday|tuesday|wednesday|thursday)|deadline|at the moment|i'm (?:looking at|debugging|about to|waiting for|in a meeting|in the middle of|running late|heading))\b"),
    Cue("temporary", 5, "今天|今晚|今夜|今早|明天|明早|明晚|后天|大后天|今日|明日|(?:这|本|下)个?(?:周|星期|礼拜)(?:[一二三四五六日天末]|内|之?前|$|[^期末])|(?:这|本)周|(?:^|[^每])周[一二三四五六日](?:之?前|要|得|交|截|开会|前|上午|下午|晚上)|月底|月末|年底|(?:[一二三四五六七八九十两\\d]+)(?:天|小时|分钟|周|个月)(?:之?内|之?后|后)|暂时|临时|先这样|这(?:次|回|一次)|本次|目前先|现在先|截止|到期|为止|之前(?:要|交|完成|提交|给)|马上|待会|一会儿?|等会儿?|提醒我|出差|休假|请假|在开会|值班|正在(?:看|查|改|调|跑|开|等|debug)|我在(?:看|查|改|调|跑|开|等|debug)"),
    # feedback: about what the agent did
    Cue("feedback", 6, r"\b(?:the|this) (?:answer|reply|response|code|explanation|summary|suggestion|solution|output|fix|change|advice|patch|translation|approach|report)s? (?:(?:was|were|is|are|has been|looks?) (?:far |much |way |very |really |so |quite |pretty |just |a bit )*(?:too|not|wrong|great|good|bad|perfect|useless|helpful|confusing|incorrect|excellent|nice|right|fine|better|worse|awful|unclear|incomplete|unreadable|verbose|outdated|exactly)|didn't|did not|doesn't|broke|missed|worked|helped|failed|could|should)\b|\b(?:your|that|last|previous) (?:last |previous |first )?(?:answer|reply|response|code|explanation|summary|suggestion|solution|output|fix|change|advice|patch|translation|approach|report)s? (?:was|were|is|are|didn't|did not|doesn't|did|broke|missed|has|had|have|worked|helped|looks|failed|could|should)\b|\byou (?:forgot|missed|misunderstood|got (?:it|that) wrong|keep|always forget|made (?:a|the same)|broke|ignored|should have|didn't|did not|were (?:wrong|right)|are (?:wrong|right|too)|didn't listen|again|overlooked|hallucinated|changed|deleted|invented|did (?:well|great|a (?:great|good)))\b|\b(?:that's|this is|that is|it's) (?:not what i (?:asked|meant|wanted)|wrong|incorrect|not (?:right|correct)|too (?:long|verbose|short|complicated))\b|\bstop (?:apologi[sz]ing|adding|doing|using|saying|repeating)\b"),
    Cue("feedback", 6, r"\byou(?:'re| are| were) (?:being )?(?:too|so|way too|overly)\b|\bi (?:didn't|don't|really|did)(?: really)? (?:like|love|enjoy) (?:your|that|the last) (?:last |previous )?(?:answer|reply|response|code|explanation|summary|solution|suggestion|tone)s?\b|\b(?:good|nice|great) (?:catch|point|call|find|idea)\b"),
    Cue("feedback", 6, "(?:这个|那个|上个|刚才的|上面的)(?:答案|回答|回复|代码|解释|总结|建议|方案|翻译|改法)[^,。]{0,4}(?:不对|错|不好|有问题|太|不行|很好|不错|没用|跑不)|你(?:写|改|做|给|生成|翻译|说|画|列)的[^,。]{1,12}(?:不|错|有|太|没|很|挺|真)"),
    Cue("feedback", 6, "你(?:刚才|刚刚|上次|上一次|之前|又|总是|老是|昨天|今天|这次)?(?:的)?(?:回答|回复|答案|代码|解释|总结|建议|方案|输出|翻译|修改|改法|做法|报告)(?:太|不|有|很|没|漏|错|是错|写得|挺|改|少|多|完全)|你(?:刚才|刚刚|上次|又|总是|老是|昨天|怎么又)?(?:忘(?:了|记)|漏(?:了|掉)|弄错|搞错|理解错|答错|写错|说错|误解|没(?:有)?(?:按|听|理解|注意|考虑|看|跑|测)|改(?:坏|错)|删(?:了|错|掉)|编的|做得(?:好|很|不|对)|答非所问)|(?:太|有点)(?:长|啰嗦|短|复杂|笼统|敷衍)了|不是我(?:要|想|说)的|答非所问|我(?:要|说|问)的(?:不是|是)"),
    # fact: what was, or is so
    Cue("fact", 3, r"\b(?:i|we)(?:'ve| have)? (?:previously |formerly |already |also )?(?:worked on|did|built|used to|have \d|have \w+ years|spent|studied|graduated|joined|wrote|maintained|led|had|was|were|been|moved|shipped|attended)\b|\bpreviously\b|\bformerly\b|\bused to\b|\byears of experience\b"),
    Cue("fact", 3, r"\b(?:runs? on|listens? on|lives? (?:in|at|under)|located (?:in|at)|stored in|hosted (?:on|in|at|by)|written in|built with|deployed (?:to|on|in|with|via)|uses?|consists? of|contains?|supports?|depends on|returns?|expects?|takes|costs|has|have|port|version|endpoint|url|address|is called|owned by|belongs to|is (?:at|in|on|an?|the)|are (?:in|at|the))\b"),
    Cue("fact", 7, r"^(?:the|our|my|their) (?:client|customer|boss|manager|team lead|colleague|wife|husband)s? (?:[a-z']+ )?(?:likes?|loves?|hates?|prefers?|dislikes?|wants?)\b|^(?:客户|甲方|老板|领导|同事|我老板|我领导|我同事|我老婆|我老公|他们?|她们?)(?:很|最|不|特别|更|都)?(?:喜欢|讨厌|偏好|不喜欢|习惯)"),
    Cue("fact", 4, "(?:我)?(?:之前|以前|从前|过去|曾经?|早年|原先|前年|去年|大学|毕业|上一份)[^,。]{0,8}?(?:做|在|用|写|是|干|学|搞|负责|参与|待|当|毕业|开发|工作)|做过|写过|用过|待过|参与过|干过|毕业于|有[一二三四五六七八九十两\\d]+年|工作了?[一二三四五六七八九十两\\d]+年"),
    Cue("fact", 3, "(?:在|位于|部署在|跑在|监听|存(?:放|储)?在|放在|托管在|端口|地址|版本|域名|路径|数据库|依赖|支持|包含|包括|共有|一共|由[^,。]{1,12}(?:组成|提供|维护|负责)|归[^,。]{1,8}(?:负责|管|所有)|使用|用的是|基于|叫做?|返回|需要[\\d一二三])"),
)  # fmt: skip
"""The cues of all kinds. A statement that none speaks for is a `fact`."""

STABLE = (
    r"\b(?:prefers?|favou?rite|always|never|from now on|going forward|by default|in general|generally|usually|likes?|loves?|hates?|dislikes?|enjoys?|fan of|can't stand|cannot stand|every|all|please|keep|no \w+|answers?|reply|replies|respond|rather|don't|do not|ask me|tell me|use|speak|talk|to me|want you to|expect you to|units)\b",
    "喜欢|讨厌|偏好|偏爱|习惯|倾向|以后|今后|往后|都|一律|总是|一直|默认|永远|最爱|受不了|反感|爱|不吃|不喝|请用|回答|回复|每次|从现在|不要|别|直接|尽量|简短|简洁|直接|中文|英文|英语|请|跟我|对我|和我",
)
"""What says that a preference is stable."""

UNSTABLE = (
    r"\b(?:today|tonight|right now|for now|this time|just once|at the moment|currently|temporarily|this (?:song|movie|one|week)|until|this (?:session|conversation|chat|thread|task|answer|file)|i(?:'d like| would like| want) (?:a|an|some|the|to)|feel like|in the mood|lately|these days|recently)\b",
    "今天|今晚|(?:^|[^从])现在|这次|这回|本次|这个会话|本会话|这轮|暂时|临时|先用|目前|最近|这首|这部|想要|想吃|想喝|想看|一下",
)
"""What says that it is one of the moment."""

PROJECT = (
    r"\b(?:this|our) (?:[a-z0-9-]+ )?(?:project|repo|repository|codebase|service|app|application|team|product|monorepo|package|module|api|branch|release|build|pipeline|database|db|cluster|server|migration|sprint|staging|production|backend|frontend|schema|deployment|website|site|client|customer|ci|company|endpoint|worker|queue|gateway|script)s?\b|\bthe (?:project|repo|repository|codebase|monorepo|team)\b|\b(?:we|our|ours|us|we're|we've|we'll)\b|\bin (?:here|this (?:one|folder|directory))\b|\bhere,",
    "我们|咱们|团队|本?项目|仓库|代码库|这个(?:库|服务|系统|模块|接口|应用|产品|分支)|该(?:服务|系统|模块|接口)|本(?:库|仓库|服务)",
)
"""What says in so many words that something is about the project at hand."""

TECHNICAL = (
    r"\bthe (?:[a-z0-9-]+ )?(?:service|app|application|product|package|module|api|branch|release|build|pipeline|database|db|cluster|server|migration|staging|backend|frontend|schema|deployment|website|site|client|customers?|ci|test suite|tests|changelog|endpoint|worker|queue|gateway|config|script|importer|scheduler|cache)s?\b|\b(?:main|master|develop|staging|production|prod)\b|\b(?:pr|pull request|merge request|commit|ticket|issue|jira|ci|deploy|deploys|release|sprint|milestone|migration|changelog|lint|schema|endpoint|port \d|code freeze)s?\b",
    "线上|生产(?:环境|库)|测试环境|预发|主干|分支|数据库|接口|服务(?:器|端)?|集群|上线|发布|部署|迁移|联调|版本|模块|表结构|流水线|网关|端口|灰度|合并|提交(?:前|代码|信息)|公司|监控|队列",
)
"""What is mostly said of a project, and may be said of anything."""

PERSONAL = (
    r"\b(?:i|i'm|i've|i'd|i'll|im|my|me|mine|myself|user)\b",
    "我(?:[^们]|$)|^(?:之前|以前|从前|过去|曾经?)(?:做|在|学|写|干|搞|负责|参与|当)|本人|用户(?:喜欢|偏好|习惯|讨厌|不喜欢)",
)
"""What says that something is about the person who speaks."""

WHY = (
    r"\b(?:because|since|so that|due to|in order to|as (?:it|we|they|the|this)|the reason|reason(?:s|:)|that's why|otherwise|so (?:we|i|it|that|nobody|users)|to (?:avoid|prevent|keep|make sure|ensure|save|reduce|protect)|principle|constraint)\b",
    "因为|由于|所以|因此|为了|以便|以免|避免|否则|不然|理由|原因|原则|约束|限制",
)
"""S4: a why."""

HOW = (
    r"\b(?:run|by running|via|using|with the command|step \d|first|then|npm|pnpm|yarn|pip|make|git|docker|kubectl|cargo|go (?:run|test|build)|command|script|\./\S+|curl|pytest|set [A-Z_]+|export)\b|[a-z]+ --[a-z]|\d\) ",
    "运行|执行|命令|步骤|首先|然后|先[^,。]{1,12}再|脚本|通过|第[一二三\\d]步|依次",
)
"""S4: a how."""

COST_HIGH = (
    r"\b(?:must(?:n't)?|always|never|until (?:further notice|changed|i say|told otherwise|we change)|mandatory|required|critical|forbidden|prohibited|under no circumstances|without exception|no exceptions?|at all costs|crucial|essential|shall)\b",
    "必须|务必|始终|永远|一律|总是|严禁|禁止|绝不|绝对不|不得|除非另有|另行通知|关键|至关重要|强制",
)
"""S2: the cost of changing it is high."""

HARD = (
    r"\b(?:hard (?:constraint|requirement|limit)|non-negotiable|legally (?:required|binding)|by law|legal requirement|regulat(?:ion|ory|ions)|compliance|compliant|gdpr|hipaa|pci(?:-dss)?|sox|contractual(?:ly)?|irreversible|cannot be (?:undone|changed|reversed)|can't be (?:undone|reversed)|life[- ]threatening|severely allergic|red line|audit(?:ors?)? requires?)\b",
    "硬性(?:约束|要求|规定|限制)|红线|合规|法律(?:要求|规定)|法规|监管|不可逆|无法(?:撤销|恢复|回滚)|不能(?:撤销|恢复)|合同(?:要求|规定|约定)|等保|个保法|严重过敏",
)
"""R2: near a hard constraint."""

DEAR = (
    r"\b(?:took (?:us |me )?(?:over |about |almost |more than )?(?:\w+|\d+) (?:days?|weeks?|months?|years?) (?:to|of)|expensive to (?:rebuild|redo|reproduce|change)|hard to (?:reproduce|rebuild|get again|recover)|can't be (?:rebuilt|recreated)|painstakingly|months of work)\b",
    "花了[^,。]{1,8}(?:天|周|个?月|年)(?:才|时间)|(?:重建|重做|更改|修改)(?:的)?(?:成本|代价)(?:很|非常|太|极)?(?:高|大)|难以(?:复现|重建|恢复)|很难(?:复现|重建|再得到)|来之不易",
)
"""R2: dear to rebuild."""

CHEAP = (
    r"\b(?:can be (?:regenerated|looked up|recreated|rebuilt|refetched|found in)|(?:easy|easily|trivial|cheap) to (?:regenerate|look up|change|get|find|rebuild|obtain)|look(?:ed)? it up|see (?:the )?(?:docs|readme|wiki|documentation)|documented in|available (?:at|in|from) the|googleable|git (?:log|blame) (?:has|shows))\b",
    "随时(?:可以?|能)(?:查|改|重新|再)|可以?(?:重新生成|查到|再生成|随时查)|能(?:查到|重新生成)|(?:文档|readme|wiki)(?:里|中)?(?:有|写了|可查)|容易(?:改|重建|再得)|详见文档|参见文档",
)
"""R2: obtainable again; S2: the cost is low."""

PINNED = (
    r"\b(?:remember|keep|save|store|note|memori[sz]e)(?: \w+){0,3} (?:for good|forever|permanently|for ever|always and forever|for all time)\b|\b(?:permanently|forever) (?:remember|keep|store|save)\b|\bpin (?:this|that|it)(?: (?:down|memory|fact|one|note|to memory|in memory|for good|please))?(?:[.,:;! ]*$|[:,;] )|^pin:|\bnever (?:ever )?forget(?: that| this| it|:)|\b(?:add|save|commit) (?:this |that |it )?to (?:your )?(?:long[- ]term|permanent) memory\b",
    "永久(?:记住|保存|记录|记忆|保留)|永远(?:记住|记得|不要忘|别忘|保留)|一直记(?:住|着)|长期(?:记住|保存|保留)|(?:置顶|钉住|固定)(?:这|它|该|一下|记忆|$)|(?:把)?这(?:条|个|件事)?(?:置顶|钉住|固定下来|写进长期记忆)|(?:写|存|加)(?:入|进|到)长期记忆",
)
"""R4: it is to stay."""
