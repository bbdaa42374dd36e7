import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bash, inClient, realClient } from '../support/real-client.ts';

// What attaching changes: the agent's shell finds Lore, and what the genuine client asks about in each of the three modes. Nobody answers its questions, so what it asks about does
// not run, and its model is told so.
const client = realClient();
const { projectWith, session, lore, sql } = client;

/** What the client says about a call that it would have asked a person about. */
const ASKED = 'requires approval';

inClient.describe('in the genuine client', () => {
  let app = '';
  beforeAll(async () => {
    await client.setUp();
    app = await projectWith('modes', {
      'package.json': '{ "name": "modes", "scripts": { "hello": "echo hello_from_the_script" } }\n',
    });
    execFileSync('git', ['init', '-q'], { cwd: app });
  });
  afterAll(client.tearDown);

  const mode = (permissions: string) => lore(['init', app, '--permissions', permissions]);

  /** Tries commands in one session, and returns what the model was told about each. */
  async function answersTo(lines: string[], allowed: string): Promise<string[]> {
    const env = { ALLOWED: allowed };
    const { answers } = await session(app, [...lines.map(bash), { text: 'Done.' }], 'Go on', { env });
    return answers(lines.length);
  }

  test('the agent’s shell finds lore', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    const [said] = await answersTo(['lore --version'], 'Read');
    expect(said).toContain(version);
  });

  test('allow: what is harmless runs, and the client asks about what others see', async () => {
    await mode('allow');
    const [hello, request, pushed] = await answersTo(
      ['npm run hello', 'gh pr create --fill', 'git push --force origin main'],
      'Read',
    );
    expect(hello).toContain('hello_from_the_script');
    expect(request).toContain(ASKED);
    expect(pushed).toContain('Lore: ');
  });

  test('deny-only: what is harmless is the client’s question, and what does harm is denied', async () => {
    expect(await mode('deny-only')).toContain('mode deny-only');
    const [hello, pushed] = await answersTo(['npm run hello', 'git push --force origin main'], 'Read');
    expect(hello).toContain(ASKED);
    expect(pushed).toContain('Lore: ');
  });

  test('judge-only: the client decides alone, and the check is recorded', async () => {
    await mode('judge-only');
    const line = 'git push --force elsewhere main';
    const [asked] = await answersTo([line], 'Read');
    expect(asked).toContain(ASKED);
    const [ran] = await answersTo([line], 'Bash');
    expect(ran).toContain("failed to push some refs to 'elsewhere'");
    const rows = await sql(
      "select decision, source, rule from command_checks where command like 'git push --force elsewhere%'",
    );
    expect(rows).toHaveLength(2);
    expect(new Set(rows.map((row) => Object.values(row).join(' ')))).toEqual(
      new Set(['ask none git.force-push']),
    );
  });
});
