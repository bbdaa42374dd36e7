import { expect, test } from 'vitest';
import { errorSignatureOf } from '../../src/incidents/incidents.ts';

const failed = (error: string, more: Record<string, unknown> = {}) =>
  errorSignatureOf(
    {
      hook_event_name: 'PostToolUseFailure',
      session_id: 's',
      tool_name: 'Bash',
      tool_use_id: 't',
      tool_input: { command: 'make deploy' },
      ...more,
    },
    { target: 'make deploy', error },
  );

test.each([
  [
    "The user doesn't want to proceed with this tool use. The tool use was rejected … use the staging database",
  ],
  ['<tool_use_error>Sibling tool call errored</tool_use_error>'],
  ['[Request interrupted by user for tool use]'],
  ['Error: No such tool available: Bsh'],
])('what a person or the client refused is no error: %s', (error) => expect(failed(error)).toBeNull());

test('what Lore calls itself is no error', () => {
  expect(failed('not found', { tool_name: 'mcp__plugin_lore_lore__search' })).toBeNull();
  expect(failed('Exit code 1\nboom', { agent_type: 'lore:reviewer' })).toBeNull();
  expect(failed('not found', { tool_name: 'mcp__folklore__search' })).not.toBeNull();
});

test.each([
  ['lore plan claim 68dc 3', 'Exit code 127\n/bin/bash: line 1: lore: command not found'],
  ['lore plan complete 68dc 3', 'Exit code 1\nlore: Step is taken. Another agent works on it.'],
  ['npx lore plan note 68dc 3 "done"', 'Exit code 1\nnpm error could not determine executable to run'],
  ['node /opt/lore/bin/lore.js notes add x', 'Exit code 3\nlore: No server answers.'],
  ['cd web && lore plan claim 68dc 3', 'Exit code 127\nzsh: command not found: lore'],
  ['make deploy && lore plan complete 68dc 3', 'Exit code 127\nbash: line 1: lore: command not found'],
])('what Lore cannot do is no error of the project: %s', (command, error) => {
  expect(failed(error, { tool_input: { command } })).toBeNull();
});

test.each([
  [
    'make deploy && lore plan complete 68dc 3',
    'Exit code 2\nmake: *** No rule to make target deploy.  Stop.',
  ],
  ['make deploy; lore notes add x', 'Exit code 127\nerror: cannot deploy\nbash: lore: command not found'],
  ['folklore build', 'Exit code 127\nbash: folklore: command not found'],
  ['node tools/explore.js', 'Exit code 1\nError: no such table'],
])('what fails beside it is one: %s', (command, error) => {
  expect(failed(error, { tool_input: { command } })).not.toBeNull();
});

test('every tool that runs a shell line has a command', () => {
  const error = 'Exit code 1\nerror: cannot deploy';
  expect(failed(error, { tool_name: 'PowerShell' })?.salient).toBe('error: cannot deploy');
  const none = { tool_name: 'PowerShell', tool_input: { command: 'grep x a.txt' } };
  expect(failed('Exit code 1', none)).toBeNull();
});

test('checks of a pull request that have failed are an answer', () =>
  expect(failed('Exit code 8\nlint\tpending\t0', { tool_input: { command: 'gh pr checks 3' } })).toBeNull());
