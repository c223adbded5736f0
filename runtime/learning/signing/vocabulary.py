"""Common words of error messages: what is none of them, in the place of a name, is a name."""

from __future__ import annotations

WORDS = frozenset(
    """
    able aborted aborting about above absolute abstract accept acceptable accepted accepts access accessed accessing
    accessor according account accounts acquire acquired across act action actions active actual actually acyclic
    add added adding addition additional address addresses adjacent adjusting admin administrator after again
    against age agent agents agree algorithm algorithms alias aliased aliases align aligned alignment alive all
    allocate allow allowed allows along alpha alphabet alphanumeric already also alter alternative alternatives
    always ambiguous amount amounts analyze analyzing anchor and angle angles annotated annotation annotations
    anonymous another antenna any anything app appear appears append appended appending applicable application
    applied apply appointment appointments approaching appropriate approve arbitrary arch archive are aren arg args
    argument arguments argv arithmetic around array arrays artifact as ask assert assertion assign assigned
    assignment assignments associated associativity assuming async asynchronous at attached attachment attachments
    attempt attempted attempting attempts attr attribute attributes attrs audio auth authentication author authority
    authorization authorized authorizer auto automatic automatically auxiliary available avoid await awaited aware
    away axes axis back backend background backslash backup backwards bad badly bag baggage bags balance bank banned
    bare base based bases basic basis batch battery because been before begin beginning begins behavior behind being
    belong below best beta better between beyond big binary bind binding bins birth bit bitfields bits blank block
    blocked blocking blocks bluetooth bodies body bogus bold book booking bookings bool boolean both bound
    boundaries boundary bounds bracket branch branches break breaks broadcast broken browser bucket buffer buffering
    bufsize bug build building builds built builtin builtins bundle bus business busy but buyer by byte bytearray
    bytecode bytes cabin cache cached calculate calculation calendar call callable callables callback called caller
    calling calls camera can cancel canceled cancellation cancelled cannot canonical capacity car card cards cart
    case cases cast category caught cause caused cell center cert certfile certificate certificates certs chain
    chance change changed changes changing channel channels char character characters chardet charge charset chat
    check checked checker checking checkout checks checksum child children choice choices choose chosen chunk
    chunksize cipher circular city claims clash class classes classmethod clean cleaning client clients clock clone
    close closed closing cls cluster clusters cmd code codepoint coefficient coefficients col collate collect
    collected collection collision colon color cols column columns combination combine combined combining come comma
    command commands comment comments commit common communicate compare compared comparison comparisons
    compatibility compatible compilation compile compiled compiler complete completed completion completions complex
    compliant component components composed composing composite compound comprehension compressed compression
    computation compute computed computing concrete cond condition conditional conditions confidence config configs
    configuration configured confirm conflict conflicts conn connect connected connecting connection connections
    consecutive consider considered consistent console constant constants constraint constraints construct
    constructed constructing construction constructor consumed contact contain contained container containers
    containing contains content contents context continuation continue continuing contract contravariant control
    converge convergence conversion convert converted converter converting convolution cookie cookies coordinate
    coordinates copy copying core coroutine correct correction correctly correlation correspond corresponding
    corrupt corrupted could couldn count counter country counts coupon coupons covariance cpu crash crashed create
    created creates creating creation credential credentials credit critical cross crv cryptography ctypes currency
    current currently cursor curve custom customer customers cutoff cycle cycles cyclic daemon damaged dash data
    database databases dataclass dataset datasets datatypes date datetime day days deadline deadlock deal debit
    debug debugger debugging decimal decision declaration declarations declare declared declined decodable decode
    decoded decoding decomposition decorated decorator decreasing decryption dedent deep def default defaulting
    defaults define defined defines defining definite definition definitions deg degree degrees delay delegated
    delete deleted deleting delimiter delivered delivery delta demo denied denominator density depend dependencies
    dependency dependent deploy deployment deployments deprecated deprecation depth derivation derivative
    derivatives derive derived description descriptor deserialize design desktop despite dest destination detach
    detached detail details detect detected detection determinant determine determined developers development device
    devices diagonal diagrams dialect dict dictionaries dictionary dicts did didn didn't diff differ difference
    different differential differs diffs digest digit digits dim dimension dimensional dimensions dir direct
    direction directionality directive directly directories directory disable disabled disabling disallowed
    discarding disconnect discount discover discovered discovery disk dispatch dispatcher display dist distance
    distances distinct distribute distribution distributions distro distutils divide divisible division divisor dns
    doc docs docstring doctest doctests document documentation documents does doesn doesn't doing domain domains don
    done dot dotted double down download downloaded downloading draw drive driver drivers drop dropped dst dtype
    dtypes dual due dumb dummy dump dumping duplicate duplicated duplicates duration during dynamic each earlier
    early economy edge edit editable editor effect effective efficiency egg eigenvalue either element elements
    eligible ellipsis elliptic else email emails embed embedded embedding embeddings emit emitted employee empty
    emulation enable enabled encodable encode encoded encoder encoding encodings encountered encrypted encryption
    end ended ending endless endpoint endpoints ends enforced enough ensure enter entered entering entire entities
    entity entries entry enum enumeration env environment eps epsilon equal equality equation equivalent error
    errors escape escaped escaping essential established estimated etag evaluate evaluated evaluating evaluation
    even event events every everything exact exactly example examples excclass exceed exceeded exceeding exceeds
    except exception exceptions exchange exclude exclusive executable execute executed executing execution executor
    exhausted exist existing exists exit exited exits exp expand expanded expansion expect expectation expected
    expecting expects experimental expired expires explicit explicitly exponent exponents export expressed
    expression expressions ext extend extended extending extension extensions external extra extract extracted
    extraction extras extrinsic face factor factors factory fail failed fails failure failures fake fall fallback
    falling false family fan fancy far fatal fault favor feature features fee fetch fetching few fewer field fields
    file filename fileno fileobj files filesystem fill filter filters final finalizer find finder finding finish
    finished finite firewall firmware first fit fixed fixture fixtures flag flags flight flights float floating
    floats flow flush fmt folder folders follow followed follower following follows footer for forbidden force
    foreign forget fork forkserver form format formats formatted formatter formatting formed formula found four
    fraction fragment frame frames free freedom frequencies frequency from frozen fulfill full fully func function
    functionality functions further future futures gamma garbage gateway gave gcc gender general generate generated
    generating generation generator generators generic generics geometry get getaddrinfo getting gift git give given
    glibc glob global globals good got goto gradient grammar grant graph graphs greater group grouper grouping
    groups growing guess guessing guest guests gzip had handle handled handler handlers handles handling handshake
    happen happened has hash hashes hasn have having header headers heading heap heapq height help here hex
    hierarchy high higher hint histogram history hit hold home homogeneous hook hooks host hostname hosts hotel hour
    hours how http httplib https huge hull humidity hung hypergeometric hyphen hyphens hypothesis icon identical
    identified identifier identifiers identify identity idle ids if ignore ignored ignoring illegal image images
    imaginary immediately immutable implement implementation implemented implicit import importable imported
    importing importlib imports impossible in inactive inbox incident include included includes inclusive incoming
    incompatible incomplete inconsistency inconsistent incorrect increase increasing increment indefinite indent
    indentation independent index indexable indexes indexing indicate indicator indices indirect inequality inf
    infer inference inferred infinite infinity info information infs inherit inheritance inheriting init initial
    initialization initialized initializer initializing initiated inject inline inner input inputs insert inside
    install installation installed installing installs instance instances instantiate instantiated instantiation
    instead insufficient int integer integers integral integrate integration intended interactive interacts
    interface internal internals interpolation interpret interpreted interpreter interrupted interval intervals into
    introspection ints invalid inventory inverse inversion invert invertible invoice invoices invoke invoked
    invoking involving is isn isn't isolation issue issuer item items iter iterable iterables iterate iteration
    iterations iterator its itself job jobs join joiner json jump just keep kernel key keyboard keyfile keys keyword
    keywords kill killed kind knots know known kwarg kwargs label labeled labels lambda lambdas language large
    larger last late later latest layer layout leader leading least leave left legacy legal length lengths less let
    level levels lex lexer libraries library licence license lie lifetime like likely limit limited limits line
    linear lineno lines link linker linking linkname links list listdir listed listen listener listeners listening
    listing lists literal literals live load loaded loader loaders loading local locale localhost locate located
    location locations lock locked locks log logarithmic logged logger logging logical login logout long longer look
    looks lookup loop loops lost low lower lowercase lzma machine macro made magic magnitude mail mailbox main
    maintained major make makes making malformed managed manager mandatory manifest manual manually many map mapping
    maps mark marked marker markers marks markup mask masked master match matched matcher matches matching math
    matplotlib matrices matrix max maximum maxsize may maybe mean meaning meaningful meaningless means meant median
    meeting meetings member members membership memory merchant merge merged message messages meta metaclass metadata
    metavar method methods metric metrics microphone might migration migrations min minimum minor minute minutes
    mismatch mismatched mismatching missed missing mix mixed mkpath mmap mobile mock mod mode model models modes
    modified modify module modules modulo modulus moment monitor monkeypatch monotonically month more most motor
    mount mouse move moved moving mpc mpf msg much multi multidimensional multipart multiple multiplication multiply
    multiprocessing must mutate mutation mutex mutually naive name named namedtuple nameprep names namespace
    namespaces nan nargs native ndarray ndim near need needed needs negative neither nest nested nesting network
    never new newer newline newlines next night nights node nodes non nonce none nonempty nonexistent nonlinear
    nonlocal nonnegative nonzero nor norm normal normalized not nothing notify now null nullable number numbers
    numeral numerator numeric numerical numerically obj object objects obsolete obtained occur occurred octal octet
    octets odd of off offset offsets old older on once one only onto opcode open opened opening operand operands
    operation operations operator operators optimization optimize optimizer option optional options or order ordered
    ordering orders ordinal organization orientation origin original orphan other our out outdated outer outermost
    output outputs outside over overflow overlap overlaps overloaded overridden override overrides overwrite own
    owned owner owners package packages padding page pages pagination pair pairs panic parallel param parameter
    parameters params parent parentheses parenthesis parenthesized parse parsed parser parsing part partial
    partition parts pass passed passenger passengers passes passing passport password passwords past patch patched
    patching path paths pattern patterns paused pay payload payment payments peer pending per perform performing
    perhaps period periods permission permissions permitted permutation phone photo photos pickle pickled pid pip
    pipe pipeline pipes place placed placeholder places plain plan plane plans platform platforms please plot
    plotting plugin plugins png pod pods point pointer points pole policies policy poll polygamma polynomial
    polynomials pool pop population port pos position positional positions positive possible post postal power
    powers pragma prec precedence precedes precision predicate prefix prefixes prematurely prerelease present preset
    pressure pretending prevented prevents previous previously price prices primary prime primes primitive principal
    principals print printer printing priority private privilege privileges probability probably problem problematic
    problems proceed process processed processes processing produce produced product productdir products profile
    profiles program progress prohibited project prompt prompts proper properly properties property protected
    protocol protocols provide provided provider provides province proxy pty public publish pull pump pure push put
    pyconfig pydantic pylock pyparsing pyproject quadrature qualifier quantile quantity quaternions queries query
    queue queues quitting quota quotas quotation quote quoted quotes radius railroad raise raised random range
    ranges rank rate rather ratio rational raw reachable reached read readable reader reading readonly ready real
    really reason reasons receive received recipients recognised recognized recommended record records recursion
    recursive recv redefine redefined redefines redirect reduce reduced reduction ref refer reference referenced
    references refers refresh refund refunds refused regex region regions register registered registration registry
    regression regular reject rejected relation relational relations relative release released remaining reminder
    remote removal remove removed removing rename renamed renaming render renderable rental repeat repeated
    repetition replace replaced replacement replacing replica replicas replication reply report reported reporting
    reports repository repr represent representation representing request requested requests require required
    requirement requirements requires reservation reservations reserve reserved reset resetting reshape resolution
    resolve resolved resolver resolving resource resources respect response responses restart restore restored
    restricted restriction result results retries retrieval retrieve retrieving retry retrying return returned
    returning returns revision revocation revoke revoked rewind rewinding rewritten rhs right ring role roles
    rollback room rooms root roots rotation rotations round rounds router routine row rows rsync rule rules run
    running runs runtime rvalue safe same sample samples sampling sandbox satisfied satisfy save saved says scalar
    scalars scale scaled scaling scan scanner scanning schedule scheduled scheduler schema schemas scheme scipy
    scope scoped scopes screen script scripts sdist search seat seats second secondary seconds secret secrets
    section sections sector secure security see seed seek seeking seem seems seen segment select selected selection
    selector self seller semantics semaphore send sendall sending sense sensor sensors sent sentinel sep separate
    separator separators seq sequence sequences serial serializable serialization serialize serializer series serve
    server servers service services serving session sessions set sets setting settings setup setuptools shall shape
    shapes share shared shebang shelf shell shift ship shipment shipping short shortcut shorter shortly should
    shouldn shut shutdown shutting side sigma sign signal signature signatures signed signin signing signup simple
    simultaneously since single singular singularity site size sizes skip skipped skipping slash slated slave sleep
    slice slices slicing slots slow small smaller snapshot snapshots sock socket sockets solution solve solver
    solving some something sort sorted source sources space spaces span spanning sparse speaker spec special
    specific specification specified specifier specifiers specifies specify specifying speed spinner split splitting
    square ssh ssl sslcontext stack stage stages stale standard standby star starred start started starting starts
    state statement statements states status stderr stdin stdout step steps still stock stop stopped stopping
    storage store str strategy stream streaming streams street strict strictly string strings struct structure
    structured stub stuck stuff style subclass subclasses subcommand subdomain subject submodule subnet subpath
    subprocess subscribe subscript subscriptable subscription subscriptions subset substitution subtraction subtype
    succeeded success successful successfully such suffix suitable suite sum sums superset supplied supply support
    supported supports supposed sure suspended swigging switch switching sym symbol symbolic symbols symlink
    symmetric symmetry sync syntax sys sysconfig system systems table tables tag tags take takes tar target targets
    task tasks tax telephone tell telnet temperature template templates temporary tensor tensordot term terminal
    terminals terminate terminated terminating termination terms ternary test testing tests text than that the them
    theme then there these theta they third this those though thread threading threads threadsafe three threshold
    throttled through throughput thrown ticket tickets time timed timedelta timeout timer times timestamp timestamps
    timezone timezones title to today together token tokens tol tolerance tolerances toml tomorrow too took tool
    tools top topic total trace traceback tracing tracker tracking trail trailing train training traitlets
    transaction transactions transfer transform transformation transformed transformer transition translate
    translation transport traverse tree trial triangular tried tries trigger triggered trim true truncate truncated
    trust trusted truth try trying tty tunnel tuple tuples turn twice two type typed typedef types typing typo
    tzdata tzinfo ufunc ufuncs unable unambiguously unary unauthenticated unauthorized unavailable unbalanced
    unbound unbuffered unclosed uncompilable uncompressed undefined under underline underlying underscore understand
    understood unexpected unexpectedly unhandled unicode unicodedata unimplemented uninitialized uninstall union
    unique uniquely unit units unittest unknown unless unlikely unlocked unmatched unpack unpacked unpacking
    unparsable unparsed unpickling unreachable unrecognised unrecognized unregistered unresolved unsafe unset
    unsigned unspecified unsupported unterminated until untyped unusable unused unwrapping update updated updating
    upgrade upload uploaded upper uppercase uri url urls usage use used user username usernames users uses using
    usually utilise valid validate validating validation validator value values valve var variable variables
    variadic variant vcs vcvarsall vector vectors vehicle vendor venv verification verified verify version versions
    vertex vertical very via video view violated virtual visa visiting voltage volume volumes voucher vouchers wait
    waiter waiting wake wallet want wanted warehouse warning warnings was wasn wasn't watch website week weekday
    weight weights well were what wheel wheels when whence where whether which while whitespace who whose why width
    wifi wildcard wildcards will window windows wireless with within without won word work worked worker workers
    workflow working works would wrap wrapped wrapper wrapping writable write writeable writer writes writing
    written wrong yacc yaml year yesterday yet yield yielded you your zero zeros zip zlib zone zoneinfo
    """.split()  # noqa: SIM905 - words, not a list of them
)
"""Small letters, singular and plural; gathered from the messages that Python programs raise, and from trades that agents work in."""
