"""A wish about how the agent itself answers: the preference of whoever speaks, in whatever form, and never a rule for everybody."""

from __future__ import annotations

import re
from functools import lru_cache

from casebook.gate.cue_set import CueSet

_ANSWER = "(?:answers?|repl(?:y|ies)|responses?|explanations?)"
_LANGUAGES = "english|german|french|spanish|italian|dutch|japanese|chinese|mandarin|korean|russian|portuguese|polish|turkish|arabic|hindi|swedish"
_STYLE = (
    rf"(?:{_LANGUAGES}|short(?:er)?|brief|concise|long(?:er)?|lines?|sentences?|words|paragraphs?|characters|bullets?|tables?|lists?|emojis?|emoticons?|smileys|"
    r"jargon|slang|formal|informal|polite|casual|friendly|tone|plain|simple|markdown|headings?|headers?|summary|summari[sz]e[sd]?|conclusion|sources?|citations?|cite[sd]?|"
    r"examples?|code blocks?|snippets?|exclamation|metaphors?|analog(?:y|ies)|apolog(?:y|ies|i[sz]e|i[sz]ing)|filler|preambles?|disclaimers?|direct|step by step|"
    r"detailed?|precise|capitals?|caps|exceed|humou?r|jokes?|swear|caveats?|hedg(?:e|ing)|units|flattery|small talk|buzzwords|questions?|sure|certainly)"
)
_FLOURISH = (
    r"(?:emojis?|emoticons?|smileys|jargon|slang|buzzwords|exclamation (?:marks?|points?)|small talk|fillers?(?: words)?|flattery|preambles?|disclaimers?|"
    r"sarcasm|humou?r|caps lock|all caps|bullet points|pleasantries|fluff|apologies|plain (?:english|language|words)|simple (?:english|language|words)|short sentences)"
)
_MANNER = (
    "(?:concise|brief|short|direct|terse|formal|informal|polite|friendly|casual|blunt|honest|precise|succinct|verbose|chatty|wordy|apologetic|patroni[sz]ing|sarcastic|"
    "funny|humorous|critical|specific|clear|professional|frank|serious|playful|encouraging|neutral|to the point)"
)
_LEAD = (
    r"^(?:(?:please|pls|kindly|always|never|only|just|don't|dont|do not|do|also|and|but|so|ok|okay|hey|hi|from now on|from here on|going forward|in (?:the )?future|"
    r"henceforth|by default|in general|generally|as a rule|when in doubt|at all times|no matter what|try to|try not to|make sure (?:to|you|that you)|be sure to|remember to|ensure (?:that )?you|stop|avoid|refrain from|no need to|not|"
    r"(?:you|(?:the )?(?:agent|assistant|ai|claude|model|llm|chatgpt|copilot)) (?:must|should|shall|need to|needs to|have to|has to|may|can|are to|is to|ought to|will)|mustn't|you mustn't|you shouldn't|you can't|"
    r"i(?:'d| would)? (?:want|need|expect|like|prefer|wish|love|appreciate)(?: it if)? you(?: to)?|"
    r"(?:in|for|within) (?:this|our) (?:project|repo|repository|codebase|workspace|folder)|"
    r"(?:when(?:ever)?|if|every time|each time|before|after|while|unless|in|for|on) [^,.;:]{1,60},)[, ]+(?:to )?)*"
)
"""What may stand before a wish that is put as an imperative."""
_ASKED_LEAD = (
    r"^(?:please )?(?:(?:can|could|would|will) (?:you|we) )?(?:please )?(?:always |never |only |just )*(?:try to )?"
)
_FOR_GOOD = r"(?:always|never|from now on|from here on|going forward|in (?:the )?future|henceforth|every time|each time|whenever|by default|at all times|don't ever)"
_SAYS = "(?:answer|reply|respond|speak|talk)(?:ing)?"

_ENGLISH = (
    rf"{_LEAD}{_SAYS}(?: (?:back )?(?:to )?me| to (?:my|questions)[a-z ]{{0,20}}| (?:my |all |any |every )*questions?| everything)?,? (?:only |always |just )*(?:in|with|using|only|like|as|without|at most|no more|within|first|less|more|[a-z]+ly|to me)\b",
    rf"{_LEAD}{_FOR_GOOD},? (?:please )?(?:answer|reply|respond)(?:ing)?\b",
    rf"{_LEAD}write (?:to me|(?:all |your )+{_ANSWER})\b|{_LEAD}(?:speak|talk|write) to me\b",
    rf"{_LEAD}[a-z']+ .{{0,80}}\byour (?:[a-z]+ ){{0,2}}(?:{_ANSWER}|sentences|messages to me)\b",
    rf"{_LEAD}(?:(?:all|any|every|each|both|your|my|future|final|no|the|long|short) )*(?:answers?|repl(?:y|ies))(?: to me| from you| you give(?: me)?| here| to (?:my )?questions)? (?:must|should|shall|have to|has to|need to|needs to|may|can|cannot|can't|ought to|in|under|within|at most|no longer|only|below|up to|always|never|without|with|longer|shorter)\b.{{0,60}}\b{_STYLE}\b",
    rf"\byour (?:[a-z]+ ){{0,2}}(?:{_ANSWER}|tone|language|messages|summar(?:y|ies)|wording) (?:to me )?(?:must|should|shall|have to|has to|need to|needs to|may|cannot|can't|mustn't|shouldn't|ought to)\b",
    rf"\byour (?:[a-z]+ ){{0,1}}{_ANSWER} (?:short|brief|concise|simple|in (?:{_LANGUAGES})|under|below|to (?:at most|a minimum)|within|free of)\b",
    rf"{_ASKED_LEAD}(?:keep|make|give|write|format|limit) (?:me )?(?:all |the )*(?:your )?(?:short |brief |concise |shorter |simple )*{_ANSWER} (?:as )?(?:short|shorter|brief|briefer|concise|simple|simpler|in|under|below|within|to|at|free|polite|formal)\b",
    rf"{_LEAD}give (?:me )?(?:only )?(?:short|brief|concise|shorter|simple|detailed|long|longer|direct) {_ANSWER}\b|^(?:please )?(?:only )?(?:short|brief|concise|shorter|simple|detailed|direct) {_ANSWER}(?: only)?(?:,? please)?[.! ]*$",
    rf"{_LEAD}(?:no |[a-z']+ ).{{0,80}}\b(?:per|in|to|into) (?:each |every |an |any |the |all )*(?:answers?|repl(?:y|ies))\b",
    rf"{_LEAD}(?:be|stay|remain|sound|act)(?:ing)? (?:more |very |as |always |less |too |so |overly )*{_MANNER}(?: (?:with me|to me|when|in|and|,|as possible|instead|rather).{{0,60}})?[.! ]*$",
    rf"{_LEAD}(?:us(?:e|ing)|includ(?:e|ing)|add(?:ing)?|put(?:ting)?|send(?:ing)?|insert(?:ing)?) (?:any |no |lots of |so many |too many |more |fewer |only |a lot of )*{_FLOURISH}(?:\b.{{0,40}}\b(?:with me|to me|please|when .{{0,40}}))?[.! ]*$|^(?:please,? )?(?:and |but )?no (?:more )?{_FLOURISH}(?:,? please)?[.! ]*$",
    rf"{_LEAD}(?:us(?:e|ing)|includ(?:e|ing)|add(?:ing)?|put(?:ting)?) .{{1,40}} (?:with|when (?:talking|speaking|writing) to) me\b",
    rf"{_LEAD}(?:skip|cut|drop|omit|leave out|spare me)(?:ping|ting)? (?:the |any |all |your )*(?:{_FLOURISH}|introductions?|boilerplate)\b",
    rf"{_ASKED_LEAD}(?:stop|quit|avoid|start) [a-z]+ing .{{0,40}}\b(?:every|each|your|all your) (?:message|{_ANSWER})s?\b",
    rf"{_LEAD}(?:keep|make|use) (?:your |the |a )+(?:tone|language|wording|style)\b|{_LEAD}(?:summari[sz]e|recap|repeat yourself|wrap up)(?: everything| it all| things)? (?:at|in) the end\b",
    rf"{_LEAD}keep (?:it|them|things|everything) .{{0,30}}\b(?:words|sentences|lines|short|brief|concise|to the point)\b|\b(?:no need to|don't need to|needn't|don't|never|stop) thank(?:ing)? me\b",
    r"^(?:please )?(?:if|when|whenever) (?:you(?:'re| are)? )?(?:ever )?(?:unsure|not sure|uncertain|in doubt|don't know|do not know|stuck)[^,]{0,30}, (?:please )?(?:just )?(?:say|ask me|tell me|admit|stop|don't|do not|never)\b",
    rf"{_LEAD}(?:explain|summari[sz]e|describe) your (?:changes|work|reasoning|steps)\b.{{0,30}}\b(?:when|after|once|before|every time) you\b|^(?:please )?stop (?:writing|giving|sending|producing) .{{0,24}}\b{_ANSWER}\b",
    r"^(?:please )?(?:always )?ask me (?:first )?(?:before|whenever|when|if)\b|^(?:please )?(?:don't|do not|never|stop) (?:ask|asking) me\b|^(?:please )?(?:show|give|send|tell) me [^,]{2,40},? (?:and )?not\b",
    rf"{_LEAD}treat me (?:like|as)\b|{_LEAD}(?:skip|cut|drop|omit) (?:the )?(?:politeness|formalities|pleasantries|courtesies)\b|^(?:please )?(?:don't|do not|never|stop)(?: ever)? (?:call|calling|address|addressing) me\b",
    rf"{_ANSWER} (?:[a-z-]+ ){{0,8}}(?:annoy|bother|irritate|bug|tire|bore)s? me\b|\bi(?:'d| would)? (?:like|want|prefer|need) (?:[a-z]+ )?(?:shorter|longer|briefer|simpler|fewer|less|more)(?: [a-z]+){{0,2}} {_ANSWER}\b|\bi(?:'d| would) (?:rather|prefer|like) (?:if )?you (?:answered|replied|responded|spoke|wrote|explained)\b",
    rf"{_LEAD}(?:get|come) (?:straight |right )?to the point\b",
    rf"{_LEAD}(?:switch|change)(?: back| over)* to (?:{_LANGUAGES})(?: (?:in|for) (?:your |all )*{_ANSWER}| {_ANSWER}| from now on| please)*[.! ]*$",
    r"^(?:please )?(?:never|don't|do not|you (?:must|should) (?:never|not)) (?:ever )?(?:apologi[sz]e|flatter me|lecture me|praise me|patroni[sz]e me|swear|(?:repeat|restate) (?:my|the) questions?|explain)\b",
    rf"{_LEAD}(?:address|greet|interrupt|lecture|patroni[sz]e|flatter|contradict|challenge) me\b",
    rf"^(?:please )?(?:[^ ]+ ){{0,3}}?{_FOR_GOOD},? (?:please )?(?:ask|tell|show|give|warn|notify|inform|consult|check with|wait for|explain(?: it)? to|offer|teach) (?:me|my (?:approval|ok|permission|confirmation|consent|go-ahead))\b",
    rf"^(?:please )?{_FOR_GOOD},? (?:please )?(?:explain|justify|show) your (?:reasoning|work|thinking|changes|steps|choices)\b",
    r"\bwhen(?:ever)? (?:you(?:'re| are)? )?(?:answer|reply|respond|explain|talk)(?:ing)?(?: to me| me| something| anything| things| my [a-z]+| (?:a )?questions?| code| concepts| stuff| [a-z]+| (?:about|to) [a-z ]{1,20})?(?:,|[.! ]*$)",
    r"\bi(?:'d| would)? (?:want|need|expect|like|prefer|wish|love) (?:to (?:get|have|see|receive) )?(?:all |the |my |only )*(?:your )?(?:short |brief |concise |longer )*(?:answers|replies|responses|explanations) (?:to |in |short|brief|with|without|under|that|from you)",
)
_CHINESE_LEAD = (
    "^(?:(?:请你?|(?:改|换)(?:成|为)?|麻烦你?|拜托|以后|今后|往后|从现在(?:起|开始)|从今以后|从今天起|每一?次|平时|一般|所有的?|任何|全部|你的?|您的?|给我的?|对我的?|我要求你?|我(?:更|比较|还是)?希望你?|我想让你|希望你?|要求你?|永远|始终|总是|一直|一律|统一|默认|务必|必须|"
    "发出?|给出|(?:你|助手|智能体|模型|ai)(?:应该|应当|必须|要|得|只能|不能)|都|只能|只|不要|不用|别|禁止|严禁|不准|不许|不得|不能|切勿|请勿|少|多|记得|尽量|最好|在|当|你?(?:必须|应该|应当|要|得|需要)|咱们?|无论[^,。]{1,14},?|不管[^,。]{1,14},?|(?:在)?(?:这个|本)(?:项目|仓库)(?:里|中)?)[, ]?)*"
)
_CHINESE_SAYS = "(?:回答|回复|答复|回话|答话|回应|解答|作答|讲解|解释|说话|讲话)"
_CHINESE_TO_ME = "(?:(?:跟|和|对|与|同)我(?:说话|讲话|聊天?|交流|沟通|对话|讲|说|解释|打招呼))"
_CHINESE_WANTS = (
    "(?:请|要|都|应|必须|务必|尽量|尽可能|一律|最好|只|不|别|禁止|严禁|少|多|先|用|使用|采用|控制|限制?在|保持|简短|简洁|直接|得|需|以|按|越|精简|详细|分点|带|附|加|正式|口语|"
    "超过|简单|礼貌|客气|干脆|讲|说|永远|始终|总是|一定)"
)
_CHINESE_FLOURISH = "(?:表情(?:符号|包)?|emoji|颜文字|网络用语|网络流行语|客套话?|套话|废话|敬语|感叹号|黑话|行话|术语|专业术语|波浪号|粗体)"
_CHINESE = (
    f"{_CHINESE_LEAD}{_CHINESE_SAYS}(?:我的?|问题|的?时候?|的?内容|的?方式|的?语气|的?语言|的?风格|的?长度|的?字数|的?格式|之?前|,)*{_CHINESE_WANTS}",
    f"{_CHINESE_LEAD}(?:我的?)?(?:答案|回答|回复|答复|解释)(?:里面?|中|内|的?末尾|的?结尾|的?开头|的?最后|的?时候?|,)*[^,。]{{0,6}}{_CHINESE_WANTS}",
    f"{_CHINESE_LEAD}(?:用|以|使用|按)[^,。]{{1,14}}(?:来)?(?:{_CHINESE_SAYS}|{_CHINESE_TO_ME})",
    f"{_CHINESE_LEAD}(?:在)?(?:你的?)?(?:答案|回答|回复|答复|解释)(?:里面?|中|内|时)",
    f"{_CHINESE_LEAD}{_CHINESE_TO_ME}",
    f"(?:不要|别|不用|禁止|严禁|不准|不许|不得|切勿|请勿|少)(?:再|总是?|老是?|一直)?(?:给我)?(?:用|使用|加|发|带|说|写|放|插入|出现)?(?:任何)?(?:那么多|太多)?{_CHINESE_FLOURISH}[。.! ]*$",
    "(?:别|不要|不用|少)(?:再|总是?|老是?|一直)?(?:跟我)?(?:道歉|绕弯子|啰嗦|客套|说教|夸我|拍马屁|兜圈子|重复我的问题)|^(?:请)?(?:直接|先)(?:说|讲|给)(?:重点|结论|答案)|^(?:请)?(?:说|讲)重点",
    "(?:^|[,。])(?:请|以后|今后|别|不要)*(?:称呼我|管我叫)|^(?:请|以后|今后)*(?:别|不要)(?:再|总|老是)?叫我|^(?:请)?(?:跟|和|对)我(?:说话)?(?:不用|不必|别|不要)(?:太|这么|那么)?客气|^(?:请)?把我当",
    "^(?:请|以后|今后)*给我写(?:东西|消息|总结)(?:时|的时候)?(?:都|请|要)?用|(?:不用|不必|别|不要)[^,。]{0,6}(?:谢谢?我|感谢我|夸我|教育我|说教)|^(?:请|以后)*(?:别|不要)(?:一次|一下子|每次|再|总是?)*给我",
    "^(?:请|以后)*先(?:回答|给答案|说结论)[^,。]{0,4}再|^(?:请|以后)*聊天(?:时|的时候)|^(?:讲|说|解释|介绍)[^,。]{1,8}(?:时|的时候),?(?:都|一定|请|要|务必|先|别|不要)+|^(?:如果)?你?(?:不确定|不知道|没把握|不清楚|拿不准)(?:的时候|的话|时)?,?(?:就|请|要)*(?:直说|直接说|说不知道|问我|先问|承认)",
    "^(?:请|以后|一律|只|都|统一|全部|全程)*(?:用|说|讲)(?:简体|繁体)?(?:中文|英文|英语|德语|德文|法语|法文|西班牙语|日语|日文|韩语|韩文|俄语|俄文|葡萄牙语|意大利语|普通话|粤语)(?:吧|就好|就行|交流|即可)?[。.! ]*$",
    "^我用[^,。]{1,8}你就?用[^,。]{1,8}(?:回|答|说|写)|(?:别|不要|请|都)用[^,。]{1,12}(?:回|答)我|(?:之?前|以前)(?:不要|别|不许|不能|先不)(?:回答|回复|答)|用(?:大白话|白话|通俗[^,。]{0,6}|简单[^,。]{0,6})(?:来)?(?:解释|讲|说)",
    "(?:别|不要)再?(?:写|给|发)[^,。]{0,8}(?:回答|回复)|^(?:请|以后)*(?:别|不要|不用|不必)(?:老|总|再|每次|一直)*是?问我|^(?:请|以后)*给我[看发列]?[^,。]{1,12},(?:不要|别|而不是)|(?:之?前|时)(?:都|要|请|必须)*先?(?:问|告诉|通知|征求|征得)我|^我更?希望你对我",
    "(?:完|之后|后)[^,。]{0,4}(?:简短|简单|简要|详细)(?:地)?(?:说明|总结|解释|汇报)",
    "^(?:请|以后|今后)*(?:给|跟|对)我(?:讲|解释|说)[^,。]{0,8}(?:时|的时候)|^(?:你的?|请|以后)*(?:语气|口吻|措辞|用词|语言风格)(?:要|请|保持|尽量|别|不要|用|再)",
    "^(?:请|以后|今后|在)*(?:结尾|末尾|最后|开头)(?:处)?(?:不要|别|不用|请|要|都|必须)+(?:再)?(?:总结|寒暄|客套|加|附|放|问)|^(?:请|以后|今后)*(?:别|不要)(?:在)?(?:每条|每次|所有)?(?:消息|回答|回复)[^,。]{0,10}(?:问|加|放|写|带|用)",
    "(?:回答|回复|答案)[^,。]{0,6}(?:烦|讨厌|受不了|头疼)|^我(?:更|就)?(?:想要|想|要|希望(?:得到|要)?|喜欢)[^,。]{1,8}的?(?:回答|回复|答案)[。.! ]*$",
    "^给我的?(?:答案|回答|回复|解释|总结|说明)[^,。]{0,8}(?:要|必须|请|都|不要|别|用|附|带|尽量|控制)",
)
_TOLD_OF = CueSet(
    (
        rf"\b(?:the )?user (?:wants?|prefers?|expects?|asked for|asks for|likes?|would like|wishes|requested|requests) .{{0,40}}\b(?:{_ANSWER}|(?:to be (?:addressed|called|answered)))",
        "用户(?:希望|要求|想要|偏好|喜欢|想)[^,。]{0,10}(?:回答|回复|答复|解释|说话|称呼)",
    )
)
_WISHES = CueSet((*_ENGLISH, *_CHINESE))
_TO_ME = CueSet(
    (
        r"\b(?:to|with|tell|ask|show|address|give|answer|call|calling|treat) (?:me|my)\b|\byour\b",
        "(?:跟|和|对|与|给|回答|回复|答复)我",
    )
)
_OTHERS = CueSet(
    (
        r"\b(?:customers?|clients?|tickets?|e-?mails?|mails?|complaints?|inquir(?:y|ies)|enquir(?:y|ies)|candidates?|vendors?|suppliers?|partners?|users|patients?|students?)\b",
        r"\b(?:reviewers?|review comments?|code reviews?|(?:pr|pull request|issue|merge request)s?|incidents?|alerts?|contributors?|reporters?|applicants?|support|colleagues?|teammates?)\b",
        r"\b(?:pages|calls?|callers?|phone|press|journalists?|regulators?|auditors?|recruiters?|stakeholders?|invitations?|surveys?|tweets?|reviews|posts?|forum|legal)\b",
        r"\b(?:within|in under|in less than) (?:an? |one |two |three |\d+ |[a-z]+ )?(?:business |working )?(?:minutes?|hours?|days?|weeks?|ms|milliseconds?|seconds?)\b|\b\d+ ?(?:ms|s|h|hours?|minutes?|days?)\b|\b(?:same|next)[- ](?:business )?day\b|\bsla\b",
        r"\b(?:(?:with|code|return|status) (?:an? |the )?[1-5]\d\d|http|status codes?|endpoints?|webhooks?|grpc|api|server|health ?checks?|probes?|payloads?|headers?|requests?)\b",
        "解释(?:器|性|型|权)|说话人|(?:回复|答案|回答)(?:按钮|框|率|数|键|库|报文|表)|对我说的|写的(?:文档|代码|注释)",
        "客户|顾客|甲方|邮件|工单|评论|帖子|留言|领导|老板|上级|同事|咨询|投诉|候选人|供应商|来信|电话|媒体|记者|患者|来电|合作方|告警|私信|评审|客服|值班|用户|群里|家长|学生",
        "(?:\\d+|[一二两三四五六七八九十半]+)个?(?:小时|分钟|工作日|天|秒|毫秒)(?:之|以)?内|当天|及时|第一时间|隔天|次日|接口|服务端|服务器|请求|状态码|报文",
    )
)
"""Who else is answered, and what answers by itself: a rule of a team, of an interface."""
_ARTEFACTS = CueSet(
    (
        r"\b(?:commits?|commit messages?|code comments?|comments?|docs?|documentation|docstrings?|readme|changelog|variables?|ui|logs?|tests?|branch(?:es)?|release notes|titles?|blog|website|marketing|newsletter|templates?|copy|tooltips?|button|labels?|buttons)\b",
        "提交信息|commit|代码注释|代码里|文档|变量|界面|日志|标题|发布说明|官网|公众号|按钮|文案|readme",
    )
)
"""What is written for others than the person who speaks."""
_OF_THE_MOMENT = CueSet(
    (
        r"\b(?:answer|reply|respond|explain)(?:ing)? (?:to )?(?:this|that|it\b|the (?:first|last|second|next|following|above|question|previous))|\b(?:this time|right now|for now|not (?:now|yet|today)|just this once|this (?:question|session|conversation|chat|thread|one))\b",
        "(?:回答|回复|答复|解释)(?:一下|下)?(?:这|那|刚才|上面|上一|第[一二三])|这(?:次|回|个问题|道题|一条|条消息)|先回答我",
    )
)
_OF_ANOTHER = re.compile(
    r"^(?:i|we|he|she|they|it|the|this|that|these|those|there|my|our|his|her|their|your|you)\b(?!'d|'m asking| (?:must|should|shall|need|have to|may|can|are to|want|expect|'d|would|will|prefer|like|wish|love|mustn't|shouldn't|can't|don't|do not|needn't|agent|assistant|model|ai|llm))|^(?:我们?|他们?|她们?|它)(?!要求|更?希望|比较希望|还是希望|想|要|用[^,。]{1,10}你)"
)
_REPLIES_FIRST = re.compile(rf"^(?:(?:the|my|your|these) )(?:[a-z]+ ){{0,2}}{_ANSWER}\b")


_SO = re.compile(r", ?(?:so|therefore|that's why|所以|因此),? ?")
"""What stands before a wish as its reason: "I speak German, so answer in German"."""


@lru_cache(maxsize=512)
def is_wish_about_answers(view: str) -> bool:
    """Say whether a folded text wishes how the agent answers, replies, writes or speaks to the person, now and always.

    "Always answer in German", "your replies must be short", 回复请用简体中文 are such wishes, however much they look like a rule. An
    answer to somebody else (customers, tickets, within a day), what an interface answers, and what is written for others (commit
    messages, docs) are none, and neither is what is asked for once ("answer this in one line").
    """
    if _TOLD_OF.holds(view):
        return True
    view = _SO.split(view)[-1]
    if not _WISHES.holds(view) or _OF_THE_MOMENT.holds(view):
        return False
    if _OF_ANOTHER.match(view) and not _REPLIES_FIRST.match(view):
        return False
    if _ARTEFACTS.holds(view):
        return bool(_ANSWERS_TOO.holds(view))
    return _TO_ME.holds(view) or not _OTHERS.holds(view)


_ANSWERS_TOO = CueSet(
    (
        rf"\byour (?:[a-z]+ ){{0,2}}{_ANSWER}\b|\b(?:{_SAYS}) (?:only )?in (?:{_LANGUAGES})\b",
        "(?:回答|回复|答复)(?:我|里|中|请|都|用)",
    )
)
"""What says that the agent's answers are meant, where something that is written for others is named beside them."""


_SOMEBODY = "(?:customer|client|ticket|e-?mail|complaint|candidate|vendor|supplier|partner|reviewer|user|patient|applicant|stakeholder|contributor|caller)"
_TOWARDS = CueSet(
    (
        rf"{_LEAD}(?:answer|reply|respond|speak|talk|write|address|greet) (?:to |with )?(?:(?:the |all |our |any |new |external )*(?:[a-z]+ )?{_SOMEBODY}s\b|(?:every|each|any) (?:[a-z]+ )?{_SOMEBODY}\b)",
        rf"^(?:we|our [a-z]+|the team|everyone|everybody|support|all|every) (?:[a-z]+ ){{0,3}}(?:answers?|repl(?:y|ies)|responds?) (?:to )?(?:the |all |our |every )*(?:[a-z]+ )?{_SOMEBODY}s?\b",
        rf"{_LEAD}be {_MANNER} (?:to|with|towards) (?:the |all |our |every )*{_SOMEBODY}s?\b|^when(?:ever)? (?:we |you )?(?:answer|reply|respond)(?:ing)? (?:to )?(?:the |our )*(?:[a-z]+ )?{_SOMEBODY}s\b",
        f"{_CHINESE_LEAD}(?:我们|团队|大家|所有人)?(?:用[^,。]{{1,6}})?(?:回答|回复|答复|回应|称呼|对待?)(?:所有|每个|任何|给)*(?:客户|顾客|用户|工单|邮件|评审|评论|投诉|咨询|供应商|候选人)(?:的[^,。]{{1,4}})?(?:意见)?(?:时|的时候)?,?(?:要|必须|都|一律|用|不要|别|得|应|礼貌|客气)",
        "^(?:我们|团队|大家|所有人)(?:用[^,。]{1,6})(?:回答|回复|答复)(?:客户|顾客|用户|工单|邮件|评审|评论|投诉)[。.! ]*$",
    )
)
_STYLED = CueSet(
    (
        rf"{_LEAD}(?:no |(?:us(?:e|ing)|includ(?:e|ing)|add(?:ing)?|put(?:ting)?) (?:any |no )*){_FLOURISH} (?:in|on|for|within|inside) ",
    )
)


@lru_cache(maxsize=512)
def is_rule_towards_others(view: str) -> bool:
    """Say whether a folded text tells how others than the person are answered, or how what is written for them is styled.

    "Reply to customers in their own language", "no jargon in the docs" are put like wishes, and are rules of the project.
    """
    if is_wish_about_answers(view) or _OF_THE_MOMENT.holds(view) or _TO_ME.holds(view):
        return False
    return _TOWARDS.holds(view) or (_ARTEFACTS.holds(view) and (_WISHES.holds(view) or _STYLED.holds(view)))
