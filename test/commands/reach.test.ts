import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hookSession } from '../support/hook-session.ts';
import { temporaryFolder } from '../support/left-behind.ts';
import { withGit } from '../support/needs.ts';
import { sharedServer } from '../support/server.ts';

withGit.orSkipFile();

const server = await sharedServer({ model: false, owner: true });
const project = join(temporaryFolder(), 'shop');
const port = new URL(server.url).port;

const write = (name: string, text: string) => {
  mkdirSync(dirname(join(project, name)), { recursive: true });
  writeFileSync(join(project, name), text);
};
const run = (program: string, ...args: string[]) => execFileSync(program, args, { cwd: project });

const HOOKS = JSON.stringify({ hooks: { PreToolUse: [{ url: `http://127.0.0.1:${port}/v1/hooks` }] } });
write('src/a.ts', `export const foo = 1; // ${port}\n`);
write('data/a.json', '{}');
write('.claude/settings.local.json', HOOKS);
write('.claude/settings.json', '{}');
write('.lore/rules.json', '{ "rules": [] }');
symlinkSync(join(project, '.lore', 'rules.json'), join(project, 'armed-link'));
run('git', 'init', '-q');
run('git', 'add', '.');
run('git', '-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '-qm', 'one');
// what patches, archives and other folders hold is not looked at
const { start, decisionOn } = hookSession(server, { cwd: project });
await start();

describe("what reaches the client's settings without naming them is not allowed", () => {
  test.each([
    `grep -rl ${port} . | xargs sed -i s/${port}/1/`,
    `grep -rlE '127|localhost' . | grep -v node_modules | xargs perl -pi -e s/127/128/`,
    `sed -i s/${port}/1/ $(grep -rl ${port} .)`,
    'find . -type f -exec sed -i s/a/b/ {} +',
    "find . -name '*.json' -exec sed -i s/a/b/ {} +",
    "find . -name '*.json' | xargs rm",
    "find . -name 'settings*' -delete",
    'git ls-files | xargs sed -i s/a/b/',
    'mv .cl* x/',
    'rm -rf .??*',
    'cp data/a.json .cl*/settings.json',
    'cp -r armed/. .',
    'cp -rT armed .',
    'rsync -a armed/ ./',
    'git apply armed.patch',
    'git am armed.patch',
    'patch -p1 < armed.patch',
    'tar xf armed.tar',
    'unzip -o armed.zip',
    '7z x armed.zip',
    'find . -type d -name .claude -exec mv {} data/ \\;',
    "find . -maxdepth 1 -name '.*' -exec mv {} data/ \\;",
    'git config core.hooksPath x',
    'git checkout other -- .claude',
    'gzip .git/config',
  ])('%s', async (command) => expect(await decisionOn(command)).not.toBe('allow'));
});

describe('what guards is named to a program that is not known to only look', () => {
  test.each([
    'git mv .cl* docs/',
    'git rm -q .lor?/rules.json',
    "git rm '.lo*'",
    "git rm ':(icase).LORE/rules.json'",
    'git -C .lore mv rules.json off.json',
    'git -C src mv ../.lore/rules.json x',
    'git config -f .lore/rules.json user.name x',
    'git stash push .claude',
    'cp -l .lore/rules.json x.json',
    'cp -s $PWD/.lore/rules.json x.json',
    'ln .lore/rules.json x.json',
    'gzip .lore/rules.json',
    "prename 's/rules/old/' .lore/rules.json",
    'cd .lore && unheard-of -j rules.json',
    'unheard-of .claude',
    'unheard-of --out=.claude/hooks/x.sh',
    'npx prettier --write .claude/settings.json',
    'bash fix.sh .lore/rules.json',
    'find .lore -type f | xargs unheard-of',
    'echo {} > armed-link',
  ])('%s is denied', async (command) => expect(await decisionOn(command)).toBe('deny'));

  test.each([
    'cat .lo*/rules.json',
    'jq . .claude/settings.json',
    'grep -n x .claude/settings.json',
    'sed -n 1,5p .claude/settings.json',
    'find .claude -type f',
    'git add .lore/rules.json',
    'git commit -m x -- .lore/rules.json',
    'git -C .lore log',
    'cp .claude/settings.json data/b.json',
    'rsync -a --exclude .claude --exclude=.git src/ data/',
    'bash .claude/hooks/format.sh',
    'git commit -m "changes ./.lore/rules.json"',
    'cloc --exclude-dir=.git,.claude .',
    'jar tf plain.zip',
  ])('%s is not denied', async (command) => expect(await decisionOn(command)).not.toBe('deny'));
});

describe('ordinary work is allowed', () => {
  test.each([
    'grep -rl foo src | xargs sed -i s/foo/bar/',
    `grep -rl --include='*.ts' ${port} . | xargs sed -i s/${port}/1/`,
    `rg -l ${port} | xargs sed -i s/${port}/1/`,
    "git ls-files '*.ts' | xargs sed -i s/foo/bar/",
    "git ls-files | grep '\\.ts$' | xargs sed -i s/foo/bar/",
    "find . -name '*.ts' -exec sed -i s/a/b/ {} +",
    "find data -name '*.json' | xargs sed -i s/a/b/",
    "find . -type f -not -path '*/.*' -exec sed -i s/a/b/ {} +",
    'mv src/*.ts data/',
    'cp -r armed/src new',
    'git apply --check plain.patch',
    'tar xzf plain.tgz -C data',
  ])('%s', async (command) => expect(await decisionOn(command)).toBe('allow'));
});
