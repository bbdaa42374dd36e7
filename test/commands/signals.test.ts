import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { hookSession } from '../support/hook-session.ts';
import { temporaryFolder } from '../support/left-behind.ts';
import { sharedServer } from '../support/server.ts';
import { tablesOf, testLines } from '../support/tables.ts';

// The server runs in this process, so this process, its parent and its group are what must not be stopped.

const server = await sharedServer({ model: false, owner: true });
const project = join(temporaryFolder(), 'shop');
mkdirSync(join(project, '.git'), { recursive: true });
const elsewhere = temporaryFolder();

/** Starts a process in a folder that descends from nothing of Lore. */
const started = (cwd: string): number => {
  const id = Number(
    execFileSync('sh', ['-c', 'sleep 600 >/dev/null 2>&1 & echo $!'], { cwd, encoding: 'utf8' }),
  );
  processes.push(id);
  return id;
};
const processes: number[] = [];
afterAll(() => {
  for (const id of processes) process.kill(id);
});

// a name that no other process has
// no other run of the tests on this machine has a process of this name; longer ones are cut
const NAME = `sentry-${process.pid}`;
process.title = NAME;
const own = process.pid;
const group = Number(
  /\) \S \d+ (\d+)/.exec(execFileSync('cat', [`/proc/${own}/stat`], { encoding: 'utf8' }))?.[1],
);
const thread = readdirSync(`/proc/${own}/task`).find((id) => Number(id) !== own) as string;
const devServer = started(project);
const another = started(elsewhere);
writeFileSync(join(project, 'x.pid'), `${own}\n`);
writeFileSync(join(project, 'dev.pid'), `${devServer}\n`);
writeFileSync(join(project, 'other.pid'), `${another}\n`);

const { start, decisionOn } = hookSession(server, { cwd: project });
await start();

const known = { own, group, thread, another, devServer, parent: process.ppid, program: process.argv[1] };
testLines(tablesOf('signals', known), decisionOn);
