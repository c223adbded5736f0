"""The shipped list of what is no error: by program, and by wording (DESIGN section 6)."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class ProgramRule:
    """Programs that end with an exit code to answer a question, or to say what they found.

    Attributes:
        name: as policies switch it off.
        programs: programs, each with the first words of its action where only these count: `pytest`, `go test`.
        arguments: one of these must stand in the command, where that is known; empty: none needs to.
        exits: exit codes that are an answer; of a known other one see `evidence`.
        evidence: RE2 (case does not count); a message that it finds something in comes from a run to the end, whatever the exit.
        silent: they say nothing where they only answer; so without a known exit code words speak of an error.
    """

    name: str
    programs: frozenset[str]
    arguments: frozenset[str] = frozenset()
    exits: frozenset[int] = frozenset((1,))
    evidence: str = ""
    silent: bool = False


@dataclass(frozen=True, slots=True)
class WordingRule:
    """What an error says, or is, whatever program it comes from.

    Attributes:
        name: as policies switch it off.
        types: classes of exceptions, without their modules.
        patterns: RE2, over `type: message` (case does not count), in the beginning and the end of the message.
        exits: exit codes.
    """

    name: str
    types: frozenset[str] = frozenset()
    patterns: tuple[str, ...] = ()
    exits: frozenset[int] = field(default=frozenset())


def _set(words: str) -> frozenset[str]:
    return frozenset(each.strip() for each in words.split(","))


_TESTS_RAN = (
    r"\b\d+ (?:tests? )?(?:failed|failures?|failing|passed|passing)\b|^(?:FAILED|ERROR) \S+::|^--- FAIL:|^FAIL\b|\btest result: FAILED|"
    r"\bFailures: [1-9]|\bTests run: \d+|\bFailed!\s+- Failed:|\b\d+ examples?, \d+ failures?|\bThere (?:was|were) \d+ (?:failures?|errors?)|"
    r"\bTests?:\s+\d+ failed|\b\d+% tests passed|\bnot ok \d+|\bAssertionError\b|\bassertion .{0,80}failed|^E  +|\bthere are test failures|"
    r"\bExpected: .*\n\s*(?:Received|Actual|but was)|个测试失败|测试未通过|测试失败"
)
_FOUND = (
    r"\bFound \d+ (?:error|issue|problem|warning)|✖ \d+ problem|\b\d+ (?:errors?|problems?|warnings?|offenses|issues)\b|"
    r"^\S+?:\d+(?::\d+)?:? .*|\bwould (?:be )?reformat|\berror TS\d+:|\berror\[[A-Z]\d+\]|\bYour code has been rated|Code style issues"
)

PROGRAM_RULES: tuple[ProgramRule, ...] = (
    ProgramRule(
        "test-runner",
        _set(
            "pytest, py.test, tox, nox, nose2, nosetests, unittest, trial, stestr, behave, robot, doctest, jest, vitest, ava, "
            "tap, jasmine, karma, playwright test, wdio, qunit, npm test, npm t, npm run test, pnpm test, pnpm run test, yarn "
            "test, yarn run test, bun test, bun run test, deno test, go test, gotestsum, cargo test, cargo nextest, mvn test, mvn verify, "
            "gradle test, gradle check, sbt test, mill test, lein test, rspec, rake test, rake spec, rails test, minitest, "
            "pest, artisan test, composer test, dotnet test, nunit3-console, xunit, vstest.console, swift test, xcodebuild test, flutter "
            "test, dart test, mix test, rebar3 eunit, stack test, cabal test, ctest, ninja test, bazel test, "
            "buck test, bats, shellspec, manage.py test, helm test, ginkgo, busted, prove, zig build test, just test, task test, "
            "hatch test, poe test, invoke test, uv run pytest, npx jest, npx vitest, coverage run, newman run, k6 run, R CMD check, "
            "mypy_test, cucumber, meson test"
        ),
        exits=frozenset((1, 8, 100, 101)),
        evidence=_TESTS_RAN,
    ),
    ProgramRule("test-runner", _set("make test, make check, make tests, phpunit, mocha, cypress run"), exits=frozenset((1, 2, 3)), evidence=_TESTS_RAN),
    ProgramRule(
        "linter",
        _set(
            "ruff, ruff check, ruff format, flake8, pylint, pycodestyle, pydocstyle, pyflakes, black, isort, autopep8, yapf, bandit, vulture, "
            "eslint, prettier, stylelint, standard, xo, biome, biome check, biome lint, tslint, jshint, oxlint, next lint, npm run lint, pnpm run "
            "lint, pnpm lint, yarn lint, yarn run lint, bun run lint, deno lint, deno fmt, rubocop, reek, standardrb, golangci-lint, golangci-lint "
            "run, golint, staticcheck, revive, go vet, gofmt, goimports, cargo clippy, cargo fmt, rustfmt, checkstyle, spotless, pmd, "
            "spotbugs, ktlint, detekt, swiftlint, swiftformat, clang-tidy, clang-format, cppcheck, cpplint, shellcheck, shfmt, hadolint, "
            "yamllint, jsonlint, markdownlint, markdownlint-cli2, vale, proselint, codespell, typos, ansible-lint, tflint, terraform fmt, "
            "terraform validate, tofu fmt, helm lint, kubeval, kube-linter, actionlint, sqlfluff, sqlfluff lint, phpcs, php-cs-fixer, "
            "psalm, mix credo, mix format, credo, scalafmt, hlint, ormolu, luacheck, perlcritic, lintr, pre-commit, pre-commit run, "
            "commitlint, lint-imports, djlint, curlylint, htmlhint, semgrep, gitleaks, trivy, npm audit, pip-audit, cargo audit, "
            "dotnet format, buf lint, spectral lint, npm run format, knip, depcheck, deptry, interrogate, dprint"
        ),
        exits=frozenset((1, 101)),
        evidence=_FOUND,
    ),
    ProgramRule("linter", _set("make lint, make check-format, make format"), exits=frozenset((1, 2)), evidence=_FOUND),
    ProgramRule(
        "type-checker",
        _set(
            "mypy, dmypy, dmypy run, pyright, basedpyright, pyre, pyre check, pytype, ty, ty check, pyrefly, pyrefly check, flow, flow "
            "check, sorbet, srb tc, steep check, phpstan, phpstan analyse, vue-tsc, svelte-check, tsd, npm run typecheck, "
            "npm run type-check, pnpm run typecheck, pnpm typecheck, yarn typecheck, cargo check, dialyzer, mix dialyzer, attw, publint"
        ),
        exits=frozenset((1,)),
        evidence=_FOUND,
    ),
    ProgramRule("type-checker", _set("tsc"), arguments=_set("--noEmit, -noEmit, --noEmit=true"), exits=frozenset((1, 2)), evidence=_FOUND),
    ProgramRule(
        "no-match",
        _set("grep, egrep, fgrep, zgrep, pgrep, rg, ag, ack, ugrep, git grep, findstr, Select-String, which, whereis, type, command, hash, "
             "git check-ignore, locate, getent, pidof, lsof, fuser, look"),
        exits=frozenset((1, 123)),
        silent=True,
    ),
    ProgramRule(
        "differs",
        _set("diff, cmp, comm, colordiff, sdiff, diff3, zdiff, difft, dyff, git diff, git diff-index, git diff-files, git diff-tree"),
        evidence=r"\A\s*(?:(?:error|exit(?:ed)?|command|process)\b[^\n]*\n)?(?:\d+(?:,\d+)?[acd]\d|diff --git|--- \S|Files \S+ and \S+ differ|Binary files|\S+ \S+ differ: )",
        silent=True,
    ),
    ProgramRule("differs", _set("terraform plan, tofu plan"), arguments=_set("-detailed-exitcode, --detailed-exitcode"), exits=frozenset((2,)), silent=True),
    ProgramRule(
        "test-command",
        _set("test, [, [[, false, expr, let, git merge-base, git show-ref, git config, systemctl is-active, systemctl is-enabled, systemctl status, mountpoint, "
             "pg_isready, cmp"),
        exits=frozenset((1, 3, 4)),
        silent=True,
    ),
)  # fmt: skip
"""Exit 1 of pytest is failed tests, 2 to 5 that it could not run; of mypy and tsc 1 and 2 are findings; 101 is cargo's; of grep,
diff and test 1 is their answer and 2 a fault."""

WORDING_RULES: tuple[WordingRule, ...] = (
    WordingRule(
        "interrupted",
        types=_set(
            "KeyboardInterrupt, CancelledError, InterruptedError, AbortError, DOMException [AbortError], OperationCanceledException, "
            "TaskCanceledException, CancellationException, OperationCancelledError, UserAbort, UserCancelled, UserInterrupt, Interrupted, Abort, "
            "GeneratorExit, GraphInterrupt, SIGINT, APIUserAbortError"
        ),
        patterns=(
            r"\bkeyboard ?interrupt\b",
            r"\bsigint\b|\bsignal 2\b|\^C\s*$",
            r"\b(?:interrupted|cancell?ed|aborted|stopped|halted|terminated) (?:by|at the request of) (?:the |a )?(?:user|human|person|operator|client)\b",
            r"\b(?:user|human|operator) (?:has )?(?:interrupted|cancell?ed|aborted|stopped)(?:\s*$|[.!,;:)\]]|\s+(?:(?:the|this) )?(?:operation|request|task|run|turn|tool|command|execution|action|prompt|process|call|agent|it|before|during|while|by)\b)",
            r"\[?request interrupted by user",
            r"\b(?:the )?operation was (?:cancell?ed|aborted)\b",
            r"\b(?:task|run|tool call|execution|turn|context) (?:was |has been |is )?(?:cancell?ed|aborted)\b|\brequest was aborted\b",
            r"^\s*(?:error: )?(?:cancell?ed|canceled|aborted|interrupted|interrupt)[.!]?\s*$",
            r"asyncio\.(?:exceptions\.)?cancellederror",
            r"用户(?:已|主动|手动)?(?:取消|中断|中止|终止|停止)|(?:已被?|被)(?:用户|人工|手动)(?:取消|中断|中止)|(?:操作|任务|执行|运行|调用)(?:已被?|被)(?:取消|中断|中止)|^\s*(?:已)?(?:取消|中断|中止)。?\s*$",
        ),
        exits=frozenset((130, -2)),
    ),
    WordingRule(
        "denied-by-person",
        types=_set(
            "PermissionDeniedByUser, UserDenied, UserRejected, ToolCallRejected, ApprovalDenied, HumanRejected, UserRejectedRequestError"
        ),
        patterns=(
            r"\buser doesn['’]?t want to (?:proceed|take this action|continue)",
            r"\buser (?:does not|did not|didn['’]?t) (?:want|wish|approve|allow|confirm|grant)",
            r"\b(?:rejected|denied|declined|refused|disapproved|disallowed|vetoed|not approved|not allowed|not confirmed) by (?:the |a )?(?:user|human|person|operator|reviewer)\b",
            r"\b(?:user|human|operator|reviewer) (?:has )?(?:rejected|denied|declined|refused|disapproved|vetoed|said no|chose not to)\b",
            r"\bthe tool use was rejected\b",
            r"\bapproval (?:was )?(?:denied|rejected|refused|not granted)\b",
            r"用户(?:已|明确)?(?:拒绝|不同意|不允许|未批准|未授权|否决|不想)|(?:被|遭|已被)?(?:用户|人工|审批人)(?:拒绝|驳回|否决)|审批(?:未通过|被拒绝|被驳回)",
        ),
    ),
)

OUR_BLOCK = "our-block"
OUR_TYPES = _set("BlockedError, ConfirmationNeededError")
"""Classes of exceptions that stand for our own verdict."""
OUR_WORDS = (
    r"\b(?:blocked|held|denied|refused|stopped) by (?:a |the )?casebook\b|^\W*casebook(?:-runtime)?(?: case [\w.-]+)? (?:blocked|refused|denied|asks for)|"
    r"被?案例簿(?:已)?拦截|"
    r"\bwas not made: (?:the casebook (?:blocks|failed)|a person (?:has to agree to it|was asked and said no))|"
    r"没有执行：(?:案例库(?:阻止了|出了故障)|须先得到人的同意|已询问过人)"
)
"""How hosts tell that Casebook was it, and the words of `casebook.adapters.refusal`, which hosts hand on (RE2, case does not count)."""

FOUND_FIRST = (
    r"\b[1-9]\d* (?:tests? )?(?:failed|failing)\b|^--- FAIL:|\btest result: FAILED|\bFound [1-9]\d* (?:error|issue|problem)|✖ [1-9]\d* problem|"
    r"\b[1-9]\d* examples?, [1-9]\d* failures?"
)
"""What says that a program before the last of `a && b` is the one that stopped it (RE2, case does not count)."""

COULD_NOT_RUN: tuple[str, ...] = (
    r"\bcommand not found\b|\bnot found: \S+\s*$|\bis not recognized as (?:an internal|the name)|\bno such file or directory: \S*\b(?:pytest|jest|ruff|mypy)\b",
    r"\bno module named ['\"]?(?:pytest|_pytest|nox|tox|nose|unittest2|ruff|mypy|flake8|pylint|black|isort|pyright|bandit|coverage|xdist)\b",
    r"\bpermission denied\b.*\b(?:pytest|jest|node_modules/\.bin)\b|\bcould not determine executable to run\b|\bmissing script:",
    r"\bunrecognized arguments?\b|\bunknown option\b|\bunexpected argument\b|\binvalid option\b|\bno such option\b|\bunknown flag\b|flag provided but not defined",
    r"\bcannot find module ['\"][^'\"]*(?:jest|vitest|mocha|eslint|typescript)\b|\bfailed to load config\b|\bno eslint configuration\b|couldn['’]t find an? eslint|configuration file not found",
    r"^usage: |\berror: usage\b|\bINTERNALERROR\b|\bImportError while loading conftest\b|\bfile or directory not found\b|\bno tests? (?:ran|collected|found|files found)\b|\bcollected 0 items\b",
    r"\btoolchain '[^']+' is not installed|\bno such (?:sub)?command\b|\bcould not find [`'\"]?cargo\.toml|\bgo: (?:cannot find main module|go\.mod file not found)|\bcould not find or load main class\b",
    r"\bmissing_?dependency\b|\bERR_MODULE_NOT_FOUND\b|\bpytest: error:|\bENOENT\b.*\bpackage\.json\b|\bexec format error\b|\bno rule to make target\b",
    r"\bout of memory\b|\bsegmentation fault\b|\bheap out of memory\b|\bno space left on device\b|\bkilled\s*$",
    r"未找到命令|找不到命令|不是内部或外部命令|没有那个文件或目录",
)  # fmt: skip
"""What says that a test runner, linter or type checker did not run at all (RE2, case does not count)."""

BADLY_SET_UP = (
    r"^\[error\] (?:cannot find (?:package|module)|invalid configuration|no (?:files matching|parser could be inferred))|"
    r"\berror TS(?:5\d{3}|6053|18003)\b|^mypy: (?:can['’]t|cannot|error:)|\bfailed to (?:parse|load|read|resolve) \S*(?:\.toml|config)\b|"
    r"^\W*validation error:|\bpreset \S+ not found\b|\bImportError while loading conftest\b"
)
"""What says so in the words of one that did run: its configuration, its plugins, what it was pointed at (RE2, likewise)."""
