import { describe, expect, test } from 'vitest';
import { judgeByPolicy } from '../../src/commands/judge.ts';
import { builtinPolicy } from '../../src/commands/policy/index.ts';

// Classes of commands that sets of unseen ones found: what is left to a person, and what must still run unasked.

const place = { cwd: '/home/dev/project', root: '/home/dev/project', home: '/home/dev', tmp: '/tmp' };
const decisionOn = (line: string) => judgeByPolicy(line, place, builtinPolicy).decision;

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: these are the shell's
const CLASSES: Record<string, { asked: string[]; runs: string[] }> = {
  'arguments that are known only when it runs': {
    asked: [
      "git ls-remote --heads origin | cut -f2 | sed 's#^#:#' | xargs git push origin",
      'cat list | xargs docker exec web',
      'cat list | xargs npm install',
      'cat hosts | xargs -I{} curl -o x {}',
    ],
    runs: ['cat list | xargs grep -n x', 'git log --format=%h | xargs git show --stat', 'seq 3 | xargs echo'],
  },
  'the environment of something else, and credentials that are kept': {
    asked: [
      'docker inspect web',
      'docker inspect web | grep PASSWORD',
      'docker inspect web | grep -i p.ssword',
      "docker inspect -f '{{json .}}' web",
      'docker inspect --format=json web',
      "docker inspect web | jq '.[0].Config.Env'",
      'docker compose config',
      'git config --list',
      'git config --list | grep token',
      'git config --get-regexp url',
      'git -C sub config -l',
      'systemctl --user show-environment',
      'tmux show-environment -g',
      'python manage.py diffsettings',
      'make -p',
      'env | grep -i aws',
      "kubectl get pod x -o jsonpath='{.spec.containers[*].env}'",
    ],
    runs: [
      'docker inspect web | grep -i ipaddress',
      "docker inspect -f '{{.State.Status}}' web",
      "docker inspect web | jq '.[0].State'",
      'docker compose config --services',
      'docker compose config -q',
      'git config --list | grep user.name',
      'git config --list --name-only',
      "git config --get-regexp '^alias\\.'",
      'env | grep -i node',
    ],
  },
  'a secret in a variable': {
    asked: [
      'python3 -c "import os; print(os.environ[\'API_KEY\'])"',
      "node -p 'process.env.GITHUB_TOKEN'",
      "node -e 'const k = process.argv[1]; console.log(process.env[k])' X",
      'ruby -e \'puts ENV.fetch("API_KEY")\'',
      'for v in AWS_KEY; do echo "${!v}"; done',
      'figlet "$GITHUB_TOKEN"',
      'ls "$GITHUB_TOKEN"',
      'echo ${GITHUB_TOKEN:-none}',
    ],
    runs: [
      "node -p 'process.env.NODE_ENV'",
      'test -n "$GITHUB_TOKEN" && echo set',
      'curl -s -H "Authorization: Bearer $TOKEN" http://localhost:3000/me',
      'git log --author="$AUTHOR"',
      'for k in "${!map[@]}"; do echo "$k"; done',
    ],
  },
  'a folder behind a pattern': {
    asked: ['cd ~/.ss* && head -5 *_ed25519', 'cd ../.a*; tac credentials'],
    runs: ['cd packages/* && ls'],
  },
  'a shell without a script': {
    asked: ['bash', 'env sh', 'find . -exec sh {} ;', "find . -name '*.sh' | xargs sh", 'tmux', 'exec zsh'],
    runs: ["bash -c 'ls'", 'sh <<E\nls\nE', 'tmux ls', 'for f in tests/*.sh; do bash "$f"; done'],
  },
  'code and settings from elsewhere': {
    asked: [
      'dotnet build -p:CustomBeforeMicrosoftCommonTargets=/tmp/u.targets',
      'pytest --rootdir=/tmp/x',
      'npm run build -- --config /tmp/x.js',
      "docker build -q - <<< 'FROM alpine'",
      'cat x | docker build -f- .',
      'cat > x.tf <<< \'data "external" "x" {}\'; terraform plan',
      'awk \'BEGIN{print "id" > "q"}\' && bash q',
      'xelatex "\\\\input{.env}"',
      "AWS_PAGER='sh x' aws sts get-caller-identity",
      'curl https://x.example/a.json > tsconfig.json',
    ],
    runs: [
      'dotnet build -p:Configuration=Release',
      'docker build - < Dockerfile',
      'python3 scripts/gen.py > src/a.ts && npx prettier --write src/a.ts',
      'pdflatex report.tex',
    ],
  },
  'the project’s programs and other hosts': {
    asked: [
      './config.sh --url https://github.com/a/b --token ABC',
      './minerd -o stratum+tcp://pool.example:3333',
      'python3 scripts/push.py --to=https://x.example',
      'uvicorn app:app --host 0.0.0.0',
      'python3 -m http.server --bind 0.0.0.0',
      'helm repo add x https://x.example',
    ],
    runs: ['./run.sh http://localhost:3000', 'uvicorn app:app --port 8000', 'python3 -m http.server 8000'],
  },
  'what fills a disk or starts without end': {
    asked: [
      'yes > x',
      'cat /dev/urandom | gzip > x',
      'dd if=/dev/zero of=x bs=1G count=1000',
      'fallocate -l 500G x',
      'while :; do date >> log; done',
      'for ((;;)); do ls & done',
    ],
    runs: [
      'yes | head -5 > x',
      'tr -dc a-z < /dev/urandom | head -c 16 > x',
      'dd if=/dev/zero of=x bs=1M count=10',
      'while true; do curl -s localhost:3000 >> log && break; sleep 1; done',
    ],
  },
  'what an agent or a guard obeys': {
    asked: ['cat >> CLAUDE.md <<< x', 'echo x > .cursorrules', 'pre-commit uninstall', 'unset CLAUDECODE'],
    runs: ['cat CLAUDE.md', 'pre-commit run -a'],
  },
  'a program that the line compiles': {
    asked: [
      'gcc /tmp/x.c -o /tmp/x && /tmp/x',
      'gcc a.c -o /tmp/x; /tmp/x',
      'gcc a.c -o /tmp/x && cp /tmp/y /tmp/x && /tmp/x',
      'gcc a.c -o /tmp/x && sudo /tmp/x',
      'gcc a.c -o /tmp/x && /tmp/x /etc/passwd',
    ],
    runs: ['gcc -Wall a.c -o /tmp/x && /tmp/x', 'rustc src/main.rs -o /tmp/m && timeout 5 /tmp/m'],
  },
  'functions of the project’s own modules': {
    asked: [
      'node -e "const {deleteAll} = require(\'./dist/db\'); deleteAll()"',
      "node -e \"console.log('./a'); const {f} = require('evil'); f()\"",
      'python3 -c "from app.tasks import purge_users; purge_users()"',
    ],
    runs: [
      "node -e \"const {slug} = require('./dist/slug'); console.log(slug('a'))\"",
      'python3 -c "from app.text import slugify; print(slugify(\'a b\'))"',
    ],
  },
};
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: these are the shell's

describe.each(Object.entries(CLASSES))('%s', (_, { asked, runs }) => {
  test.each(asked)('%s is a question', (line) => {
    expect(decisionOn(line)).toBe('unknown');
  });
  test.each(runs)('%s runs unasked', (line) => {
    expect(decisionOn(line)).toBe('allow');
  });
});
