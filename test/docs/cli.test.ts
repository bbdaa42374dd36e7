import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { VARIABLES } from '../../src/base/config.ts';
import { VOICE_KINDS } from '../../src/offers/voice.ts';
import { runLore } from '../support/process.ts';

// What the command and the server take is in the documents.

// starting processes takes long on a busy machine
vi.setConfig({ testTimeout: 120_000 });

const rowsOf = (path: string) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'));

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
  const listed = readFileSync('docs/cli.md', 'utf8');
  const rows = rowsOf('docs/cli.md');
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
  const document = readFileSync('docs/configuration.md', 'utf8');
  expect(VARIABLES.filter((name) => !document.includes(`\`${name}\``))).toEqual([]);
  expect(VOICE_KINDS.filter((kind) => !document.includes(`\`${kind}\``))).toEqual([]);
});
