"""What is known of programs: which have subcommands, which only start others, which take nothing but paths."""

from __future__ import annotations

ALIASES = {
    "python3": "python", "python2": "python", "py": "python", "pip3": "pip", "pip2": "pip", "nodejs": "node",
    "gradlew": "gradle", "mvnw": "mvn", "gmake": "make", "ipython3": "ipython",
}  # fmt: skip
"""Other names of the same program; version numbers (`python3.12`) are dropped besides."""

SUBCOMMAND_ALIASES = {("npm", "i"): "install", ("pnpm", "i"): "install", ("bun", "i"): "install"}

TWO_WORDS: dict[str, frozenset[str]] = {
    "npm": frozenset({"run", "run-script"}),
    "pnpm": frozenset({"run"}),
    "yarn": frozenset({"run", "workspace"}),
    "bun": frozenset({"run", "pm"}),
    "deno": frozenset({"task"}),
    "composer": frozenset({"run", "run-script"}),
    "docker": frozenset({
        "compose", "image", "container", "volume", "network", "system", "buildx", "stack", "service", "swarm",
        "builder", "context", "manifest", "plugin", "secret", "config", "node", "trust",
    }),
    "podman": frozenset({"compose", "image", "container", "volume", "network", "system", "pod", "machine"}),
    "kubectl": frozenset({"rollout", "config", "set", "auth", "create"}),
    "helm": frozenset({"repo", "plugin", "dependency"}),
    "prisma": frozenset({"migrate", "db"}),
    "terraform": frozenset({"state", "workspace"}),
    "tofu": frozenset({"state", "workspace"}),
    "go": frozenset({"mod", "work"}),
    "uv": frozenset({"pip", "tool", "python", "cache"}),
    "conda": frozenset({"env"}),
    "brew": frozenset({"services"}),
    "gh": frozenset({
        "pr", "issue", "release", "repo", "run", "workflow", "auth", "secret", "gist", "label", "cache", "variable",
        "project", "ruleset", "codespace", "extension",
    }),
    "glab": frozenset({"mr", "issue", "release", "repo", "ci"}),
    "aws": frozenset(),
    "az": frozenset(),
    "gcloud": frozenset(),
    "openclaw": frozenset({"plugins", "cron", "config", "gateway", "hooks"}),
}  # fmt: skip
"""Programs whose subcommand is two words after one of these; an empty set: after any."""

FLAGS_WITH_VALUE: dict[str, frozenset[str]] = {
    "git": frozenset({"-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--super-prefix"}),
    "npm": frozenset({"--prefix", "-w", "--workspace", "-C", "--loglevel"}),
    "pnpm": frozenset({"--filter", "-F", "-C", "--dir"}),
    "yarn": frozenset({"--cwd"}),
    "docker": frozenset({"-H", "--host", "-c", "--context", "--config", "-l", "--log-level", "-f", "--file", "-p",
                         "--project-name", "--env-file", "--profile", "--project-directory"}),
    "docker-compose": frozenset({"-f", "--file", "-p", "--project-name", "--env-file", "--profile"}),
    "podman": frozenset({"--url", "--connection", "-c", "-f", "-p"}),
    "kubectl": frozenset({"-n", "--namespace", "--context", "--kubeconfig", "--cluster", "-s", "--server", "--as"}),
    "helm": frozenset({"-n", "--namespace", "--kube-context", "--kubeconfig"}),
    "terraform": frozenset(),
    "make": frozenset({"-C", "--directory", "-f", "--file", "-j", "-I", "-o", "-W"}),
    "cargo": frozenset({"--color", "--config", "-Z", "-C", "--manifest-path"}),
    "gh": frozenset({"-R", "--repo"}),
    "alembic": frozenset({"-c", "--config", "-n", "--name", "-x"}),
    "flyway": frozenset(),
    "aws": frozenset({"--profile", "--region", "--output", "--endpoint-url", "--query"}),
    "az": frozenset({"--subscription", "-o", "--output", "--query"}),
    "gcloud": frozenset({"--project", "--account", "--configuration", "--format", "--region", "--zone"}),
    "mvn": frozenset({"-f", "--file", "-pl", "--projects", "-P", "-s", "--settings", "-T"}),
    "gradle": frozenset({"-p", "--project-dir", "-b", "-c", "-I"}),
    "systemctl": frozenset({"-H", "--host", "-M", "-t", "-p", "-n"}),
    "uv": frozenset({"--directory", "--project", "--cache-dir", "--config-file", "--color"}),
    "pip": frozenset({"--proxy", "--timeout", "--cache-dir", "--log", "--python"}),
    "poetry": frozenset({"-C", "--directory", "-P", "--project"}),
    "bundle": frozenset({"--gemfile"}),
    "ansible": frozenset({"-i", "-m", "-a", "-u", "-l", "-e"}),
    "ansible-playbook": frozenset({"-i", "-u", "-l", "-e", "-t"}),
}  # fmt: skip
"""Flags that may stand before the subcommand and take the next word."""

SHELLS = frozenset({"bash", "sh", "zsh", "dash", "ksh", "ash", "fish", "pwsh", "powershell", "cmd"})

WRAPPERS: dict[str, tuple[frozenset[str], int]] = {
    "sudo": (frozenset({"-u", "--user", "-g", "--group", "-h", "--host", "-p", "--prompt", "-C", "-T", "-U", "-r", "-t",
                        "-D", "--chdir", "-R", "--chroot"}), 0),
    "doas": (frozenset({"-u", "-C", "-a"}), 0),
    "env": (frozenset({"-u", "--unset", "-C", "--chdir", "-P"}), 0),
    "cross-env": (frozenset(), 0),
    "time": (frozenset({"-f", "--format", "-o", "--output"}), 0),
    "nohup": (frozenset(), 0),
    "nice": (frozenset({"-n", "--adjustment"}), 0),
    "ionice": (frozenset({"-c", "-n", "-p"}), 0),
    "timeout": (frozenset({"-s", "--signal", "-k", "--kill-after"}), 1),
    "gtimeout": (frozenset({"-s", "--signal", "-k", "--kill-after"}), 1),
    "stdbuf": (frozenset({"-i", "-o", "-e"}), 0),
    "setsid": (frozenset(), 0),
    "exec": (frozenset({"-a"}), 0),
    "command": (frozenset(), 0),
    "builtin": (frozenset(), 0),
    "noglob": (frozenset(), 0),
    "xargs": (frozenset({"-I", "-n", "--max-args", "-P", "--max-procs", "-L", "-d", "--delimiter", "-a", "--arg-file",
                         "-E", "-s", "-i"}), 0),
    "chroot": (frozenset({"--userspec", "--groups"}), 1),
    "flock": (frozenset({"-w", "--timeout", "-E"}), 1),
    "strace": (frozenset({"-e", "-o", "-p", "-s", "-u"}), 0),
    "watch": (frozenset({"-n", "--interval"}), 0),
    "unbuffer": (frozenset(), 0),
    "xvfb-run": (frozenset({"-n", "-s", "-e", "-f", "-w"}), 0),
    "caffeinate": (frozenset({"-t", "-w"}), 0),
    "winpty": (frozenset(), 0),
    "chronic": (frozenset(), 0),
    "parallel": (frozenset({"-j", "--jobs"}), 0),
}  # fmt: skip
"""Programs that only start another: their flags with a value, and how many words of theirs come before it."""

RUNNERS: dict[str, frozenset[str]] = {
    "npx": frozenset({""}), "bunx": frozenset({""}), "uvx": frozenset({""}), "pipx": frozenset({"run"}),
    "uv": frozenset({"run", "tool run"}), "poetry": frozenset({"run"}), "pipenv": frozenset({"run"}),
    "pdm": frozenset({"run"}), "rye": frozenset({"run"}), "hatch": frozenset({"run"}), "conda": frozenset({"run"}),
    "pnpm": frozenset({"exec", "dlx"}), "yarn": frozenset({"exec", "dlx"}), "npm": frozenset({"exec"}),
    "bundle": frozenset({"exec"}), "direnv": frozenset({"exec"}), "docker": frozenset({"exec", "compose exec"}),
    "podman": frozenset({"exec"}), "docker-compose": frozenset({"exec"}), "kubectl": frozenset({"exec"}),
    "ssh": frozenset({""}),
}  # fmt: skip
"""Programs that are told of themselves and start another: the subcommands that do (empty: the program itself)."""

RUNNER_FLAGS = frozenset({
    "-p", "--package", "--with", "--from", "--python", "--extra", "--group", "--env-file", "--project", "--directory",
    "-n", "--name", "-e", "--env", "-u", "--user", "-w", "--workdir", "-c", "--container", "-i", "-l", "-o", "-P", "-F",
    "-J", "-L", "-R", "--index", "--namespace", "--context",
})  # fmt: skip
"""Flags of runners that take the next word."""

RUNNER_OPERANDS = {"docker": 1, "podman": 1, "docker-compose": 1, "ssh": 1, "direnv": 1}
"""Words of a runner's own before what it starts: the container, the host."""

PATHS_ONLY = frozenset({
    "rm", "rmdir", "cat", "cp", "mv", "mkdir", "touch", "ls", "ll", "dir", "cd", "pushd", "vim", "vi", "nano", "emacs",
    "code", "less", "more", "head", "tail", "ln", "source", ".", "tee", "stat", "file", "wc", "sort", "uniq", "diff",
    "cmp", "du", "realpath", "readlink", "basename", "dirname", "shred", "truncate", "unlink", "tree", "bat", "open",
    "md5sum", "sha256sum", "xxd", "hexdump", "unzip", "gzip", "gunzip", "del", "copy", "move", "type", "rsync", "scp",
    "Remove-Item", "Get-Content", "Set-Content", "Copy-Item", "Move-Item", "Get-ChildItem", "New-Item", "Set-Location",
})  # fmt: skip
"""Programs whose arguments, flags apart, are paths even where they do not look it."""

AFTER_FIRST = frozenset({"chmod", "chown", "chgrp", "sed", "gsed", "awk", "gawk", "grep", "egrep", "fgrep", "rg", "ag", "ack",
                         "perl", "jq", "yq"})  # fmt: skip
"""Programs whose first argument is a mode, a pattern or a script, and the others paths."""

FIND = frozenset({"find", "fd", "fdfind", "gfind"})

NO_SUBCOMMAND = PATHS_ONLY | AFTER_FIRST | FIND | SHELLS | frozenset(WRAPPERS) | frozenset({
    "echo", "printf", "test", "[", "[[", "true", "false", ":", "exit", "return", "export", "unset", "set", "alias", "local",
    "declare", "readonly", "read", "let", "eval", "trap", "wait", "kill", "pkill", "killall", "ps", "top", "htop", "df",
    "free", "uname", "whoami", "who", "id", "groups", "hostname", "date", "cal", "sleep", "seq", "yes", "tr", "cut", "paste",
    "column", "fold", "rev", "tac", "nl", "split", "join", "comm", "bc", "expr", "dc", "tar", "zip", "7z", "bzip2", "xz",
    "zstd", "base64", "md5", "shasum", "curl", "wget", "http", "ping", "dig", "nslookup", "host", "nc", "telnet", "ftp",
    "sftp", "ssh", "ssh-keygen", "ssh-add", "traceroute", "netstat", "ss", "lsof", "ifconfig", "python", "node", "ruby",
    "php", "java", "javac", "lua", "deno-lint", "ts-node", "tsx", "tsc", "eslint", "prettier", "jest", "vitest", "mocha",
    "pytest", "py.test", "tox", "nox", "mypy", "pyright", "black", "isort", "flake8", "pylint", "bandit", "coverage-html",
    "gcc", "g++", "clang", "clang++", "cc", "c++", "ld", "ar", "rustc", "rustfmt", "gofmt", "golint", "ghc", "scala",
    "kotlinc", "swiftc", "cmake", "ninja", "ctest", "gdb", "lldb", "valgrind", "strip", "nm", "objdump", "psql", "mysql",
    "sqlite3", "mongo", "mongosh", "redis-cli", "pg_dump", "pg_restore", "mysqldump", "which", "whereis", "man", "info",
    "apropos", "clear", "reset", "history", "jobs", "fg", "bg", "disown", "umask", "ulimit", "mount", "umount", "dd", "mkfs",
    "fdisk", "lsblk", "blkid", "useradd", "userdel", "usermod", "passwd", "chsh", "su", "crontab", "at", "shutdown",
    "reboot", "halt", "poweroff", "dmesg", "mail", "sendmail", "mutt", "ffmpeg", "convert", "pandoc", "pdftotext",
    "ansible-playbook", "npx", "bunx", "uvx", "apply_patch", "applypatch", "Write-Output", "Write-Host", "Select-String",
    "Invoke-WebRequest", "Start-Process", "Stop-Process", "Invoke-RestMethod", "ConvertTo-Json", "ConvertFrom-Json",
    "Where-Object", "ForEach-Object", "Select-Object", "Out-File", "Test-Path", "Join-Path", "git-lfs", "say", "notify-send",
    "iconv", "patch", "install", "tput", "stty", "script", "entr", "fzf", "env", "printenv", "getconf", "nproc", "uptime",
    "dos2unix", "xclip", "pbcopy", "pbpaste", "locate", "look", "factor", "shuf", "numfmt", "od", "strings", "protoc",
})  # fmt: skip
"""Programs whose first argument is no subcommand."""

SCRIPTS = frozenset({"manage.py", "artisan"})
"""Scripts that are programs with subcommands of their own, however an interpreter starts them."""

INTERPRETERS = frozenset({"python", "node", "ruby", "php", "perl", "pypy", "bun", "deno"})
KEYWORDS = frozenset(
    {"if", "then", "elif", "else", "fi", "do", "done", "while", "until", "{", "}", "!", "esac", "coproc", "&"}
)
"""Shell words before a command that are no part of it."""

SKIPPED = frozenset({"for", "select", "case", "function", "[", "[[", "test", "in"})
"""Words after which a simple command names no program."""

NETWORK = frozenset(
    {"curl", "wget", "ping", "dig", "host", "nslookup", "nc", "telnet", "ssh", "http", "traceroute", "mail"}
)
"""Programs whose arguments with a dot are hosts, not files."""
