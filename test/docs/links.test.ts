import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const DOCUMENTS = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...readdirSync('docs').flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])),
];
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
