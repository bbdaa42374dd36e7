import { parse } from 'unbash';
import { beforeEach, expect, test, vi } from 'vitest';
import { errorSignature } from '../../src/incidents/signature.ts';
import { classify } from '../../src/language/intent.ts';
import { hookSession } from '../support/hook-session.ts';
import { temporaryFolder } from '../support/left-behind.ts';
import { startTestServer } from '../support/server.ts';

// What a hook event says is read once, although its answer needs it, and so does storing it. The readers are the real
// ones; they are only counted.

vi.mock('unbash', { spy: true });
vi.mock('../../src/language/intent.ts', { spy: true });
vi.mock('../../src/incidents/signature.ts', { spy: true });

const server = await startTestServer({ LORE_MODEL_DIR: '' });
const session = hookSession(server, { cwd: temporaryFolder() });
await session.start();
const timesParsed = (line: string) => vi.mocked(parse).mock.calls.filter(([text]) => text === line).length;

beforeEach(() => vi.clearAllMocks());

/** Has a line run: the client asks about it, and then tells how it went. */
async function runs(command: string, how: Record<string, unknown>) {
  const call = { tool_name: 'Bash', tool_input: { command }, tool_use_id: `toolu_${command.length}` };
  await session.send('PreToolUse', call);
  await session.send('error' in how ? 'PostToolUseFailure' : 'PostToolUse', { ...call, ...how });
  await server.settled();
}

test.each([
  ['a line', 'npx vitest run src/cart.test.ts'],
  ['a line with a folder and a filter', 'cd web && npm test 2>&1 | tail -20'],
])('%s is parsed once: before it runs, after it has run, and when both are stored', async (_, line) => {
  await runs(line, { tool_response: { stdout: 'ok', stderr: '', interrupted: false } });
  expect(timesParsed(line)).toBe(1);
});

test('a line that is too long to be remembered is parsed once for each event, however much is asked of it', async () => {
  const line = `npm run seed -- ${'a'.repeat(3_000)}`;
  await runs(line, { tool_response: { stdout: 'ok', stderr: '', interrupted: false } });
  expect(timesParsed(line)).toBe(2);
});

test('the error of a call gets its signature once', async () => {
  await runs('npm run build', { error: 'Exit code 1\nError: Cannot find module “left-pad”' });
  expect(errorSignature).toHaveBeenCalledTimes(1);
});

test('a prompt is classified once', async () => {
  await session.prompt(
    'Refactor the payments: split the gateway, migrate its callers everywhere, and write tests for all of it.',
  );
  await server.settled();
  expect(classify).toHaveBeenCalledTimes(1);
});
