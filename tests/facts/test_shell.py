"""What a shell call does, in tables: a command line, and the actions, programs and paths it yields."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casebook.runtime.facts.shell import MAX_COMMANDS, commands


def actions(command):
    return [each.action for each in commands(command)]


def programs(command):
    return [each.program for each in commands(command)]


def paths(command):
    return [path for each in commands(command) for path in each.paths]


PLAIN = [
    ("git push", ["git push"]),
    ("git push origin main --force", ["git push"]),
    ("git -C /repo --no-pager push", ["git push"]),
    ("git -c user.name=x commit -m y", ["git commit"]),
    ("git --git-dir=/a/.git log", ["git log"]),
    ("git --version", ["git"]),
    ("/usr/bin/git push", ["git push"]),
    ("git.exe push", ["git push"]),
    ("pnpm install", ["pnpm install"]),
    ("pnpm --filter web build", ["pnpm build"]),
    ("npm i lodash", ["npm install"]),
    ("npm ci", ["npm ci"]),
    ("npm run build", ["npm run build"]),
    ("npm run build:prod -- --watch", ["npm run build:prod"]),
    ("yarn", ["yarn"]),
    ("yarn build", ["yarn build"]),
    ("docker compose up -d", ["docker compose up"]),
    ("docker compose -f dc.yml up", ["docker compose up"]),
    ("docker run --rm -it ubuntu", ["docker run"]),
    ("docker-compose down", ["docker-compose down"]),
    ("kubectl delete pod x", ["kubectl delete"]),
    ("kubectl -n prod delete pod x", ["kubectl delete"]),
    ("kubectl rollout restart deploy/api", ["kubectl rollout restart"]),
    ("helm upgrade api ./chart", ["helm upgrade"]),
    ("terraform apply -auto-approve", ["terraform apply"]),
    ("gh pr create --title x", ["gh pr create"]),
    ("aws s3 rm s3://b/k --recursive", ["aws s3 rm"]),
    ("gcloud compute instances delete vm1", ["gcloud compute instances delete"]),
    ("cargo test", ["cargo test"]),
    ("go mod tidy", ["go mod tidy"]),
    ("make -C sub test", ["make test"]),
    ("./gradlew build", ["gradle build"]),
    ("systemctl restart nginx", ["systemctl restart"]),
    ("acme deploy --prod", ["acme deploy"]),
    ("acme --prod deploy", ["acme"]),
    ("pytest -q tests", ["pytest"]),
    ("rm -rf build", ["rm"]),
    ("echo deploy", ["echo"]),
    ("cat notes", ["cat"]),
    ("python script.py push", ["python"]),
]

THROUGH = [
    ("sudo git push", ["git push"]),
    ("sudo -u deploy git push", ["git push"]),
    ("sudo -u deploy -H env A=b C=d git push", ["git push"]),
    ("env -i PATH=/bin git push", ["git push"]),
    ("A=1 B='x y' git push", ["git push"]),
    ("A=1", []),
    ("time git push", ["git push"]),
    ("nohup npm start > out.log 2>&1 &", ["npm start"]),
    ("timeout -s KILL 30 git push", ["git push"]),
    ("nice -n 10 make test", ["make test"]),
    ("command git push", ["git push"]),
    ("exec git push", ["git push"]),
    ("ls | xargs -I{} git add {}", ["ls", "git add"]),
    ("echo x | xargs -n 1 -P 4 rm", ["echo", "rm"]),
    ('bash -c "git push && npm run build"', ["git push", "npm run build"]),
    ("sh -lc 'git push'", ["git push"]),
    ("bash -euxo pipefail -c 'git push'", ["git push"]),
    ("bash deploy.sh", ["bash"]),
    ("bash -c \"bash -c 'git push'\"", ["git push"]),
    ("eval 'git push'", ["git push"]),
    ("su - bob -c 'git push'", ["git push"]),
    ("cmd /c git push", ["git push"]),
    ('powershell -Command "git push; npm test"', ["git push", "npm test"]),
]

RUNNERS = [
    ("python -m pytest -q", ["python", "pytest"]),
    ("python3.12 -m pip install x", ["python", "pip install"]),
    ("uv run pytest", ["uv run", "pytest"]),
    ("uv run --with rich python -m pytest", ["uv run", "python", "pytest"]),
    ("poetry run pytest", ["poetry run", "pytest"]),
    ("npx -y prettier@3 --write .", ["npx", "prettier"]),
    ("bundle exec rails db:migrate", ["bundle exec", "rails db:migrate"]),
    ("docker exec -it web bash -c 'rm -rf /data'", ["docker exec", "rm"]),
    ("kubectl exec pod -- ls /", ["kubectl exec", "ls"]),
    ("ssh host 'git pull && make deploy'", ["ssh", "git pull", "make deploy"]),
    ("find . -name x -exec rm {} \\;", ["find", "rm"]),
    ("python manage.py migrate", ["python", "manage.py migrate"]),
]

TOGETHER = [
    ("git add -A && git commit -m 'x' && git push", ["git add", "git commit", "git push"]),
    ("git pull; npm test || git push", ["git pull", "npm test", "git push"]),
    ("cat a | grep b | wc -l", ["cat", "grep", "wc"]),
    ("git fetch\ngit push", ["git fetch", "git push"]),
    ("(cd a && git push)", ["cd", "git push"]),
    ("{ git pull; git push; }", ["git pull", "git push"]),
    ("echo $(git push)", ["echo", "git push"]),
    ("echo `git push`", ["echo", "git push"]),
    ('echo "a $(git push) b"', ["echo", "git push"]),
    ("echo '$(git push)'", ["echo"]),
    ("x=$(git rev-parse HEAD)", ["git rev-parse"]),
    ("diff <(git show a) b.txt", ["diff", "git show"]),
    ("x=$((1+2)); git log", ["git log"]),
    ("if [ -f a ]; then git push; else npm test; fi", ["git push", "npm test"]),
    ("for f in *.py; do black $f; done", ["black"]),
    ("while true; do git push; done", ["true", "git push"]),
    ("case $x in a) git push;; *) ls;; esac", ["git push", "ls"]),
    ("! git push", ["git push"]),
    ("f() { git push; }", ["git push"]),
    ("arr=(git push); git status", ["git status"]),
    ("git push # then git pull", ["git push"]),
    ("echo a#b; git push", ["echo", "git push"]),
    ("git \\\n  push", ["git push"]),
    ("echo 'git push'; ls", ["echo", "ls"]),
    ("gi't' pu\"sh\"", ["git push"]),
    ("cat <<EOF > a.txt\ngit push\nEOF\nls", ["cat", "ls"]),
    ("cat <<'EOF'\n$(git push)\nEOF", ["cat"]),
    ("cat <<EOF\n$(git push)\nEOF", ["cat", "git push"]),
    ("bash <<EOF\ngit push\nEOF", ["git push"]),
    ("git commit -m \"$(cat <<'EOF'\nDon't :) `x`\nEOF\n)\" && git push", ["git commit", "cat", "git push"]),
    ("git push 'unclosed", ["git push"]),
    ("git push $(unclosed", ["git push", "unclosed"]),
    ("", []),
    (" ;; && | ", []),
    ("# nothing", []),
]

WINDOWS = [
    ("C:\\Git\\bin\\git.exe push", ["git push"]),
    ('& "C:\\Program Files\\Git\\bin\\git.exe" push', ["git push"]),
    ('$env:CI="1"; git push', ["git push"]),
    ("$x = Get-Content a.txt; git push", ["Get-Content", "git push"]),
    (".\\gradlew.bat build", ["gradle build"]),
]


@pytest.mark.parametrize("command,expected", PLAIN + THROUGH + RUNNERS + TOGETHER + WINDOWS)
def test_a_command_line_yields_its_programs_and_subcommands_in_order(command, expected):
    assert actions(command) == expected


@pytest.mark.parametrize(
    "command,expected",
    [
        ("git push", ["git"]),
        ("/opt/x/python3.12 -V", ["python"]),
        ("pip3 list", ["pip"]),
        ("docker compose up", ["docker"]),
        ("sudo systemctl stop x | tee log", ["systemctl", "tee"]),
    ],
)
def test_a_program_is_named_without_folder_and_version(command, expected):
    assert programs(command) == expected


@pytest.mark.parametrize(
    "command,expected",
    [
        ("rm -rf build dist", ["build", "dist"]),
        ("rm -rf -- -odd", ["-odd"]),
        ("cat 'my file.txt'", ["my file.txt"]),
        ("cp ~/a ./b", ["~/a", "./b"]),
        ("echo x > /etc/hosts", ["/etc/hosts"]),
        ("make 2>err.log >>out.log", ["out.log", "err.log"]),
        ("make > /dev/null 2>&1", []),
        ("sort < in.txt", ["in.txt"]),
        ("pytest tests/x.py::test_a -k y", []),
        ("pytest tests/x.py", ["tests/x.py"]),
        ("python tools/run.py --out=/tmp/o", ["tools/run.py", "/tmp/o"]),
        ("git add src/a.py docs", ["src/a.py", "docs"]),
        ("git push origin feature/x", []),
        ("git checkout -- src/a.py", ["src/a.py"]),
        ("curl -o out https://example.com/a.sh", []),
        ("sed -i 's/a/b/' src/a.py", ["src/a.py"]),
        ("grep -rn needle src", ["src"]),
        ("chmod +x run.sh", ["run.sh"]),
        ("docker run -v /a:/b org/image:1", []),
        ("type C:\\temp\\a.txt", ["C:\\temp\\a.txt"]),
        ("cat $HOME/.ssh/id_rsa", ["$HOME/.ssh/id_rsa"]),
        ("bash -c 'cat /etc/passwd'", ["/etc/passwd"]),
        ("while read l; do echo; done < in.txt", ["in.txt"]),
    ],
)
def test_paths_are_given_as_written_without_quotes(command, expected):
    assert sorted(paths(command)) == sorted(expected)


@pytest.mark.parametrize(
    "argv,expected",
    [
        (["git", "push"], ["git push"]),
        (["bash", "-lc", "git push && ls"], ["git push", "ls"]),
        (["git push"], ["git push"]),
        (["git", "commit", "-m", "a; rm -rf /"], ["git commit"]),
        ([], []),
        ([None, 3], ["3"]),
    ],
)
def test_a_list_of_arguments_is_one_command_whose_words_are_not_split(argv, expected):
    assert actions(argv) == expected


HOSTILE = [
    ";" * 200_000, "$(" * 100_000, '"$(' * 60_000, "`" * 200_000, "\\a" * 100_000, "${" * 100_000, "(" * 200_000,
    "<<a " * 50_000, "$(cat <<a\n" * 20_000, ">a " * 60_000, "sudo " * 40_000, "bash -c " * 20_000, "'" * 200_001,
    "C:\\a" * 50_000, "a" * 1_000_000, "cat <<x\n" + "y\n" * 400_000, "git push && " * 20_000,
]  # fmt: skip


@pytest.mark.timeout(10)
@pytest.mark.parametrize("command", HOSTILE, ids=lambda text: text[:8])
def test_a_hostile_command_is_read_in_bounded_time(command):
    assert len(commands(command)) <= MAX_COMMANDS


def test_what_stands_after_a_long_document_is_still_seen():
    assert actions("cat > a <<EOF\n" + "x y z\n" * 50_000 + "EOF\ngit push") == ["cat", "git push"]


@pytest.mark.parametrize(
    "before", ["echo a; " * 10_000, "ab " * 43_000 + "; ", ";" * 130_000, "".join(f"p{at}; " for at in range(2_000))]
)
def test_what_stands_after_as_much_as_a_system_runs_is_still_seen(before):
    assert "git push" in actions(f"{before}git push")


SHELLISH = st.text(alphabet="ab git push'\"`$(){}[]<>|&;\\\n\t#=-/~*?!0é推\x00\ud800", max_size=60)


@settings(max_examples=400, deadline=None)
@given(SHELLISH | st.text(max_size=40))
def test_no_text_raises(command):
    for each in commands(command):
        assert each.action.startswith(each.program)
        assert each.program


@settings(max_examples=100, deadline=None)
@given(st.lists(SHELLISH | st.none() | st.integers(), max_size=6))
def test_no_list_raises(argv):
    commands(argv)
