import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../support/left-behind.ts';
import { listen } from '../support/loopback.ts';
import { withGit } from '../support/needs.ts';
import { tableOf } from '../support/tables.ts';

const script = fileURLToPath(new URL('../../hooks/session-start', import.meta.url));
const input = JSON.parse(
  readFileSync(new URL('../fixtures/hooks/SessionStart.json', import.meta.url), 'utf8'),
);
const { repoName, workTree } = createRequire(import.meta.url)(`${script}.cjs`) as {
  repoName: (url: string) => string | null;
  workTree: (cwd: string) => { root: string | null; repo: string | null; branch: string | null };
};

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const key = 'k'.repeat(24);
const answer = {
  hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'Läuft: “größer” 🚀' },
};

const folder = realpathSync(temporaryFolder());

async function serve(handler: RequestListener): Promise<string> {
  const { url, close } = await listen(handler);
  onTestFinished(close);
  return url;
}

type Run = { code: number | null; stdout: string; stderr: string };

/** Runs the hook as the client does. `stdin: null` leaves standard input open. */
function run(env: Record<string, string>, stdin: string | null = JSON.stringify(input)): Promise<Run> {
  return new Promise((done) => {
    const child = spawn(process.execPath, [script], {
      // what is told once a session is remembered there
      env: { PATH: process.env.PATH, LORE_KEY: key, TMPDIR: mkdtempSync(join(folder, 'tmp-')), ...env },
      // one that waits for a pipe would not end by itself
      timeout: 20_000,
      killSignal: 'SIGKILL',
    });
    const out: Run = { code: null, stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out.stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      out.stderr += text;
    });
    // the hook may have ended before it has read everything
    child.stdin.on('error', () => {});
    if (stdin !== null) child.stdin.end(stdin);
    child.on('close', (code) => done({ ...out, code }));
  });
}

const silent = { code: 0, stdout: '', stderr: '' };

describe('an answer', () => {
  withGit.test('is printed unchanged, and the request has the key, the event and the work tree', async () => {
    const project = join(folder, 'asked');
    mkdirSync(join(project, 'src'), { recursive: true });
    execFileSync('git', ['init', '-q', '-b', 'feature/cart', project]);
    const remote = `https://me:${'t0ken'}@GitHub.com/acme/shop.git`;
    execFileSync('git', ['-C', project, 'remote', 'add', 'origin', remote]);
    for (const file of ['tsconfig.json', 'package.json', 'main.tf']) writeFileSync(join(project, file), '');
    const seen: { request?: IncomingMessage; body: string } = { body: '' };
    const text = JSON.stringify(answer, null, 2);
    const url = await serve((request, response) => {
      seen.request = request;
      request.on('data', (piece) => {
        seen.body += piece;
      });
      request.on('end', () => response.end(text));
    });

    const event = { ...input, cwd: join(project, 'src'), prompt: 'größer' };
    expect(await run({ LORE_URL: `${url}/` }, JSON.stringify(event))).toMatchObject({
      ...silent,
      stdout: text,
    });
    expect(seen.request).toMatchObject({
      method: 'POST',
      url: '/v1/hooks',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    });
    expect(JSON.parse(seen.body)).toEqual({
      ...event,
      lore: {
        root: project,
        repo: 'github.com/acme/shop',
        branch: 'feature/cart',
        looks: true,
        deliveryId: expect.stringMatching(uuid),
        skills: [],
        commits: [],
      },
    });
  });

  it('ends the wait for a server that accepts and never answers', async () => {
    const url = await serve(() => {});
    const result = await run({ LORE_URL: url, LORE_HOOK_TIMEOUT_MS: '1000' });
    expect(result).toMatchObject({ ...silent, stdout: expect.stringContaining('has not answered within') });
  });
});

/** Returns what the person is told at a start that fails; the agent is told nothing, and the session starts. */
async function told(env: Record<string, string>, stdin?: string): Promise<unknown> {
  const { code, stdout, stderr } = await run({ LORE_HOOK_TIMEOUT_MS: '15000', ...env }, stdin);
  expect([code, stderr]).toEqual([0, '']);
  const { systemMessage, ...rest } = JSON.parse(stdout);
  expect(rest).toEqual({});
  return systemMessage;
}

describe('a word to the person alone', () => {
  const NOT_LORE = /^What answers on \S+ is not Lore \(\d+\): commands are not checked/;
  const CUT = /^Lore cannot be reached on \S+ \(.+\): commands are not checked\.$/;
  const problem = (status: number, detail: string) => (response: ServerResponse) =>
    response
      .writeHead(status, { 'content-type': 'application/problem+json' })
      .end(JSON.stringify({ detail }));
  const rows: [string, (response: ServerResponse) => void, RegExp][] = [
    [
      'a key that nobody has',
      problem(401, 'Unknown key.'),
      /does not know the key.*Run lore init again in this/,
    ],
    [
      'a key of another project',
      problem(403, 'This key is only for x.'),
      /not checked.*This key is only for x\.$/,
    ],
    [
      'a body that is too large',
      problem(413, 'A request here may have 1 MB.'),
      /not checked.*may have 1 MB\.$/,
    ],
    ['a busy database', problem(503, 'Database is busy.'), /not checked.*Database is busy\.$/],
    ['a 500', (response) => response.writeHead(500).end('{}'), NOT_LORE],
    ['plain text', (response) => response.end('all is well'), NOT_LORE],
    ['a connection closed at once', (response) => response.socket?.destroy(), CUT],
    ['no HTTP at all', (response) => response.socket?.end('220 smtp ready\r\n'), CUT],
    ['more than a megabyte', (response) => response.end(JSON.stringify({ x: 'x'.repeat(1024 * 1024) })), CUT],
  ];
  it.each(rows)('for %s', async (_, respond, says) => {
    const url = await serve((_request, response) => respond(response));
    expect(await told({ LORE_URL: url })).toMatch(says);
  });

  it('for hooks without a key, a bad address, and one that no header takes, before anything is sent', async () => {
    let requests = 0;
    const url = await serve((_request, response) => {
      requests++;
      response.end('{}');
    });
    expect(await told({ LORE_URL: url, LORE_KEY: '' })).toMatch(/no key.*not checked.*Run lore init again/);
    expect(await told({ LORE_URL: url, LORE_KEY: 'a\r\nx-injected: 1' })).toContain('not checked');
    for (const LORE_URL of ['nonsense', 'ftp://127.0.0.1'])
      expect(await told({ LORE_URL })).toContain('not checked');
    expect(requests).toBe(0);
  });

  it('once a session, when nobody listens', async () => {
    const { url, close } = await listen(() => {});
    await close();
    const patient = { LORE_HOOK_TIMEOUT_MS: '15000', TMPDIR: mkdtempSync(join(folder, 'tmp-')) };
    const session = (session_id: string) => JSON.stringify({ ...input, session_id });
    const told = await run({ LORE_URL: url, ...patient }, session('one'));
    expect(told).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(told.stdout)).toEqual({
      systemMessage: 'Lore is not running: commands are not checked. Start it: lore up',
    });
    // after a compaction, or by the plugin beside
    expect(await run({ LORE_URL: url, ...patient }, session('one'))).toMatchObject(silent);
    for (const other of ['two', '../../too']) {
      const { stdout } = await run({ LORE_URL: url, ...patient }, session(other));
      expect([other, stdout]).toEqual([other, told.stdout]);
    }
    // of a server elsewhere, nobody here can say more
    const elsewhere = url.replace('127.0.0.1', '0.0.0.0');
    const away = await run({ LORE_URL: elsewhere, ...patient }, session('three'));
    expect(JSON.parse(away.stdout)).toEqual({
      systemMessage: `Lore does not answer on ${new URL(elsewhere).host}: commands are not checked.`,
    });
  });
});

describe('silence with exit code 0', () => {
  it('and no request for input that is no object', async () => {
    let requests = 0;
    const url = await serve((_request, response) => {
      requests++;
      response.end('{}');
    });
    for (const text of ['', 'nonsense', '[]', '7'])
      expect(await run({ LORE_URL: url }, text)).toMatchObject(silent);
    expect(requests).toBe(0);
  });
});

describe('workTree agrees with git', () => {
  const git = (cwd: string, ...args: string[]) =>
    execFileSync('git', ['-C', cwd, '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();

  withGit.test('in a clone, a linked worktree, a submodule and on a detached head', () => {
    const main = join(folder, 'main');
    execFileSync('git', ['init', '-q', '-b', 'trunk', main]);
    git(main, 'remote', 'add', 'other', 'git@example.com:x/y.git');
    git(main, 'remote', 'add', 'origin', 'git@github.com:acme/shop.git');
    git(main, 'commit', '-q', '--allow-empty', '-m', 'first');
    git(main, 'worktree', 'add', '-q', '-b', 'side', '../linked');
    const linked = join(folder, 'linked');
    mkdirSync(join(linked, 'deep', 'er'), { recursive: true });
    git(main, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', main, 'sub');

    expect(workTree(main)).toEqual({ root: main, repo: 'github.com/acme/shop', branch: 'trunk' });
    expect(workTree(join(linked, 'deep', 'er'))).toEqual({
      root: linked,
      repo: 'github.com/acme/shop',
      branch: 'side',
    });
    const sub = join(main, 'sub');
    expect(workTree(sub)).toEqual({
      root: git(sub, 'rev-parse', '--show-toplevel'),
      repo: null,
      branch: 'trunk',
    });
    git(main, 'checkout', '-q', '--detach');
    expect(workTree(main).branch).toBe(git(main, 'rev-parse', '--short=7', 'HEAD'));
  });

  it('outside of one, and where .git is an empty folder', () => {
    const none = { root: null, repo: null, branch: null };
    const outside = temporaryFolder();
    mkdirSync(join(outside, '.git'));
    expect(workTree(outside)).toEqual(none);
    expect(workTree(join(outside, 'gone'))).toEqual(none);
    writeFileSync(join(outside, '.git', 'HEAD'), 'ref: refs/heads/.invalid\n');
    expect(workTree(outside)).toEqual({ root: realpathSync(outside), repo: null, branch: null });
  });
});

it.each([...tableOf('repo-names'), ['', '-']])('a repository at %s is called %s', (url = '', name) =>
  expect(repoName(url) ?? '-').toBe(name),
);
