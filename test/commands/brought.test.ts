import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hookSession } from '../support/hook-session.ts';
import { temporaryFolder } from '../support/left-behind.ts';
import { withGit } from '../support/needs.ts';
import { sharedServer } from '../support/server.ts';

withGit.orSkipFile();

const server = await sharedServer({ model: false, owner: true });
const project = join(temporaryFolder(), 'shop');

const write = (name: string, text: string) => {
  mkdirSync(dirname(join(project, name)), { recursive: true });
  writeFileSync(join(project, name), text);
};
const run = (program: string, ...args: string[]) => execFileSync(program, args, { cwd: project });

write('package.json', '{}');
write('README.md', 'x');
write('src/a.ts', 'x');
write('packages/web/package.json', '{}');
run('git', 'init', '-q');
run('git', 'add', '.');
// what tools obey, below a folder, in a patch and in archives; and the same without it
for (const name of ['CLAUDE.md', 'package.json', '.husky/pre-commit']) write(`kit/${name}`, 'x');
write('kit/src/b.ts', 'x');
write('flows/workflows/x.yml', 'x');
write('.github/notes.md', 'x');
write('plain/src/b.ts', 'x');
for (const name of ['kit', 'plain']) run('tar', 'cf', `${name}.tar`, '-C', name, '.');
const zip = (name: string, ...files: string[]) =>
  run(
    'python3',
    '-c',
    `import sys, zipfile; z = zipfile.ZipFile('${name}', 'w'); [z.writestr(f, 'x') for f in sys.argv[1:]]`,
    ...files,
  );
zip('kit.zip', 'src/b.ts', 'CLAUDE.md', '.husky/pre-commit');
zip('plain.zip', 'src/b.ts', 'docs/c.md');
const patch = (file: string) => `--- /dev/null\n+++ b/${file}\n@@ -0,0 +1 @@\n+x\n`;
write('kit.patch', patch('src/b.ts') + patch('.github/workflows/x.yml'));
write('plain.patch', patch('src/b.ts') + patch('packages/new/package.json'));

const { start, decisionOn } = hookSession(server, { cwd: project });
await start();

describe('what tools run by themselves does not come along unasked', () => {
  test.each([
    'cp -r flows/workflows .github',
    'cp -r flows/workflows .github/',
    'mkdir -p .cargo && cp plain/config.toml .cargo/',
    'cp -r kit/. .',
    'cp -r kit/* .',
    'cp -t . kit/package.json',
    'install -t . kit/package.json',
    'cp kit/package.json packages/web',
    'mv kit/CLAUDE.md .',
    'rsync -a kit/ ./',
    'tar xf kit.tar',
    'tar -xf kit.tar ./CLAUDE.md',
    'unzip -o kit.zip',
    'pax -r -f kit.tar',
    'git apply kit.patch',
    'patch -p1 < kit.patch',
    'patch CLAUDE.md plain.patch',
    'git mv README.md CLAUDE.md',
    'mkdir -p .github/workflows && git mv src/a.ts .github/workflows/',
    'lz4 -d kit.lz4 CLAUDE.md',
    'pdftotext kit.pdf CLAUDE.md',
    'wget -q -x -nH https://example.com/.github/workflows/x.yml',
  ])('%s', async (command) => expect(await decisionOn(command)).not.toBe('allow'));
});

describe('other files do', () => {
  test.each([
    'cp -r plain/. .',
    'cp -r kit/src .',
    'cp -r kit packages/new',
    'cp README.md packages/web',
    'rsync -a --exclude CLAUDE.md --exclude package.json --exclude .husky kit/ ./',
    'tar xf plain.tar',
    'tar xf kit.tar ./src',
    'tar xf kit.tar -C packages',
    'unzip -o plain.zip',
    'git apply plain.patch',
    'git apply --stat kit.patch',
    'git mv README.md READ.md',
    'wget -q https://example.com/x.yml',
  ])('%s', async (command) => expect(await decisionOn(command)).toBe('allow'));
});
