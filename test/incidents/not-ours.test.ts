import { expect, test } from 'vitest';
import { errorSignatureOf } from '../../src/incidents/incidents.ts';
import { jsonLines } from '../support/json-lines.ts';

const failed = (error: string, more: Record<string, unknown> = {}) =>
  errorSignatureOf(
    {
      ...{ hook_event_name: 'PostToolUseFailure', session_id: 's', tool_name: 'Bash', tool_use_id: 't' },
      ...{ tool_input: { command: 'make deploy' }, ...more },
    },
    { target: 'make deploy', error },
  );

// What a person or the client refused, what only answers, and what Lore itself cannot do, is no error of the project.
test.each(jsonLines<{ command: string; error: string; counts: boolean }>('test/incidents/not-ours.jsonl'))(
  '$command, $error: $counts',
  ({ command, error, counts }) => {
    expect(failed(error, { tool_input: { command } }) !== null).toBe(counts);
  },
);

test('what Lore calls itself is no error', () => {
  expect(failed('not found', { tool_name: 'mcp__plugin_lore_lore__search' })).toBeNull();
  expect(failed('Exit code 1\nboom', { agent_type: 'lore:reviewer' })).toBeNull();
  expect(failed('not found', { tool_name: 'mcp__folklore__search' })).not.toBeNull();
});

test('every tool that runs a shell line has a command', () => {
  const error = 'Exit code 1\nerror: cannot deploy';
  expect(failed(error, { tool_name: 'PowerShell' })?.salient).toBe('error: cannot deploy');
  const none = { tool_name: 'PowerShell', tool_input: { command: 'grep x a.txt' } };
  expect(failed('Exit code 1', none)).toBeNull();
});
