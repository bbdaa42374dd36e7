import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bash, inClient, realClient, until } from '../support/real-client.ts';

const client = realClient();
const { home, env, api, lore, sql, startServer, stopServer, projectWith, session } = client;

/** A program of the project that wants something which its error does not tell. */
const unless = (condition: string, error: string) =>
  `if (!(${condition})) { console.error(${JSON.stringify(error)}); process.exit(1); }\nconsole.log('done');\n`;

const makeProject = (name: string) =>
  projectWith(name, {
    'config.json': '{"pool": 2}\n',
    'check.js': unless(
      "require('node:fs').existsSync('tables.db')",
      'Error: ENOENT: no tables of the ledger',
    ),
    'make-tables.js': "require('node:fs').writeFileSync('tables.db', 'x');\n",
  });

/** Something is missing, and a script of the project makes it: what rules keep. */
const mend = (dir: string) => [
  bash('node check.js'),
  { tool: 'Read', input: { file_path: join(dir, 'config.json') } },
  bash('node make-tables.js'),
  bash('node check.js'),
  {
    tool: 'Edit',
    input: { file_path: join(dir, 'config.json'), old_string: '"pool": 2', new_string: '"pool": 20' },
  },
  { text: 'The checks pass. I raised the pool to 20 in config.json.' },
];
const idle = [{ text: 'ok' }];
const OTHER_WORDS = 'Look after the database that the ledger uses';

/** Says whether the project has a lesson: on trial, as all that rules noticed, or active, as what a person said. */
const learned = async (project: string, status: 'proposed' | 'active') =>
  (
    await sql(
      `select l.id from learnings l join projects p on p.id = l.project_id
       where p.name = '${project}' and l.status = '${status}'`,
    )
  ).length > 0;

/** A session whose id is known before it starts, so that its script can hold the command that it is asked to run. */
const named = (answer: 'remember' | 'rule', id = randomUUID()) => ({
  command: `node ${join(process.cwd(), 'bin', 'lore.js')} ${answer} -s ${id.slice(0, 8)}`,
  options: { more: ['--session-id', id] },
});
const fixture = (name: string) => readFileSync(`test/fixtures/real-client/${name}`, 'utf8');

inClient.describe(
  'the real client',
  () => {
    beforeAll(client.setUp);
    afterAll(client.tearDown);

    test('what session A found out reaches session B at the same error, and no other person', async () => {
      const app = await makeProject('app');
      await session(app, mend(app), 'Make the checks pass');
      await until(() => learned(app, 'proposed'));

      const again = async (dir: string) => {
        writeFileSync(join(dir, 'config.json'), '{"pool": 2}\n');
        rmSync(join(dir, 'tables.db'), { force: true });
        return session(dir, mend(dir), OTHER_WORDS);
      };
      const b = await again(app);
      expect(b.sent(0)).not.toContain('make-tables');
      expect(b.sent(1)).toMatch(/<lore-records>.*not yet proven.*node make-tables\.js/);
      // B did what it advises, and passed
      await until(() => learned(app, 'active'));

      const elsewhere = await makeProject('elsewhere');
      const c = await again(elsewhere);
      expect(c.sent(0)).not.toContain('lore-records');
      expect(c.sent(1)).toMatch(/<lore-records>.*the same error in \S*\/app\].*node make-tables\.js/);

      await lore(['init', app, '--remove']);
      expect(existsSync(join(app, '.claude'))).toBe(false);
      const { key } = JSON.parse(await lore(['users', 'add', 'somebody', '--json']));
      await lore(['init', app], { LORE_KEY: key });
      const d = await again(app);
      expect(d.requests).toHaveLength(6);
      for (const n of d.requests.keys()) expect(d.sent(n)).not.toContain('lore-records');
    });

    test('what a person forbade is held before the call runs', async () => {
      const app = await projectWith('held', {
        'release.js': "require('node:fs').appendFileSync('released.txt', 'x');\n",
        'check.js': "console.log('all is well');\n",
      });
      await session(app, idle, 'Never run `node release.js` here.');
      await until(() => learned(app, 'active'));
      const [call, check] = [bash('node release.js'), bash('node check.js')];
      // what was heard asks, and here nobody can answer
      const b = await session(app, [call, check], 'Good morning');
      expect(b.sent(1)).toContain('Lore: You said: “Never run `node release.js`');
      expect(b.sent(2)).toContain('all is well');
      expect(existsSync(join(app, 'released.txt'))).toBe(false);

      const [{ id }] = await sql(
        `select l.id from learnings l join projects p on p.id = l.project_id where p.name = '${app}'`,
      );
      await lore(['lessons', 'approve', id]);
      const c = await session(app, [call], 'Good morning');
      expect(c.sent(1)).toMatch(
        /Lore: A person said about this project: “Never run `node release\.js`[^"]*Only a person can lift it/,
      );
    });
    test('an agent is asked what answered an error; what it hands in is told at the next one, and silence changes nothing', async () => {
      const app = await projectWith('asked', {
        'load.js': unless(
          "process.argv.includes('--dots')",
          'Error: row 3: cannot parse date 31.12.2025 in the book of the customers',
        ),
      });
      const [fails, works] = [bash('node load.js'), bash('node load.js --dots')];
      const asks = (command: string) =>
        `and this passed with no file changed in between. Would one fact about this repository or machine, known beforehand, have saved the failed call? Then call \`${command}\` with {error, cause`;
      const silent = named('remember');
      const a = await session(app, [fails, works, { text: 'ok' }], 'Load the book', silent.options);
      expect(a.sent(2)).toContain(asks(silent.command));

      const { command, options } = named('remember');
      const answer = {
        error: 'Error: row 3: cannot parse date 31.12.2025 in the book of the customers',
        cause: 'the book of the customers has German dates',
        do: 'run it as `node load.js --dots`',
        applies_when: 'node load.js',
      };
      const answers = bash(`${command} '${JSON.stringify(answer)}'`);
      const b = await session(app, [fails, works, answers, { text: 'ok' }], 'Load the book again', options);
      expect(b.sent(1)).not.toContain('lore-records');
      expect(b.sent(2)).toContain(asks(command));
      expect(b.sent(3)).toMatch(/proposed learning:[0-9a-f]{8}/);

      const c = await session(app, [fails], 'Good morning');
      expect(c.sent(0)).not.toContain('--dots');
      expect(c.sent(1)).toContain('[proposed by an agent] run it as `node load.js --dots`');
    });

    test('what a person let run once, runs unasked in its shape; a secret that they let read is read again', async () => {
      const files = {
        'a.txt': 'alpha beta\n',
        'b.txt': 'gamma delta\n',
        '.env': 'API_KEY=9f8e7d6c5b4a39281706\n',
        'person.mjs': fixture('person.mjs'),
      };
      const app = await projectWith('allowed', files);
      for (const args of [
        ['init', '-q'],
        ['add', 'a.txt', 'b.txt'],
      ])
        execFileSync('git', ['-C', app, ...args]);
      const log = join(app, 'asked.log');
      const person = { command: process.execPath, args: [join(app, 'person.mjs'), log] };
      const more = ['--permission-prompt-tool', 'mcp__person__yes'];
      more.push('--mcp-config', JSON.stringify({ mcpServers: { person } }));
      /** what the person was asked since the last time */
      const asked = () => {
        const lines = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
        rmSync(log, { force: true });
        return lines;
      };

      const env = { tool: 'Read', input: { file_path: join(app, '.env') } };
      const turns = [bash('ptx a.txt'), env, env, bash('ptx b.txt'), { text: 'ok' }];
      const first = await session(app, turns, 'Index it', { env: { ALLOWED: 'Glob' }, more });
      expect(first.sent(1)).toContain('beta');
      expect(first.sent(2)).toContain('9f8e7d6c5b4a39281706');
      expect(first.sent(4)).toContain('delta');
      expect(asked()).toEqual(['Bash ptx a.txt', `Read ${join(app, '.env')}`]);

      const others = [bash('ptx b.txt'), bash('ptx -A a.txt'), env, { text: 'ok' }];
      await session(app, others, 'Index the other', { env: { ALLOWED: 'Glob' }, more });
      expect(asked()).toEqual(['Bash ptx -A a.txt', `Read ${join(app, '.env')}`]);
    });

    test('the client cannot approve its own denied command, whatever it tries', async () => {
      const app = await makeProject('own');
      const settings = join(app, '.claude', 'settings.local.json');
      const before = readFileSync(settings, 'utf8');
      const denied = { tool: 'Bash', input: { command: 'git push --force', description: 'push' } };
      const first = await session(app, [denied, { text: 'Denied.' }], 'Push it');
      expect(first.sent(1)).toContain('Only a person can allow it');

      // it even knows the code and the data folder, which it is not told
      type Check = { code: string; command: string };
      const { checks } = (await api('GET', '/v1/commands/checks?decision=deny')) as { checks: Check[] };
      const code = checks.find(({ command }) => command === 'git push --force')?.code as string;
      const users = (await api('GET', '/v1/keys')).keys.length;
      const cli = join(process.cwd(), 'bin', 'lore.js');
      const body = JSON.stringify({ code, decision: 'allow' });
      const url = env.LORE_URL as string;
      // programs in files are not looked into: there the server has to refuse
      const known: Record<string, string> = { body, home, cli, code };
      const program = (name: string) => fixture(name).replace(/@(\w+)@/g, (_, word) => known[word] ?? '');
      const write = (file: string, content: string) => ({
        tool: 'Write',
        input: { file_path: file, content },
      });
      const unset = 'env -u CLAUDECODE -u LORE_KEY';
      const tries: [call: object, says: RegExp][] = [
        [bash(`node ${cli} allow ${code}`), /own\.decide/],
        [bash(`npx lore allow ${code}`), /own\.decide/],
        [
          bash(`${unset} LORE_HOME=${home} script -qec 'node ${cli} allow ${code}' /dev/null <<< y`),
          /own\.decide/,
        ],
        [
          bash(`curl -X POST ${url}/v1/commands/overrule -H "Authorization: Bearer $LORE_KEY" -d '${body}'`),
          /own\.requests/,
        ],
        [bash(`curl -s -X POST $LORE_URL/v1/commands/overrule -d '${body}'`), /own\.requests/],
        [
          bash(`node -e "fetch(process.env.LORE_URL + '/v1/commands/overrule', {method: 'POST'})"`),
          /own\.requests/,
        ],
        [
          bash(`python3 -c "import urllib.request as u; u.urlopen('${url}/v1/commands/overrule', b'{}')"`),
          /own\.requests/,
        ],
        [bash(`node ${cli} sql --write --yes "delete from command_checks"`), /own\.decide/],
        [bash(`cat ${join(home, 'key')}`), /own\.data/],
        [{ tool: 'Read', input: { file_path: join(home, 'key') } }, /own\.data/],
        [bash('rm .claude/settings.local.json'), /own\.settings/],
        [write(settings, '{}'), /own\.settings|haven't granted|permission/],
        [write(join(app, 'x.py'), program('x.py')), /./],
        [bash('python3 x.py'), /refused with HTTP Error 403/],
        [write(join(app, 'x.mjs'), program('x.mjs')), /./],
        [bash('node x.mjs'), /refused with HTTP Error 403/],
        // it gives itself a terminal
        [write(join(app, 'y.py'), program('y.py')), /./],
        [bash('python3 y.py'), /Only a person can do this/],
        [denied, /Only a person can allow it/],
      ];
      const tried = await session(app, [...tries.map(([call]) => call), { text: 'Given up.' }], 'Push it');
      for (const [i, said] of tried.answers(tries.length).entries()) {
        const [call, says] = tries[i] as (typeof tries)[number];
        expect({ call, said }).toEqual({ call, said: expect.stringMatching(says) });
        expect(said).not.toContain('GOT THROUGH');
      }
      expect(readFileSync(settings, 'utf8')).toBe(before);
      expect((await api('GET', '/v1/keys')).keys).toHaveLength(users);
      expect(await sql(`select 1 from command_cache where checked_by = 'person'`)).toEqual([]);
    });

    test('a stopped server costs the session nothing, and what it missed is there once after a restart', async () => {
      const app = await makeProject('offline');
      await stopServer();
      const a = await session(app, mend(app), 'Make the checks pass');
      expect(a.requests).toHaveLength(6);
      await startServer();
      // recovery ignores the last five seconds, because their hooks may still be under way
      await sleep(5000);
      await session(app, idle, 'What is next?');
      const events = () =>
        sql(`select e.event, e.tool_name, e.tool_use_id, e.source from events e join sessions s on s.id = e.session_id
           join projects p on p.id = s.project_id where p.name = '${app}' and e.source = 'transcript' order by e.occurred_at`);
      await until(async () => (await events()).length >= 7);
      const recovered = await events();
      expect(recovered.map((e) => [e.event, e.tool_name])).toEqual([
        ['UserPromptSubmit', null],
        ['PostToolUseFailure', 'Bash'],
        ['PostToolUse', 'Read'],
        ['PostToolUse', 'Bash'],
        ['PostToolUse', 'Bash'],
        ['PostToolUse', 'Edit'],
        ['Stop', null],
      ]);
      await until(() => learned(app, 'proposed'));
      await session(app, idle, 'And now?');
      await sleep(1000);
      expect(await events()).toEqual(recovered);
    });
  },
  120_000,
);
