"""Ordinary days of a coding agent: what people type and what is run, in English and Chinese. Nothing of it is a mistake."""

from __future__ import annotations

from itertools import cycle, islice

_PROMPTS = """
add a loading spinner to the {thing} page
why does the {thing} test take so long?
rename {name} to {other} everywhere
explain what {file} does
write a unit test for {name}
the {thing} button is misaligned on mobile, can you fix it
please refactor {file}, it is over 500 lines
what is the difference between {name} and {other}?
thanks, that works
looks good, continue
can you check whether {name} is still used
add pagination to the {thing} endpoint
update the README with the new install steps
there is a typo in {file}
make the error message of {name} clearer
show me the last three commits
bump the version to {version}
translate the strings in {file} to German
how do I run a single test here?
add types to {file}
the build is red since this morning, have a look
what would you change about the {thing} module?
document the {thing} API
convert {file} to async
extract {name} into its own module
generate a migration for the new {thing} column
is there a memory leak in {name}?
sort the imports in {file}
commit this with a good message
push the branch and open a pull request
deploy the {thing} service to staging
remove the feature flag for {thing}
install the {thing} plugin and show how it is configured
compare the two implementations in {file}
let's move on to the {thing} part
use a dataclass for {name}
cache the result of {name}
I get a 404 on the {thing} page, why?
add a retry with backoff around {name}
split {name} into two functions
给 {thing} 页面加一个加载动画
{name} 这个函数是干什么的？
把 {name} 改名为 {other}
帮我给 {file} 写单元测试
为什么 {thing} 接口这么慢
{thing} 按钮在手机上错位了，修一下
重构一下 {file}
更新一下 README 的安装步骤
解释一下 {file} 里的逻辑
谢谢，可以了
继续
{file} 里有个错别字
把版本号改成 {version}
给 {thing} 接口加分页
看看最近的提交
这个 {thing} 模块还能怎么优化？
提交一下代码
把 {thing} 服务部署到测试环境
{name} 和 {other} 有什么区别
安装依赖然后跑一下测试
删掉没用到的 {name}
把 {file} 翻译成英文
写一个脚本统计 {thing} 的调用次数
用中文总结一下 {file}
帮我查一下 {name} 在哪里被调用
"""
_COMMANDS = """
git status
git diff {file}
git log --oneline -{number}
git add {file} && git commit -m "Update {thing}"
git checkout -b feature/{thing}-{number}
git push -u origin feature/{thing}-{number}
git fetch --all --prune
git stash pop
git rebase origin/develop
git show HEAD~{number}:{file}
ls -la {folder}
cat {file}
sed -n '1,{number}p' {file}
grep -rn "{name}" {folder}
rg --files -g '*.ts' {folder} | head -{number}
find {folder} -name '*{thing}*' -not -path '*/node_modules/*'
pytest -q tests/test_{thing}.py
pytest -k {name} -x
python -m {thing}.cli --limit {number}
python3 -c "import {thing}; print({thing}.__file__)"
ruff check {folder} && ruff format {folder}
mypy {folder}
pnpm test -- --filter {thing}
pnpm run build
pnpm lint
pnpm dev --port 30{number}
pnpm exec tsc --noEmit
npm run {thing}
npm view {thing} version
npx prettier --check {file}
yarn build
node scripts/{thing}.mjs --count {number}
docker compose ps
docker compose logs -f --tail {number} {thing}
docker build -t {thing}:{version} .
docker images | grep {thing}
kubectl get pods -n {thing}
kubectl logs deploy/{thing} --tail={number}
kubectl describe pod {thing}-{number}
terraform plan -out {thing}.plan
cargo test {name}
cargo clippy --all-targets
cargo run --bin {thing} -- --limit {number}
go test ./{folder}/...
go vet ./...
make lint
make test
curl -s localhost:80{number}/health | jq .status
psql -c "select count(*) from {thing}"
sqlite3 {thing}.db ".schema"
mkdir -p {folder}/{thing} && touch {folder}/{thing}/index.ts
cp {file} {file}.bak
mv {folder}/{thing}.txt {folder}/{thing}.md
wc -l {file}
head -{number} {file}
tar czf {thing}.tgz {folder}
du -sh {folder}
ps aux | grep {thing}
env | sort | head -{number}
uv run python scripts/{thing}.py
uv pip list
gh pr view {number} --comments
gh run list --limit {number}
cd {folder} && git status
echo "完成 {thing}"
grep -rn "推送" {folder}
date -u
which {thing}
"""
_VALUES = """
thing cart login invoice search profile billing report upload gallery webhook session calendar
name parse_order fetchUser renderCart isValid load_config useTimer to_json hashKey retryOnce buildIndex
other readOrder getUser drawCart checkValid readConfig useClock as_json keyOf attempt makeIndex
file src/app.ts lib/cart.py web/index.html src/api/users.ts docs/guide.md internal/db.go src/main.rs a/b.sql
folder src lib web packages/ui services/api tests internal
version 1.4.0 2.0.1 0.9.3 3.2.0 1.10.2
number 10 17 24 31 38 45 52 59
"""
_FILL = {name: values for name, *values in (line.split() for line in _VALUES.splitlines() if line)}


def _filled(templates: str, count: int) -> list[str]:
    lines = [line for line in templates.splitlines() if line]
    turns = {name: cycle(values) for name, values in _FILL.items()}
    return [
        line.format(**{name: next(each) for name, each in turns.items()}) if "{" in line else line
        for line in islice(cycle(lines), count)
    ]


def prompts(count: int) -> list[str]:
    """So many ordinary prompts."""
    return _filled(_PROMPTS, count)


def commands(count: int) -> list[str]:
    """So many ordinary command lines."""
    return _filled(_COMMANDS, count)
