"""Words that decide: tokens with digits that are words, exception types that say nothing, what may follow a noun."""

from __future__ import annotations

WORDS_WITH_DIGITS = frozenset(
    """
    utf8 utf-8 utf16 utf-16 utf32 utf-32 utf-8-sig latin1 latin-1 iso-8859-1 iso8859-1 gb2312 gb18030 cp1252 big5
    ascii base64 base32 base58 md5 sha1 sha-1 sha2 sha224 sha256 sha-256 sha384 sha512 sha-512 hs256 rs256 es256
    aes128 aes256 aes-256 crc32 sha3 ed25519 x509 x.509 pkcs12 pkcs8 pkcs1 pkcs7 http1 http2 http3 h2 h2c h3 ipv4
    ipv6 inet6 ip4 ip6 s3 ec2 r53 gp2 gp3 oauth2 oauth1 oauth2.0 k8s k3s i18n l10n a11y x86 x64 x86_64 x86-64 amd64
    arm64 aarch64 armv7 i386 i686 win32 win64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 i8 i16 i32 i64 u8
    u16 u32 u64 f32 f64 float16 float32 float64 bfloat16 bf16 fp16 fp32 complex64 complex128 utf8mb4 utf8mb3 ext2
    ext3 ext4 mp3 mp4 h264 h265 web3 web2 log4j log4j2 slf4j junit4 junit5 py2 py3 python2 python3 pip3 libstdc++6
    psycopg2 urllib3 boto3 asyncio3 sqlite3 lua5 gtk3 qt5 qt6 vue2 vue3 es5 es6 es2015 es2020 ssl3 sslv2 sslv3 tls1
    tlsv1 ssh2 ssh1 sftp2 neo4j db2 o365 d3 c14n p2p b2b b2c e2e m2m 2fa mfa2 3des 3d 2d 4xx 5xx 401k usb2 usb3 pop3
    imap4 smb1 smb2 smb3 nfs3 nfs4 nfsv3 nfsv4 cgroup2 raid0 raid1 raid5 raid6 raid10 i2c v4l2 e1000 wifi6 802.11
    fortran77 f77 f90 c99 c11 c++11 c++14 c++17 c++20 c89 java8 java11 es256k ripemd160 nginx1 bcrypt2 argon2id
    pbkdf2 scrypt2 chacha20 poly1305 rc4 des3 blake2 blake2b blake3 xxh3 gzip2 bzip2 bz2 lz4 p7zip 7z 7zip atan2
    log2 log10 log1p expm1 exp2 dup2 pipe2 accept4 wait4 epoll1 utf7 ctype1 layer2 layer3 layer4 layer7 level1 level2 level3 stage1 stage2 phase1 phase2 tier1 tier2 tier3 sm2 sm3 sm4 8bit 7bit 64bit 32bit 16bit
    64-bit 32-bit 16-bit 8-bit 128-bit 256-bit
    """.split()  # noqa: SIM905 - words, not a list of them
)
"""Tokens with letters and digits that are words of the trade and no ids, in small letters."""

GENERIC_TYPES = frozenset(
    """
    error errors exception baseexception runtimeerror runtimeexception throwable toolerror toolexception tool_error
    toolexecutionerror toolcallerror tool failure failed fault fatal fail err unknown unknownerror unknownexception
    genericerror genericexception generalerror general applicationerror applicationexception apperror systemerror
    errorevent uncaughtexception unhandledexception unexpectederror exceptiongroup_ warning critical severe panic
    crash none null undefined object other unspecified executionerror executionexception standarderror 错误 异常 失败 报错
    未知错误 运行时错误
    """.split()  # noqa: SIM905 - words, not a list of them
)
"""Types that say no more than that there was an error, in small letters without their module."""

WRAPPING_TYPES = frozenset(
    """
    operationalerror programmingerror databaseerror dataerror interfaceerror integrityerror internalerror notsupportederror sqlexception
    psqlexception sqlsyntaxerrorexception mysqldatatruncation sqlintegrityconstraintviolationexception sqlserverexception clienterror
    responseerror replyerror serverexception mongoservererror mongoerror axioserror fetcherror requesterror apierror apiexception
    mcperror grpcerror rpcerror statuscodeexception servletexception nestedservletexception executionexception
    """.split()  # noqa: SIM905 - words, not a list of them
)
"""Types by which a driver or client hands on what a server said, in small letters: what it said tells the kind."""

TELLING_TYPES = frozenset({"arrayindexoutofboundsexception", "stringindexoutofboundsexception"})
"""Types that alone say of what their message speaks, in small letters."""

GENERIC_WORDS = frozenset(
    """
    a an the is was were are be been has have had with of in on at to for from by and or this that it its there here
    some any please error errors exception failed failure fail fails failing err fatal warning code status exit
    exited exitcode process command tool call execution executing returned return result unknown unexpected
    something went wrong occurred happened non-zero nonzero value unsuccessful unsuccessfully see details more
    information check logs log try again later not ok ko no none null nil undefined true false 错误 异常 失败 出错 报错 发生 未知
    了 的 请 操作 执行 命令 工具 退出 代码 退出码 状态 码 返回
    """.split()  # noqa: SIM905 - words, not a list of them
)
"""Words that tell nothing: a message with no other word is generic, and its tool is part of its signature."""

NOUNS = (
    "user|username|account|customer|client|member|owner|role|group|tenant|org|organization|principal|database|schema|table|column|relation|view|index|"
    "constraint|sequence|trigger|procedure|collection|keyspace|topic|queue|exchange|bucket|namespace|pod|deployment|container|image|volume|network|"
    "node|host|hostname|server|service|unit|daemon|interface|device|disk|partition|filesystem|job|task|workflow|pipeline|step|stage|plugin|"
    "extension|module|package|library|dependency|crate|gem|class|interface|struct|trait|enum|type|method|function|variable|identifier|symbol|"
    "field|property|attribute|parameter|argument|param|option|flag|setting|key|branch|tag|remote|commit|revision|repository|repo|project|"
    "environment|env|profile|region|zone|cluster|instance|vm|channel|room|thread|order|flight|reservation|booking|ticket|airport|coupon|"
    "voucher|product|item|sku|invoice|symbol|currency|locale|timezone|encoding|codec|driver|resource|template|macro|target|command|program|"
    "header|cookie|tool|backend|frontend|listener|refspec|ref|agent|skill|requirement|pod|process|executable|binary|script|label|selector|model|dataset|token|feature|endpoint|route|action|event|state|policy|certificate|entity"
)
"""Nouns that a name may follow."""

ENTITIES = (
    "workspace|hotel|freezer|camera|sensor|tunnel|carrier|merchant|shipment|vault|secret|replica|company|city|store|shop|warehouse|vehicle|patient|doctor|"
    "course|student|teacher|contract|campaign|vendor|supplier|gateway|router|switch|printer|meter|pump|valve|robot|gate|restaurant|airline|partner|team|folder|"
    "dashboard|webhook|release|artifact|runner|subscription|snapshot|domain|subdomain|subnet|firewall|stack|registry|chart|configmap|"
    "cronjob|daemonset|statefulset|ingress|permission|scope|guest|passenger|buyer|seller|driver|courier|employee|manager|contact|lead|mailbox|worker|validator|upstream|drive|document|cart|recipient|consumer|producer|shard|site|building|line|"
    "machine|controller|thermostat|lock|meeting|lesson|portfolio|fund|stock|broker|bank|clinic|lab|library|supplier|collection|playlist|album|game|player"
)
"""Further nouns of things that are called by a name."""
