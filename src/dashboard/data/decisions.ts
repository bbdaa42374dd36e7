import { signal } from '@preact/signals';
import { api } from './api.ts';
import type { Choice } from './dashboard.ts';
import { readAnew } from './live.ts';

// Decisions of a person about commands.

/** What was decided last, so that it can be taken back at once. */
export const last = signal<{ code: string; command: string; answer: Choice } | null>(null);

/** Sends a decision. @throws Refused when the server refuses it, TypeError when it cannot be reached */
export async function decide(code: string, command: string, answer: Choice): Promise<void> {
  await api('POST /v1/commands/overrule', {
    body: { code, decision: answer === 'keep' ? 'deny' : 'allow', once: answer === 'once' },
  });
  last.value = { code, command, answer };
  await readAnew('command_checks', 'command_cache');
}

export async function takeBack(code: string): Promise<void> {
  await api('DELETE /v1/commands/verdicts/{code}', { params: { code } });
  if (last.value?.code === code) last.value = null;
  await readAnew('command_checks', 'command_cache');
}
