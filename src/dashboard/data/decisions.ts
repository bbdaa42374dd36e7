import { effect, signal } from '@preact/signals';
import { api, Refused, reachable } from './api.ts';
import { type Choice, dashboardQuery } from './dashboard.ts';
import { readAnew } from './live.ts';
import { queries } from './queries.ts';
import { signIn } from './sign-in.ts';

// Decisions of a person about commands. One that cannot be sent waits here, until the server can be reached or nobody can
// use it any more.

export type Decision = { code: string; command: string; answer: Choice };
/** A decision that waits to be sent. */
export type Unsent = Decision & {
  /** until when it can be used, in milliseconds since 1970 */
  until: number;
  /** whether the command waited for it */
  awaited: boolean;
};

const KEY = 'lore.unsent';
/** how long a blocked command can be answered */
const ANSWERABLE_MS = 24 * 3_600_000;
const RETRY_MS = 3_000;

/** What was decided last, so that it can be taken back at once. */
export const last = signal<Decision | null>(null);
/** What waits to be sent. */
export const unsent = signal<Unsent[]>(JSON.parse(localStorage.getItem(KEY) ?? '[]'));
/** What came too late, or was refused, and why. */
export const late = signal<(Decision & { why: string })[]>([]);

const readDecisions = () => readAnew('command_checks', 'command_cache');

const send = ({ code, answer }: Decision) =>
  api('POST /v1/commands/overrule', {
    body: { code, decision: answer === 'keep' ? 'deny' : 'allow', once: answer === 'once' },
  });

/** Sends a decision, or keeps it until it can be sent. @throws Refused when the server refuses it */
export async function decide(code: string, command: string, answer: Choice): Promise<void> {
  const decision = { code, command, answer };
  try {
    await send(decision);
  } catch (error) {
    if (error instanceof Refused) throw error;
    const waiting = queries.getQueryData(dashboardQuery.queryKey)?.waiting.find(({ id }) => id === code);
    const until = (waiting ? Date.parse(waiting.at) : Date.now()) + ANSWERABLE_MS;
    keep([...unsent.value, { ...decision, until, awaited: waiting !== undefined }]);
    return;
  }
  last.value = decision;
  await readDecisions();
}

export async function takeBack(code: string): Promise<void> {
  await api('DELETE /v1/commands/verdicts/{code}', { params: { code } });
  if (last.value?.code === code) last.value = null;
  await readDecisions();
}

/** Forgets a decision that was not sent yet. */
export const dropUnsent = (code: string): void => keep(unsent.value.filter((one) => one.code !== code));

/** Forgets what came too late, when the person has read it. */
export const dropLate = (code: string): void => {
  late.value = late.value.filter((one) => one.code !== code);
};

function keep(decisions: Unsent[]): void {
  unsent.value = decisions;
  if (decisions.length > 0) localStorage.setItem(KEY, JSON.stringify(decisions));
  else localStorage.removeItem(KEY);
}

const tooLate = (one: Decision, why: string): void => {
  dropUnsent(one.code);
  const { code, command, answer } = one;
  late.value = [...late.value, { code, command, answer, why }];
};

let sending = false;

/** Sends what waits, as soon as the server can be reached. */
async function sendUnsent(): Promise<void> {
  if (sending || unsent.value.length === 0) return;
  sending = true;
  try {
    for (const one of unsent.value)
      if (one.until <= Date.now()) tooLate(one, 'A day has passed, and the agent has moved on.');
    if (unsent.value.length === 0) return;
    const { waiting } = await queries.fetchQuery({ ...dashboardQuery, staleTime: 0, retry: false });
    for (const one of unsent.value) {
      if (one.awaited && !waiting.some(({ id }) => id === one.code)) {
        tooLate(one, 'It was answered elsewhere, or its session has ended.');
        continue;
      }
      try {
        await send(one);
        dropUnsent(one.code);
        last.value = { code: one.code, command: one.command, answer: one.answer };
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        tooLate(one, error.message);
      }
    }
    await readDecisions();
  } catch {
    // the server is still away
  } finally {
    sending = false;
  }
}

/** Sends what waits from time to time, and when the server answers again. */
export function startSending(): () => void {
  let whose = keyNow();
  const ends = [
    // one person's decisions are not sent as the next
    effect(() => {
      const key = keyNow();
      if (signIn.value.state === 'pairing' || key === whose) return;
      whose = key;
      keep([]);
      late.value = [];
      last.value = null;
    }),
    effect(() => {
      if (reachable.value) void sendUnsent();
    }),
  ];
  const retry = setInterval(() => void sendUnsent(), RETRY_MS);
  return () => {
    clearInterval(retry);
    for (const end of ends) end();
  };
}

const keyNow = (): string | null => (signIn.value.state === 'in' ? signIn.value.key : null);
