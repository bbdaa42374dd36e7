import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { temporaryFolder } from '../support/left-behind.ts';
import { onTerminal as needsTerminal } from '../support/needs.ts';
import { runLore } from '../support/process.ts';
import { sharedServer } from '../support/server.ts';

const server = await sharedServer({ model: false });

/** A clone of the repository, in which somebody commits under this name. */
async function colleague(name: string) {
  const cwd = temporaryFolder();
  const { key } = await server.member();
  for (const args of [
    ['init', '-q'],
    ['remote', 'add', 'origin', 'https://git.example/acme/shop'],
    ['config', 'user.name', name],
  ])
    execFileSync('git', args, { cwd });
  const env = { LORE_HOME: server.home, LORE_URL: server.url, LORE_KEY: key };
  return {
    key,
    file: join(cwd, 'LORE.md'),
    lore: (...args: string[]) => runLore(args, { env, cwd }),
    says: (answer: string, ...args: string[]) =>
      runLore(args, { env, cwd, input: `${answer}\n`, terminal: true }),
    lessons: async () => (await server.request('GET', '/v1/learnings', { key })).body.learnings,
  };
}

needsTerminal.test('rules go to a colleague as a file of the repository, who says what to keep', async () => {
  const [ada, ben] = [await colleague('Ada L'), await colleague('Ben')];
  for (const rule of ['Use pnpm here, never npm', 'Before `npm test`, first run `npm run gen`'])
    expect((await ada.lore('lessons', 'add', rule)).code).toBe(0);
  expect(await ada.lore('rules', 'export')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('2 in LORE.md'),
  });
  const written = readFileSync(ada.file, 'utf8');
  expect(written).toContain(
    '- Use pnpm here, never npm — *Ada L*\n- Before `npm test`, first run `npm run gen` — *Ada L*\n',
  );

  // what a colleague wrote stays, and a file of somebody's own is not replaced
  appendFileSync(ada.file, '- Never edit gen/ — *Maria*\n');
  expect((await ada.lore('rules', 'export')).code).toBe(0);
  expect(readFileSync(ada.file, 'utf8')).toContain('## Of others\n\n- Never edit gen/ — *Maria*\n');
  writeFileSync(join(dirname(ada.file), 'notes.md'), '# My own\n');
  expect(await ada.lore('rules', 'export', 'notes.md')).toMatchObject({ code: 1 });
  writeFileSync(ada.file, written);

  // an agent, or a script, takes nothing in
  expect(await ben.lore('rules', 'import', ada.file)).toMatchObject({ code: 1 });
  expect((await ben.says('n', 'rules', 'import', ada.file)).stdout).toContain('Nothing was changed.');
  expect(await ben.lessons()).toEqual([]);
  expect((await ben.says('y', 'rules', 'import', ada.file, '--only', '2')).stdout).toContain('1 kept.');
  expect(await ben.lessons()).toMatchObject([
    {
      lesson: 'Before `npm test`, first run `npm run gen`',
      status: 'active',
      why: expect.stringContaining('written by Ada L'),
    },
  ]);
  expect((await ben.says('y', 'rules', 'import', ada.file)).stdout).toMatch(
    /1 +Use pnpm here, never npm \(by Ada L\)[\s\S]*1 kept/,
  );

  // the next export keeps the names of those who wrote a line
  await ben.lore('lessons', 'add', 'Never edit `gen/`');
  await ben.lore('rules', 'export', ada.file);
  expect(readFileSync(ada.file, 'utf8')).toMatch(/never npm — \*Ada L\*[\s\S]*Never edit `gen\/` — \*Ben\*/);
  expect((await ben.says('y', 'rules', 'import', ada.file)).stdout).toContain('Nothing in it is new here.');
});
