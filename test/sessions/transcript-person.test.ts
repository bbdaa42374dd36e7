import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { promptInTranscript, rejections } from '../../src/sessions/transcript-person.ts';
import { temporaryFolder } from '../support/left-behind.ts';
import { tableOf } from '../support/tables.ts';

// What a person said according to a transcript. Its lines (person.jsonl) are as the client writes them, shortened.

const TOKEN = `ghp_${'k3J9'.repeat(9)}`;
const LONG = 'Look at the importer. '.repeat(400);
const folder = temporaryFolder();
const session = randomUUID();
const path = join(folder, `${session}.jsonl`);
const write = (file: string, lines: string) =>
  writeFileSync(file, lines.replaceAll('‹token›', TOKEN).replaceAll('‹long›', LONG));
const fixture = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
write(path, fixture('person.jsonl'));
mkdirSync(join(folder, session, 'subagents'), { recursive: true });
write(join(folder, session, 'subagents/agent-a1.jsonl'), fixture('person-agent.jsonl'));

test.each(tableOf('transcript-person', { long: LONG.slice(0, 6000) }))(
  'whether a person’s prompt stands in it: %s',
  async (prompt = '', expected) => {
    expect(await promptInTranscript(path, session, prompt)).toBe(expected);
  },
);

test('is unknown without a transcript, for another session, and before anything is written', async () => {
  expect(await promptInTranscript('/nonexistent/x.jsonl', 'x', 'hello')).toBe('unknown');
  expect(await promptInTranscript(path, randomUUID(), 'Use pnpm, not npm.')).toBe('unknown');
  const other = randomUUID();
  const empty = join(folder, `${other}.jsonl`);
  writeFileSync(empty, '{"type":"mode","mode":"normal"}\n');
  expect(await promptInTranscript(empty, other, 'hello')).toBe('unknown');
});

test('what a person says when rejecting a call is read with the call, redacted, within the turn', async () => {
  const hints = await rejections(path, new Date('2026-11-20T10:00:00Z'), new Date('2026-11-20T10:30:00Z'));
  expect(hints.map(({ toolUseId, tool, hint }) => [toolUseId, tool, hint])).toEqual([
    ['t1', 'Bash', 'use the staging database, never prod'],
    // who says nothing has rejected it too
    ['t2', 'Edit', null],
    ['s1', 'Bash', 'not before the tests passed'],
    ['t3', 'Edit', expect.stringMatching(/^keep the old name,\nand the token is \[redacted:github\]$/)],
  ]);
  expect(hints[0]?.command).toContain('psql');
  expect(hints[3]?.command).toBeNull();
  expect(JSON.stringify(hints)).not.toContain('k3J9');
  expect(hints[0]?.at).toEqual(new Date('2026-11-20T10:00:02Z'));
});
