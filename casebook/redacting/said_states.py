"""What is said of a password after "is" or a colon that is no password: that it is wrong, where it is kept, what type it has."""

from __future__ import annotations

import re

from casebook.redacting.values import is_ordinary, is_placeholder
from casebook.redacting.word_list import words

LEADING = words("now still currently again just simply only definitely really literally actually jetzt nun wieder noch")
"""What may stand before the password without saying anything of it."""
CUTS = words(
    "for on and but so because which who since until if when while unless please at in from with as or today yesterday tomorrow "
    "instead und aber für auf bei im in am weil denn bitte oder seit"
)
"""Where what may be a password ends: what follows says for what, since when, or something else."""
_SPEAKING = words(
    "a an the this that these those my our your his her its their mine yours ours theirs it i we you he she they no not never none nothing "
    "neither nor to too very so quite rather almost nearly already also always often usually sometimes of by per via into out off up down "
    "under over within without against before after during between about like more most less least than as such same both either all any "
    "some each every other another one what where why how whose there here being been be is are was were has have had do does did can could may "
    "might must shall should will would cannot needs need ein eine einen der die das dem den dein mein unser ihr sein kein keine nicht "
    "nie zu sehr schon auch immer von mit ohne wie was wo wer"
)
"""Words with which a statement goes on, and no password begins."""
_DONE = words(
    "lost stolen sent kept set reset found given told known unknown written shown broken hidden taken made put chosen gone left held hit "
    "read run seen cut built bound gotten got forgotten leaked rotated shared stored hashed salted encrypted exposed compromised due "
    "pending overdue up-to-date back down away falsch abgelaufen leer weg richtig korrekt unbekannt schwach sicher gültig ungültig "
    "erforderlich notwendig nötig vergessen verloren geheim kurz lang alt neu"
)
"""What became of it, or is to: whatever follows, the sentence speaks of the password."""
_STATES = words(
    "wrong right correct incorrect valid invalid required optional mandatory necessary unnecessary missing empty blank present absent "
    "expired weak strong secure insecure safe unsafe short long old new fresh stale current recent previous outdated obsolete temporary permanent "
    "default initial simple complex easy hard difficult tricky guessable public private secret confidential sensitive personal unique common "
    "different identical equal similar ok okay fine good bad better worse best worst great terrible ready active inactive available unavailable "
    "visible invisible case-sensitive plain plaintext clear readable unreadable random static dynamic numeric alphanumeric important relevant irrelevant "
    "useless useful enough sufficient insufficient redundant superfluous true false null nil none undefined unset dead alive free open "
    "closed full intact corrupt unclear obvious evil annoying boring passwordless tied subject part local global remote internal external"
)
"""How it is: a statement where it ends there or goes on as statements do; "correct horse" is none."""
_ABOUT = words(
    "field fields value values string strings str text type types int integer number bool boolean bytes object array list dict map null none char chars "
    "character characters letter letters digit digits symbol symbols word words bit bits byte length minimum maximum min max format pattern regex "
    "input output prompt form page dialog screen box button link label column row table record entry key keys name username user users email e-mail account "
    "accounts login logon signin admin administrator owner customer client server host database db service system app application api url uri path file "
    "files folder directory config configuration setting settings option options parameter argument variable env environment vault keychain keyring "
    "manager store storage database disk memory cookie session token tokens secret secrets password passwords passwd passphrase credential credentials hash hashes "
    "hashing salt bcrypt argon2 scrypt pbkdf2 sha1 sha256 md5 aes rsa encryption authentication authorization auth access security policy policies rule rules "
    "requirement requirements strength check checks validation verification confirmation reset change update rotation expiry expiration recovery error errors "
    "failure failures message messages warning problem issue bug attempt attempts retry limit see click use enter type choose select pick contact ask call "
    "visit read write run go try check get set leave keep change update create generate provide confirm repeat sensitive text-based section chapter "
    "await async description documentation docs doc example examples sample default tbd todo day days week weeks month months year years hour hours minute minutes time times "
    "daily weekly monthly yearly again anymore anyway somewhere everywhere nowhere elsewhere yet soon later ago enough once twice together apart alone instead "
    "offline online separately securely safely correctly incorrectly case"
)
"""What a password is talked of with: fields, types, rules, what to do."""
_ENDINGS = ("ed", "ing", "able", "ible", "less", "ful", "ous", "n't", "ive", "ally", "ently", "antly")
_NOUNS = words(
    "lightning morning evening king ring spring wing darling pudding wedding building sterling viking ceiling herring duckling sibling earring "
    "red bed seed speed shed weed table cable fable vegetable olive five dive hive native bible crucible"
)
"""Things whose names end as states do."""
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_MOST = 12
"""Words of a passphrase, at the most."""

_CHINESE_STATES = re.compile(
    "^(?:不|没|未|别|勿|无|非|太|很|更|最|弱|强|错|对|空|旧|新|位|需|请|见|存|放|写|记|在|由|被|从|用|给|与|和|跟|找|问|填|丢|忘|只|每|某|一|两|已|正|可|应|该|谁|哪|怎|加|明文|密文|略)"
    "|错|误|不正确|正确|不对|对了|不符|匹配|一致|必填|选填|可选|必需|必须|过期|失效|有效|无效|到期|太[短长弱简]|过[短长弱]|过于|强度|复杂|简单|不能|不可|不得|不要|不会|不是|没有|未设|未填"
    "|至少|最多|最少|长度|字符|字母|数字|大写|小写|[一二三四五六七八九十\\d]+位|为空|加密|解密|哈希|散列|加盐|保存|存储|存放|存在|放在|写在|记在|泄露|泄漏|找回|重置|修改|更换|更新|变更|轮换|输入|填写|设置|设定|生成|随机|默认|字段|类型|参数|变量"
    "|文本|配置|文件|数据|信息|凭[证据]|认证|验证|校验|登录|用户|账号|帐号|管理|系统|安全|敏感|机密|保密|密码|口令|密钥|规则|策略|格式|要求|说明|参见|参考|详见|查看|点击|联系|什么|多少|怎么|哪[里个]|吗|呢|的|通过|正在"
    "|同上|一样|相同|不同|重复|生日|身份证|手机号|后[一二两三四五六七八九十]|前[一二两三四五六七八九十]|是否|能否|可以|功能|模块|接口|服务|页面|问题|方式|方法|途径|手段|机制|工具|本身|自己|大家|任何"
)
"""What makes of Chinese words after 密码 a statement about it."""


def is_statement(clause: list[str], *, is_led: bool) -> bool:
    """Say whether words behind the name of a password speak of it, and are not the password.

    Args:
        clause: the words, with no sign at their ends.
        is_led: a verb led to them ("is"); else a colon or the like, after which descriptions stand, too.
    """
    low = [each.lower() for each in clause]
    if not low or len(low) > _MOST or any(_WORD.fullmatch(each) is None for each in low) or is_placeholder(clause[0]):
        return True
    first, rest = low[0], low[1:]
    if first in _SPEAKING or first in _DONE or first in _ABOUT or _is_state_by_ending(first) or len(first) < 3:
        return True
    if not is_led and any(each in _SPEAKING or each in _ABOUT or each in _DONE for each in rest):
        return True
    if first not in _STATES and not is_ordinary(first):
        return False
    then = rest[0] if rest else ""
    return (
        not then or then in _SPEAKING or then in _ABOUT or then in _STATES or then in _DONE or _is_state_by_ending(then)
    )


def _is_state_by_ending(word: str) -> bool:
    return word.endswith(_ENDINGS) and word not in _NOUNS


def is_chinese_statement(clause: str) -> bool:
    """Say whether Chinese words behind the name of a password speak of it."""
    return not 3 <= len(clause) <= 24 or _CHINESE_STATES.search(clause) is not None
