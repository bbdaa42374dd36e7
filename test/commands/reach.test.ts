import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hookSession } from '../support/hook-session.ts';
import { temporaryFolder } from '../support/left-behind.ts';
import { withGit } from '../support/needs.ts';
import { sharedServer } from '../support/server.ts';
import { tablesOf, testLines } from '../support/tables.ts';

withGit.orSkipFile();

// What reaches Lore's rules or the client's settings in a project, with and without naming them.

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

testLines(tablesOf('reach', { port }), decisionOn);
