import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/left-behind.ts';
import { needs } from '../support/needs.ts';
import { type Step, scriptedOpenAI } from '../support/scripted-openai.ts';
import { sharedServer } from '../support/server.ts';

// The genuine Codex, opencode and Copilot against a scripted model, with what `lore init --client` wrote. Each runs only
// where a variable names its binary: LORE_CODEX, LORE_OPENCODE (with @opencode-ai/plugin in the same node_modules, which
// opencode would else fetch), LORE_COPILOT. Nothing but loopback is reached.

const run = promisify(execFile);
const server = await sharedServer();

const CHECK = `const { pool } = require('./config.json');
if (pool < 10) {
  console.error('Error: connection pool exhausted: timeout waiting for a free database connection (pool size ' + pool + ')');
  console.error('    at check (/home/dev/app/check.js:3:9)');
  process.exit(1);
}
console.log('42 checks passed');
`;
const CONFIG = '{\n  "pool": 2\n}\n';
const SAID =
  'The connection pool was too small for the parallel workers, so I raised pool to 20 in config.json.';
const PUSH = 'git push --force origin main';

type Client = {
  binary: string | undefined;
  shell(command: string): Step;
  edit(dir: string): Step[];
  /** prepares the person's home for a model */
  configure(place: { home: string; dir: string; model: string }): void;
  args(prompt: string): string[];
  env(model: string): NodeJS.ProcessEnv;
};

const plain = (command: string) => ({ tool: 'bash', input: { command, description: 'run it' } });

const CLIENTS: Record<string, Client> = {
  codex: {
    binary: process.env.LORE_CODEX,
    shell: (cmd) => ({ tool: 'exec_command', input: { cmd } }),
    edit: () => [
      {
        patch:
          '*** Begin Patch\n*** Update File: config.json\n@@\n-  "pool": 2\n+  "pool": 20\n*** End Patch',
      },
    ],
    configure: ({ home, dir, model }) => {
      mkdirSync(join(home, '.codex'), { recursive: true });
      const config = `model = "gpt-5.5"
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "danger-full-access"
[model_providers.scripted]
name = "scripted"
base_url = "${model}"
wire_api = "responses"
env_key = "MODEL_KEY"
[projects."${dir}"]
trust_level = "trusted"`;
      writeFileSync(join(home, '.codex', 'config.toml'), config);
    },
    // a person trusts the hooks in a dialog
    args: (prompt) => ['exec', '--skip-git-repo-check', '--dangerously-bypass-hook-trust', prompt],
    env: () => ({ MODEL_KEY: 'x' }),
  },
  opencode: {
    binary: process.env.LORE_OPENCODE,
    shell: plain,
    edit: (dir) => {
      const filePath = join(dir, 'config.json');
      return [
        { tool: 'read', input: { filePath } },
        { tool: 'edit', input: { filePath, oldString: '"pool": 2', newString: '"pool": 20' } },
      ];
    },
    configure: ({ home, dir, model }) => {
      const own = join(home, '.config', 'opencode');
      const [modules = ''] = /^.*\/node_modules(?=\/)/.exec(process.env.LORE_OPENCODE ?? '') ?? [];
      for (const folder of [own, join(dir, '.opencode')]) {
        mkdirSync(folder, { recursive: true });
        if (!existsSync(join(folder, 'node_modules'))) symlinkSync(modules, join(folder, 'node_modules'));
        cpSync(join(modules, '..', 'package.json'), join(folder, 'package.json'));
        cpSync(join(modules, '..', 'package-lock.json'), join(folder, 'package-lock.json'));
      }
      const scripted = {
        ...{ npm: '@ai-sdk/openai-compatible', name: 'scripted' },
        ...{ options: { baseURL: model, apiKey: 'x' }, models: { m1: { name: 'm1', tool_call: true } } },
      };
      const models = { model: 'scripted/m1', small_model: 'scripted/m1', provider: { scripted } };
      const config = { ...models, autoupdate: false, share: 'disabled' };
      writeFileSync(join(own, 'opencode.json'), JSON.stringify(config));
    },
    args: (prompt) => ['run', prompt],
    env: () => ({
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    }),
  },
  copilot: {
    binary: process.env.LORE_COPILOT,
    shell: plain,
    edit: (dir) => [
      {
        tool: 'edit',
        input: { path: join(dir, 'config.json'), old_str: '"pool": 2', new_str: '"pool": 20' },
      },
    ],
    configure: () => {},
    args: (prompt) => ['-p', prompt, '--allow-all-tools'],
    env: (model) => ({
      COPILOT_PROVIDER_BASE_URL: model,
      COPILOT_PROVIDER_TYPE: 'openai',
      COPILOT_PROVIDER_API_KEY: 'x',
      COPILOT_MODEL: 'm1',
      COPILOT_OFFLINE: 'true',
    }),
  },
};

for (const [name, client] of Object.entries(CLIENTS)) {
  const what = `the genuine ${name} (LORE_${name.toUpperCase()})`;
  needs(what, client.binary).describe(what, () => {
    const folder = client.binary === undefined ? '' : temporaryFolder();
    const [home, dir, lores] = ['home', 'app', 'lore'].map((part) => join(folder, part)) as [
      string,
      string,
      string,
    ];

    /** Runs one session. Returns all that its model was sent, as text, the last request last. */
    async function session(script: Step[], prompt: string): Promise<string[]> {
      const model = await scriptedOpenAI(script);
      try {
        client.configure({ home, dir, model: model.url });
        const { PATH } = process.env;
        const env = { PATH, HOME: home, ...client.env(model.url) };
        const going = run(client.binary as string, client.args(prompt), { cwd: dir, env, timeout: 150_000 });
        // they would wait for more of the prompt
        going.child.stdin?.end();
        await going;
        return model.requests.map((request) => JSON.stringify(request));
      } finally {
        await model.close();
      }
    }

    test('is denied a command, is learned from, tells the next session, and is left as it was', async () => {
      for (const made of [home, dir, lores]) mkdirSync(made);
      await run('git', ['init', '-q', dir]);
      writeFileSync(join(dir, 'check.cjs'), CHECK);
      writeFileSync(join(dir, 'config.json'), CONFIG);
      const { key } = await server.member();
      const env = { ...process.env, HOME: home, LORE_HOME: lores, LORE_URL: server.url, LORE_KEY: key };
      const lore = (...args: string[]) => run('node', ['bin/lore.js', ...args], { env });
      await lore('init', '--client', name, dir);
      if (name === 'codex') {
        client.configure({ home, dir, model: 'http://127.0.0.1:9/v1' });
        const PATH = `${dirname(client.binary as string)}:${process.env.PATH}`;
        // it has problems to tell
        const doctor = await run('node', ['bin/lore.js', 'doctor'], {
          env: { ...env, PATH, MODEL_KEY: 'x' },
        }).catch((error: { stdout: string }) => error);
        expect(doctor.stdout).toMatch(/PROBLEM other clients Codex skips 6 hooks in .*type \/hooks in codex/);
      }

      // Codex names its tools by their server
      const tools: Step[] =
        name === 'codex'
          ? [
              { namespace: 'mcp__lore', tool: 'search', input: { query: 'when is the ledger closed' } },
              { namespace: 'mcp__lore', tool: 'note', input: { text: 'It was closed on a Thursday.' } },
            ]
          : [];
      const noted = { content: 'The ledger is closed on the third working day.', project: dir };
      await server.request('POST', '/v1/notes', { key, body: noted });
      const check = client.shell('node check.cjs');
      const first = await session(
        [...tools, check, client.shell(PUSH), ...client.edit(dir), check, { text: SAID }],
        'Make the checks pass',
      );
      expect(first.at(-1)).toContain('overwrites or deletes what others have on the remote');
      expect(first.at(-1)).toContain('42 checks passed');
      // the agent has Lore's tools
      expect(first.join()).toMatch(/mcp__lore|lore[-_]search/);
      await server.settled();
      if (tools.length > 0) {
        expect(first.at(-1)).toContain('third working day');
        const { notes } = (await server.request('GET', `/v1/notes?project=${dir}`, { key })).body;
        expect(notes[0]).toMatchObject({
          content: 'It was closed on a Thursday.',
          sender: 'codex-mcp-client',
        });
      }
      const { learnings } = (await server.request('GET', '/v1/learnings', { key })).body;
      expect(learnings).toMatchObject([{ status: 'proposed', why: SAID }]);
      const { sessions } = (await server.request('GET', '/v1/sessions', { key })).body;
      expect(sessions).toMatchObject([{ filesModified: [join(dir, 'config.json')] }]);

      writeFileSync(join(dir, 'config.json'), CONFIG);
      const second = await session([check, { text: 'done' }], 'Run the checks');
      expect(second[0]).not.toContain('raised pool to 20');
      expect(second.at(-1)).toMatch(/\[not yet proven\][^\n]*pool[^\n]*20/);

      await lore('init', '--client', name, '--remove', dir);
      const { stdout } = await run('git', ['-C', dir, 'status', '--short', '--untracked-files=all']);
      const left = stdout
        .split('\n')
        .filter((line) => /lore|hooks\.json|opencode\.json|config\.toml/.test(line));
      expect(left).toEqual([]);
      expect(readFileSync(join(dir, 'config.json'), 'utf8')).toBe(CONFIG);
    }, 400_000);
  });
}
