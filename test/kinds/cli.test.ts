import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runLore } from '../support/process.ts';
import { sharedServer } from '../support/server.ts';

const server = await sharedServer({ model: false, owner: true });
const env = { LORE_HOME: server.home, LORE_URL: server.url, LORE_KEY: server.key };
const lore = (args: string[]) => runLore(args, { env });
const json = async (args: string[]) => JSON.parse((await lore([...args, '--json'])).stdout);

/** Returns the words of a line as a shell would, for lines without anything but quotes. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');

test('the commands of docs/knowledge.md work in their order', async () => {
  await server.request('POST', '/v1/projects', { body: { name: 'app' } });
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
