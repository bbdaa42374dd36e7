import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { VARIABLES } from '../../src/base/config.ts';
import { VOICE_KINDS } from '../../src/offers/voice.ts';
import { runLore } from '../support/process.ts';

// The documents say what is there.

const read = (path: string) => readFileSync(path, 'utf8');
const pages = readdirSync('docs').flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : []));
const DOCUMENTS = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...pages];

/** Returns a document's text without its blocks of code. */
const proseOf = (path: string) => readFileSync(path, 'utf8').replace(/^ *```[\s\S]*?^ *```/gm, '');

/** Returns the anchors that GitHub gives to the headings of a document; of two that are the same, the first one's. */
const anchorsOf = (path: string) =>
  [...proseOf(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  );

test.each(DOCUMENTS)('%s links to files and headings that are there', (path) => {
  const links = [...proseOf(path).matchAll(/\]\(([^)\s]+)\)|src="([^"]+)"/g)].map(
    ([, link, src]) => link ?? src ?? '',
  );
  const broken = links.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [file = '', anchor] = link.split('#');
    const target = file === '' ? path : join(dirname(path), file);
    return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
  });
  expect(broken).toEqual([]);
});

const SOURCES = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => join('src', name));

/** Returns what a text names in `sql/`: folders and files. */
const namedInSql = (text: string) =>
  [...text.matchAll(/(?<![\w-])sql\/[a-z_]+(?:\/[a-z_]+\.sql)?/g)].map(([name]) => name);

test('what comments and documents name in sql/ is there', () => {
  const gone = [...SOURCES, ...pages, 'CONTRIBUTING.md'].flatMap((path) =>
    namedInSql(read(path)).flatMap((name) =>
      existsSync(name) || existsSync(`${name}.sql`) ? [] : [`${path}: ${name}`],
    ),
  );
  expect(gone).toEqual([]);
});

/** Paths that documents use as examples of a project's own files. */
const EXAMPLES = ['src/a.ts'];

test('files that documents name are there', () => {
  const gone = ['README.md', 'CONTRIBUTING.md', ...pages].flatMap((document) =>
    [...read(document).matchAll(/`((?:src|test|scripts|hooks|edge-functions)\/[\w./-]+)`/g)].flatMap(
      ([, path = '']) => (existsSync(path) || EXAMPLES.includes(path) ? [] : [`${document}: ${path}`]),
    ),
  );
  expect(gone).toEqual([]);
});

test('README, package.json and the code ask for the same Node and PostgreSQL', () => {
  const [, node = ''] = /"node": ">=([\d.]+)"/.exec(read('package.json')) ?? [];
  const [, postgres = ''] = /PostgreSQL (\d+) or newer is needed/.exec(read('src/db/open.ts')) ?? [];
  expect(read('README.md')).toContain(`Node ${node} or newer`);
  expect(read('bin/lore.js')).toContain(`Node ${node} or newer`);
  expect(read('README.md')).toContain(`PostgreSQL ${postgres} or newer`);
  expect(read('docs/data.md')).toContain(`PostgreSQL ${postgres} or newer`);
});

test('docs/cli.md has every command and subcommand of the help, under its heading', async () => {
  const { stdout } = await runLore(['--help'], { env: { COLUMNS: '1000' } });
  const groups = [...stdout.matchAll(/^(.+):\n((?: {2}\w.*\n(?: {4}.+\n)*)+)/gm)].slice(1);
  const commands = groups.flatMap(([, group = '', lines = '']) =>
    [...lines.matchAll(/^ {2}(\w+) +(.+(?:\n {4}.+)*)$/gm)].map(([, name = '', text = '']) => {
      const inner = /(?:; or|background|owner only\)?): (.+)$/s.exec(text)?.[1]?.split(/,\s+/) ?? [];
      return { group, name, inner };
    }),
  );
  expect(commands.length).toBeGreaterThan(40);
  const listed = read('docs/cli.md');
  const rows = listed.split('\n').filter((line) => line.startsWith('| `'));
  const missing = commands.flatMap(({ name, inner }) => {
    const row = rows.find((line) => new RegExp(`\`lore ${name}\\b`).test(line)) ?? '';
    return [name, ...inner]
      .filter((word) => !new RegExp(`\`(lore )?${word}\\b`).test(row))
      .map((word) => `${name}: ${word}`);
  });
  expect(missing).toEqual(['help: help']);
  for (const { group } of commands) expect(listed).toContain(`\n## ${group}\n`);
});

test('docs/configuration.md has every variable and setting', () => {
  const document = read('docs/configuration.md');
  expect(VARIABLES.filter((name) => !document.includes(`\`${name}\``))).toEqual([]);
  expect(VOICE_KINDS.filter((kind) => !document.includes(`\`${kind}\``))).toEqual([]);
});
