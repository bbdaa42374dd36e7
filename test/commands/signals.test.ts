import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { hookSession } from '../support/hook-session.ts';
import { temporaryFolder } from '../support/left-behind.ts';
import { sharedServer } from '../support/server.ts';

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

describe("a signal to Lore's server is denied", () => {
  test.each([
    `kill ${own}`,
    `kill -9 ${process.ppid}`,
    `kill -STOP ${own}`,
    `kill -s TERM -- ${own}`,
    `kill ${thread}`,
    `kill -9 -${group}`,
    `P=${own}; kill $P`,
    `bash -c 'kill -9 ${own}'`,
    `echo ${own} | xargs kill`,
    `renice 19 ${own}`,
    `renice -n 19 -p ${own}`,
    `renice -n 19 -g ${group}`,
    `gdb -p ${own}`,
    `gdb -batch -ex 'attach ${own}'`,
    `strace -p${own}`,
    `python3 -c 'import os; os.kill(${own}, 9)'`,
    `node -e 'process.kill(${own})'`,
    'pkill -HUP node',
    'pkill node',
    'killall -9 node',
    'pkill -f .',
    `pkill -f ${process.argv[1]}`,
    `kill $(pgrep -f ${process.argv[1]})`,
  ])('%s', async (command) => expect(await decisionOn(command)).toBe('deny'));
});

describe('a signal to what belongs to nobody here is left to the person', () => {
  test.each([
    `kill ${another}`,
    `kill ${devServer}`,
    'kill $(cat other.pid)',
    'kill -9 $(cat x.pid)',
    'kill $(< x.pid)',
    'cat x.pid | xargs kill',
    'xargs kill < x.pid',
    'for p in $(cat x.pid); do kill $p; done',
    'cat other.pid dev.pid | xargs kill',
    'kill $PID',
    'while read p; do kill $p; done < dev.pid',
    'kill 2147483646',
    'pkill -F other.pid',
    `echo ${own} > dev.pid; kill $(cat dev.pid)`,
    'xargs kill < other.pid',
  ])('%s', async (command) => expect(await decisionOn(command)).not.toBe('allow'));
});

test('a name that is narrowed to others is no signal to the server', async () => {
  for (const command of ['pkill -t pts/99 node', `pkill -P ${devServer} node`, `pkill -s ${devServer} node`])
    expect(await decisionOn(command), command).not.toBe('deny');
});

describe('a signal to what the line itself names as its own is allowed', () => {
  test.each([
    `kill -0 ${own}`,
    'kill %1',
    'sleep 60 & kill $!',
    'sleep 60 & p=$!; kill $p',
    'kill $(jobs -p)',
    'kill $(lsof -ti :3999)',
    'pgrep -l node',
    `python3 -c 'print(${own})'`,
  ])('%s', async (command) => expect(await decisionOn(command)).toBe('allow'));
});
