import { describe, expect, test } from 'vitest';
import { hookSession } from '../support/hook-session.ts';
import { onTerminal as needsTerminal } from '../support/needs.ts';
import { type Finished, runLore, startLore } from '../support/process.ts';
import { sharedServer } from '../support/server.ts';

const server = await sharedServer({ model: false });
const env = { LORE_HOME: server.home, LORE_URL: server.url, LORE_KEY: server.key };
const CWD = '/home/dev/shop';

/** Runs it on a terminal of a person. */
const onTerminal = (args: string[], input: string) => runLore(args, { env, input, terminal: true });

const { decisionOn } = hookSession(server, { cwd: CWD });
/** The agent is about to run a command. Returns the decision that its client gets. */
async function asks(command: string): Promise<string> {
  const decision = await decisionOn(command);
  await server.stored();
  return decision;
}

const codeOf = async (command: string): Promise<string> => {
  const { checks } = (await server.request('GET', '/v1/commands/checks?limit=100')).body;
  return checks.find((check: { command: string }) => check.command === command).code;
};

test('without a code, a terminal lists what was denied last, with codes', async () => {
  expect(await asks('git reset --hard')).toBe('deny');
  expect(await asks('git push --force')).toBe('deny');
  expect(await asks('ls')).toBe('allow');
  const { code, stdout } = await onTerminal(['allow'], '');
  expect(code).toBe(0);
  expect(stdout).toContain(await codeOf('git reset --hard'));
  expect(stdout.indexOf('git push --force')).toBeLessThan(stdout.indexOf('git reset --hard'));
  expect(stdout).toContain('git.reset-hard');
  expect(stdout).not.toContain(await codeOf('ls'));
  const agents = await runLore(['allow'], { env: { ...env, CLAUDECODE: '1' } });
  expect([agents.code, agents.stdout]).toEqual([1, '']);
});

test('on a terminal it shows the whole command with project and rule, asks, and does what the person says', async () => {
  const command = `git reset --hard && echo ${'long '.repeat(60)}&& echo the end`;
  expect(await asks(command)).toBe('deny');
  const code = await codeOf(command);
  for (const [input, says] of [
    ['\n', 'Nothing was changed'],
    ['n\n', 'Nothing was changed'],
  ] as const) {
    const { stdout } = await onTerminal(['allow', code], input);
    expect(stdout).toContain(says);
    expect(stdout).toContain(command);
    expect(stdout).toMatch(new RegExp(`project +${CWD}\n[\\s\\S]*git.reset-hard`));
    expect(await asks(command)).toBe('deny');
  }
  const once = await onTerminal(['allow', code, '--once'], 'y\n');
  expect(once).toMatchObject({ code: 0, stdout: expect.stringContaining('Allowed once.') });
  expect([await asks(command), await asks(command)]).toEqual(['allow', 'deny']);
  expect((await onTerminal(['allow', code], 'yes\n')).stdout).toContain('Allowed.');
  expect([await asks(command), await asks(command)]).toEqual(['allow', 'allow']);
  expect((await onTerminal(['deny', code], 'y\n')).stdout).toContain('Denied.');
  expect(await asks(command)).toBe('deny');
});

test('a command cannot hide a part of itself from the person by moving the cursor', async () => {
  const command = 'git reset --hard # \u001b[2K\r\u202eharmless';
  expect(await asks(command)).toBe('deny');
  const { stdout } = await onTerminal(['allow', await codeOf(command)], 'n\n');
  expect(stdout).toContain('git reset --hard # \\x1b[2K\\x0d\\u{202e}harmless');
});

test('an unknown code, and a catastrophic rule, are told', async () => {
  expect(await onTerminal(['allow', '0'.repeat(16)], 'y\n')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('Unknown code'),
  });
  expect(await asks('rm -rf /')).toBe('deny');
  const { code, stdout } = await onTerminal(['allow', await codeOf('rm -rf /')], 'y\n');
  expect(code).toBe(1);
  expect(stdout).toContain('nobody can allow it');
  // and so nobody is asked
  expect(stdout).not.toContain('[y/N]');
  expect(await asks('rm -rf /')).toBe('deny');
});

describe('it refuses', () => {
  const command = 'git clean -fdx';
  const refused = async (finished: Promise<Finished>, why: RegExp) => {
    const { code, stdout, stderr } = await finished;
    expect(stdout + stderr).toMatch(why);
    expect(stdout + stderr).not.toContain(command);
    expect(code).toBe(1);
    expect(await asks(command)).toBe('deny');
  };

  test.each([[[]], [['--once']], [['--json']]])(
    'without a terminal, whatever the flags: %j',
    async (flags) => {
      expect(await asks(command)).toBe('deny');
      const code = await codeOf(command);
      for (const args of [
        ['allow', code, ...flags],
        ['deny', code, ...flags],
      ]) {
        await refused(runLore(args, { env, input: 'y\n' }), /Only a person can do this.*no terminal/);
      }
      expect((await runLore(['allow', code, '--yes'], { env, input: 'y\n' })).code).toBe(2);
    },
  );

  needsTerminal.test(
    "on a terminal that an agent has made, with the client's marker in its environment or above it",
    async () => {
      expect(await asks(command)).toBe('deny');
      const code = await codeOf(command);
      const marked = { ...env, CLAUDECODE: '1' };
      const why = /Only a person can do this\..*agent's shell/;
      await refused(runLore(['allow', code], { env: marked, input: 'y\n', terminal: true }), why);
      // the agent takes the marker out of the environment again
      const unset = startLore(['allow', code], {
        env: marked,
        input: 'y\n',
        terminal: true,
        unset: 'CLAUDECODE',
      });
      await refused(unset.finished, why);
    },
  );
});
