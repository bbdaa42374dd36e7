import { readFileSync } from 'node:fs';
import type { Config } from '../config.ts';
import { badRequest } from '../errors/problem.ts';
import { objectIn } from '../text/json.ts';
import type { Body } from '../wire/wire.ts';
import { callServer } from './client.ts';
import { projectHere } from './here.ts';
import type { Io } from './io.ts';

// How an agent without Lore's tools answers what it is asked: with one JSON object, in its shell. Both return whether
// anything is kept.

type Given = { session: string; agent?: string; everywhere?: boolean };

/** Proposes what an agent knows about an error. The server refuses what the session's record does not hold. */
export async function remember(
  config: Config,
  io: Io,
  json: string | undefined,
  given: Given,
): Promise<boolean> {
  const proposed = await callServer(config, 'POST /v1/proposals', {
    body: {
      ...objectOf(json),
      ...(given.everywhere && { scope: 'everywhere' as const }),
      ...(await about(config, io, given)),
    },
  });
  return told(io, proposed);
}

/** Proposes a rule that an agent wrote down from a person's words. */
export async function proposeRule(
  config: Config,
  io: Io,
  json: string | undefined,
  given: Given,
): Promise<boolean> {
  const rule = objectOf(json) as Pick<Body<'POST /v1/proposals/rules'>, 'words' | 'then'>;
  const proposed = await callServer(config, 'POST /v1/proposals/rules', {
    body: { ...rule, ...(await about(config, io, given)) },
  });
  return told(io, proposed);
}

async function about(config: Config, io: Io, { session, agent = 'orchestrator' }: Given) {
  return { project: await projectHere(config, io), session, agent };
}

/** @throws Problem (400) for what is no JSON object */
function objectOf(json: string | undefined): Record<string, unknown> {
  const found = objectIn(json ?? readFileSync(0, 'utf8'));
  if (found !== null) return found;
  throw badRequest('json', 'give one JSON object, in quotes or on standard input');
}

function told(io: Io, proposed: { id: string | null; state: string; reason: string }): boolean {
  if (io.json) io.print(proposed);
  else io.log(`${proposed.state}${proposed.id === null ? '' : ` ${proposed.id}`}: ${proposed.reason}`);
  return proposed.id !== null;
}
