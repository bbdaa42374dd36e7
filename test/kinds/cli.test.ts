import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { runLore } from '../support/process.ts';
import { startTestServer } from '../support/server.ts';

// Starting processes takes long on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const server = await startTestServer({ LORE_MODEL_DIR: '' });
const env = { LORE_HOME: server.home, LORE_URL: server.url, LORE_KEY: server.key };
const lore = (args: string[]) => runLore(args, { env });
const json = async (args: string[]) => JSON.parse((await lore([...args, '--json'])).stdout);

/** Returns the words of a line as a shell would, for lines without anything but quotes. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');

test('the commands of docs/knowledge.md work in their order', async () => {
  await server.request('POST', '/v1/notes', {
    key: server.key,
    body: { project: 'app', content: 'It exists' },
  });
  const blocks = readFileSync('docs/knowledge.md', 'utf8').matchAll(/```sh\n(.*?)```/gs);
  const lines = [...blocks].flatMap(([, block]) =>
    (block as string).split('\n').filter((line) => line.startsWith('lore ')),
  );
  expect(lines.length).toBeGreaterThan(15);
  for (const line of lines) {
    const [{ id } = { id: '' }] = line.includes('<id>') ? await json(['decisions']) : [];
    const args = wordsOf(line.replace(/ {2,}#.*$/, '').replace('<id>', id)).slice(1);
    const { code, stderr } = await lore(args);
    expect({ line, code, stderr }).toEqual({ line, code: 0, stderr: '' });
  }
});

test('what they print', async () => {
  const about = ['tool', 'node.version'];
  expect((await lore(['facts', 'set', ...about, '20'])).stdout).toMatch(
    /^Set: tool node\.version = 20, since .* \(tier person\)\nIt is your own and holds in all projects/,
  );
  expect((await lore(['facts', 'set', ...about, '20'])).stdout).toMatch(/^Confirmed: /);
  expect((await lore(['facts', 'set', ...about, 'twenty two'])).stdout).toContain('= twenty two');
  expect((await lore(['facts', '-t', 'tool'])).stdout).toMatch(/tool\s+│ node\.version\s+│ twenty two/);
  expect((await lore(['facts', 'history', ...about])).stdout.match(/20|twenty two/g)?.length).toBeGreaterThan(
    2,
  );
  expect((await lore(['facts', 'undo', ...about])).stdout).toMatch(
    /^Undone\. tool node\.version:\n {2}20, since/,
  );
  expect(await json(['facts', '-t', 'tool'])).toMatchObject([{ value: 20 }]);
  const ofProject = await lore(['facts', 'set', 'port', 'gateway', '80', '-p', '/work/mill']);
  expect(ofProject.stdout).not.toContain('all projects');
  const refused = await lore(['facts', 'end', 'no', 'such']);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('Nothing is known of no such')]);
  const [{ id }] = await json(['facts', '-t', 'tool']);
  expect((await lore(['facts', 'erase', id])).code).toBe(0);
  expect((await lore(['facts', 'history', ...about])).stdout).toContain('Nothing was ever known');

  const edge = ['person', 'ann', 'reviews', 'file', 'src/a.ts'];
  expect((await lore(['relations', 'set', ...edge])).stdout).toMatch(
    /^Set: person ann reviews file src\/a\.ts, since/,
  );
  expect((await lore(['relations', 'around', 'person', 'ann'])).stdout).toContain(
    '1: person ann reviews file src/a.ts',
  );
  expect((await lore(['relations', 'set', ...edge, '-a', 'no'])).stderr).toContain('must be a JSON object');
  expect((await lore(['relations', 'undo', ...edge])).code).toBe(0);

  const added = await lore(['decisions', 'add', 'a release is cut', 'tag it', '--learned-from', 'us']);
  const code = /^Decided ([0-9a-f]{8}): When a release is cut: tag it\nIt is your own/.exec(
    added.stdout,
  )?.[1] as string;
  await lore(['decisions', 'add', 'a release is cut', 'sign the tag', '-s', code]);
  expect((await lore(['decisions', 'show', code])).stdout).toMatch(
    /superseded by .*“stated”; npx lore amendments undo [0-9a-f]{8}/,
  );
  expect((await lore(['amendments'])).stdout).toMatch(/stated, just now/);
  expect((await lore(['decisions', 'erase', code])).code).toBe(0);
});
