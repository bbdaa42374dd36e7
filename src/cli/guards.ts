import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Config } from '../config.ts';
import { Problem } from '../errors/problem.ts';
import type { Guard, GuardRule } from '../wire/routes.ts';
import { callServer } from './client.ts';
import type { Io } from './io.ts';
import { refuseAgents } from './overrule.ts';
import { ago, counted, plain } from './print.ts';
import { table } from './table.ts';

const stateOf = ({ state, inForce }: Guard): string => (inForce ? state : 'ended');

/** Returns how often a guard stopped a call or told its rule at one. */
export const actedOf = ({ hits, lastHitAt }: Guard): string =>
  lastHitAt === null ? 'never' : `${counted(hits, 'time')}, last ${ago(lastHitAt)}`;

/** Lists the rules of persons as data. */
export async function listGuards(
  config: Config,
  io: Io,
  options: { project?: string; limit: string },
): Promise<void> {
  const { guards } = await callServer(config, 'GET /v1/guards', { query: options });
  if (io.json) return io.print(guards);
  if (guards.length === 0) return io.log('None of your rules is about calls yet.');
  io.log(
    table(
      io,
      ['id', 'state', 'project', 'what it does', 'rule', 'acted'],
      guards.map((guard) => [
        guard.id.slice(0, 8),
        stateOf(guard),
        guard.project,
        guard.about,
        guard.lesson,
        actedOf(guard),
      ]),
      { drop: ['acted', 'project'] },
    ),
  );
}

/** Shows a guard whole: what it is about, with its examples and its rule as JSON. */
export async function showGuard(config: Config, io: Io, id: string): Promise<void> {
  const guard = await callServer(config, 'GET /v1/guards/{id}', { params: { id } });
  if (io.json) return io.print(guard);
  const line = (name: string, value: string) => io.log(`${name.padEnd(12)}${plain(value)}`);
  line('guard', guard.id);
  line('rule', `${guard.lesson} (lore:${guard.lessonId.slice(0, 8)})`);
  line('project', guard.project);
  line('does', guard.about);
  line('state', `${stateOf(guard)}${guard.reason === null ? '' : `: ${guard.reason}`}`);
  line('written by', guard.source);
  line('past calls', `about ${guard.pastHits} of ${guard.pastCalls}`);
  line('acted', actedOf(guard));
  for (const one of guard.rule.breaks) line('about', shown(one));
  for (const one of guard.rule.keeps) line('not about', shown(one));
  io.log(plain(JSON.stringify(guard.rule, null, 2)));
}

const shown = ({ tool, input }: GuardRule['breaks'][number]): string =>
  typeof input.command === 'string' ? input.command : `${tool} ${JSON.stringify(input)}`;

/**
 * Pauses a guard or lets it act again.
 *
 * @throws Problem (403) for agents
 */
export async function setGuard(config: Config, io: Io, id: string, state: 'on' | 'paused'): Promise<void> {
  refuseAgents(io, `guards ${state === 'on' ? 'resume' : 'pause'}`);
  tellChanged(io, await callServer(config, 'PATCH /v1/guards/{id}', { params: { id }, body: { state } }));
}

/**
 * Replaces the rule of a guard with that of a file.
 *
 * @throws Problem (403) for agents, (400) if the file is not JSON or the rule does not fit; it names the field
 */
export async function editGuard(
  config: Config,
  io: Io,
  id: string,
  options: { file: string },
): Promise<void> {
  refuseAgents(io, 'guards edit');
  const rule = ruleIn(resolve(io.cwd, options.file));
  tellChanged(io, await callServer(config, 'PUT /v1/guards/{id}', { params: { id }, body: rule }));
}

function ruleIn(file: string): GuardRule {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const detail = `${file}: ${(error as Error).message}. lore guards show <id> prints a rule to begin with.`;
    throw new Problem({ status: 400, title: 'Not a rule', detail });
  }
}

function tellChanged(io: Io, guard: Guard): void {
  const { state, about, reason } = guard;
  if (io.json) io.print(guard);
  else io.log(plain(state === 'on' ? `It is active: ${about}.` : `It is not active: ${reason}.`));
}
