import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const SOURCES = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => join('src', name));
const DOCUMENTS = readdirSync('docs').flatMap((name) => (name.endsWith('.md') ? [join('docs', name)] : []));
const read = (path: string) => readFileSync(path, 'utf8');

/** Returns the first comment of a file: lines of `//`, or a docstring. */
const firstComment = (path: string) => /^\/\/.*(\n\/\/.*)*|^\/\*\*[\s\S]*?\*\//m.exec(read(path))?.[0] ?? '';

/** Returns what a text names in `sql/`: folders and files. */
const namedInSql = (text: string) =>
  [...text.matchAll(/(?<![\w-])sql\/[a-z_]+(?:\/[a-z_]+\.sql)?/g)].map(([name]) => name);

const NAMED_FIRST = SOURCES.flatMap((path) => namedInSql(firstComment(path)));

test.each(readdirSync('sql').filter((name) => !name.includes('.')))(
  'the room that uses sql/%s names it in the first comment of a file',
  (folder) => {
    expect(NAMED_FIRST).toContain(`sql/${folder}`);
  },
);

test('what comments and documents name in sql/ is there', () => {
  const gone = [...SOURCES, ...DOCUMENTS, 'CONTRIBUTING.md'].flatMap((path) =>
    namedInSql(read(path)).flatMap((name) =>
      existsSync(name) || existsSync(`${name}.sql`) ? [] : [`${path}: ${name}`],
    ),
  );
  expect(gone).toEqual([]);
});

/** Paths that documents use as examples of a project's own files. */
const EXAMPLES = ['src/a.ts'];

test('files that documents name are there', () => {
  const gone = ['README.md', 'CONTRIBUTING.md', ...DOCUMENTS].flatMap((document) =>
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
