import { setImmediate } from 'node:timers/promises';
import { createApp } from '../api/app.ts';
import { nothingOpen } from '../asking/open-errors.ts';
import { exampleCommands } from '../commands/examples.ts';
import { nothingSeen } from '../commands/written.ts';
import { asUser, type Claims } from '../db/as-user.ts';
import { CONNECTIONS } from '../db/open.ts';
import { ALONE } from '../db/servers.ts';
import { createDeliveries } from '../hooks/delivery.ts';
import type { Journal } from '../hooks/journal.ts';
import type { Entry } from '../hooks/line.ts';
import { storeInOrder } from '../hooks/store.ts';
import type { HookEvent } from '../sessions/hook-event.ts';
import { lastProject } from '../sessions/projects.ts';

// The first calls of everything are slow: code is interpreted before it is compiled, patterns are compiled, statements
// are planned. A server that has just started does all of it behind the scenes, so that no hook has to wait. The
// embedded engine is WebAssembly, which V8 compiles well only after some use: the first search takes 50 times as long as
// the thirtieth.

type Services = Parameters<typeof createApp>[0];

/** PostgreSQL plans anew for each connection: the ones that store hooks first are warmed. */
const STORING = 3;

/**
 * How many prompts it takes until the engine is fast: prompts answered by words alone, and with a vector.
 * After every `START_EVERY` prompts come a start and a call that fails.
 */
const PROMPTS = { words: 12, vectors: 16 };
const START_EVERY = 4;

/**
 * Does what hooks usually need, and stores nothing.
 *
 * @param stopped ends it early
 * @returns a function that does the rest, which needs the model
 */
export async function warmUp(
  services: Services,
  owner: { claims: Claims; key: string },
  stopped: () => boolean,
): Promise<() => Promise<void>> {
  const onPostgres = services.db.engine === 'postgres';
  const read = () => asUser(services.db, owner.claims, lastProject, { readOnly: true, urgent: true });
  // together, so that each opens a connection
  const [projectId] = await Promise.all(Array.from({ length: onPostgres ? CONNECTIONS.urgent : 1 }, read));
  const storing = Array.from({ length: onPostgres ? STORING : 1 }, () =>
    warmStoring(services, owner.claims, stopped),
  );
  await Promise.all(storing);
  const send = hooksToNowhere(services, owner.key, projectId ?? NO_PROJECT);
  await warmPrompts(send, PROMPTS.words, stopped);
  await warmCalls(send, stopped);
  return () => warmPrompts(send, PROMPTS.vectors, stopped);
}

const NO_PROJECT = '00000000-0000-0000-0000-000000000000';
const NOWHERE = '/nonexistent/lore-warm-up';
const SESSION = { session_id: 'lore-warm-up', cwd: NOWHERE };
const ERROR = 'Exit code 1\nError: Cannot find module "./warm-up"';

const bash = (command: string, id: string): Pick<HookEvent, 'tool_name' | 'tool_use_id' | 'tool_input'> => ({
  tool_name: 'Bash',
  tool_use_id: id,
  tool_input: { command },
});
const event = (name: string, fields: Partial<HookEvent> = {}): HookEvent => ({
  ...SESSION,
  hook_event_name: name,
  ...fields,
});

/**
 * Stores a session in transactions that are rolled back. They are short, because a real hook would wait for
 * them.
 */
async function warmStoring(services: Services, claims: Claims, stopped: () => boolean): Promise<void> {
  const batches = [
    [event('SessionStart', { source: 'startup' })],
    [event('UserPromptSubmit', { prompt: 'Warm up' }), event('PreToolUse', bash('npm test', '1'))],
    [
      event('PostToolUseFailure', { ...bash('npm test', '1'), error: ERROR }),
      event('PostToolUse', { ...bash('npm test', '2'), tool_response: { stdout: 'ok' } }),
    ],
    [event('Stop', { last_assistant_message: 'Done' })],
  ];
  const undo = new Error('only to warm up');
  for (const events of batches) {
    if (stopped()) return;
    const entries: Entry[] = events.map((one) => ({ claims, event: one, at: new Date().toISOString() }));
    await asUser(services.db, claims, async (tx) => {
      await storeInOrder(tx, entries, 'hook');
      throw undo;
    }).catch((error) => {
      if (error !== undo) throw error;
    });
  }
}

/** Returns a function that sends a hook event the whole way of a request, with a journal that keeps nothing. */
function hooksToNowhere(services: Services, key: string, projectId: string) {
  const journal: Journal = {
    add: () => true,
    drained: async () => {},
    isBehind: () => false,
    status: () => ({ state: null, waiting: 0, stuck: null, refused: [], elsewhere: [] }),
    retryRefused: () => 0,
    eraseRefused: () => 0,
    close: async () => {},
  };
  const session = {
    id: NO_PROJECT,
    projectId,
    root: NOWHERE,
    branch: null,
    status: 'active' as const,
    planId: null,
    starts: 1,
    arm: null,
    offered: [],
    compactedAt: 0,
    filled: null,
    skills: [],
    commits: [],
    own: { made: new Set<string>(), moved: new Set<string>(), written: new Set<string>() },
    seen: nothingSeen(),
    asking: nothingOpen(),
    passed: [],
    turnAt: 0,
    stoppedAt: 0,
  };
  const app = createApp({
    ...services,
    deliveries: createDeliveries(),
    journal,
    servers: ALONE,
    sessions: {
      of: async () => session,
      known: () => session,
      isShared: () => false,
      hear: () => {},
      lookForOthers: async () => {},
      forget: () => {},
    },
    dashboard: { touch: () => {}, flush: () => {}, stop: () => {} },
    verdicts: {
      of: async () => ({ get: () => undefined, learns: false }),
      add: () => {},
      forget: () => {},
      spend: async () => false,
      refresh: async () => {},
    },
    judgeByModel: async () => null,
    modelFor: async () => null,
    expectQuery: () => {},
  });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return async (body: HookEvent): Promise<void> => {
    await app.request('/v1/hooks', { method: 'POST', headers, body: JSON.stringify(body) });
    // a real request goes first
    await setImmediate();
  };
}

type Send = ReturnType<typeof hooksToNowhere>;

/** Sends prompts, and now and then the start of a session and a call that fails. */
async function warmPrompts(send: Send, count: number, stopped: () => boolean): Promise<void> {
  for (let n = 0; n < count && !stopped(); n++) {
    if (n % START_EVERY === 0) {
      await send(event('SessionStart', { source: 'startup', lore: { deliveryId: `${n}` } }));
      await send(event('PostToolUseFailure', { ...bash('npm test', `failed ${n}`), error: ERROR }));
    }
    await send(event('UserPromptSubmit', { prompt: `Why does the warm up of module ${n} fail?` }));
  }
}

/** Sends calls of commands, as before and after they run. */
async function warmCalls(send: Send, stopped: () => boolean): Promise<void> {
  for (const [n, command] of exampleCommands().entries()) {
    if (stopped()) return;
    const call = bash(command, String(n));
    await send(event('PreToolUse', call));
    await send(event('PostToolUse', { ...call, tool_response: { stdout: 'ok\n'.repeat(100), stderr: '' } }));
  }
}
