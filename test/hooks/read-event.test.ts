import { expect, test } from 'vitest';
import { errorOf, lineOf, rawLineOf, signatureOf } from '../../src/hooks/read-event.ts';
import type { HookEvent } from '../../src/sessions/hook-event.ts';
import { readLine } from '../../src/shell/line.ts';

// What an event says is read once: the answer and what is stored share one object, whose fields are made when first asked
// for and then kept.

const eventOf = (fields: Partial<HookEvent>): HookEvent => ({
  session_id: 'a',
  cwd: '/home/dev/app',
  hook_event_name: 'PreToolUse',
  ...fields,
});
const runs = (command: string, fields: Partial<HookEvent> = {}) =>
  eventOf({ tool_name: 'Bash', tool_input: { command }, ...fields });

test('a line is read once: before it runs, and after it has run', () => {
  const command = 'cd web && npm test 2>&1 | tail -20';
  const before = lineOf(runs(command));
  const after = lineOf(runs(command, { hook_event_name: 'PostToolUse' }));
  expect(after).toBe(before);
  expect(before?.tree).toBe(after?.tree);
  expect(before?.parts).toBe(after?.parts);
});

test('a line that is too long to be remembered is read once for its event', () => {
  const event = runs(`npm run seed -- ${'a'.repeat(3_000)}`);
  expect(lineOf(event)).toBe(lineOf(event));
  expect(lineOf(event)).not.toBe(readLine(lineOf(event)?.text ?? ''));
  expect(lineOf(event)?.script).toBe(lineOf(event)?.script);
});

test('the line that really runs is that of the stored event, unless redaction took something out', () => {
  const event = runs('npm test');
  expect(rawLineOf({ raw: event, event })).toBe(lineOf(event));
  const raw = runs('deploy --password hunter2');
  expect(rawLineOf({ raw, event: runs('deploy --password [REDACTED]') })?.text).toBe(
    'deploy --password hunter2',
  );
});

test('the error of a call with its signature is read once', () => {
  const failed = runs('npm run build', {
    hook_event_name: 'PostToolUseFailure',
    error: 'Exit code 1\nError: Cannot find module “left-pad”',
  });
  const call = { target: 'npm run build', error: errorOf(failed) ?? '' };
  expect(call.error).toContain('left-pad');
  expect(signatureOf(failed, call)).toBe(signatureOf(failed, call));
});
