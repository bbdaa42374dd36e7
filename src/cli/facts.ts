import type { Config } from '../config.ts';
import type { FactToEnd, FactToUndo, NewFact } from '../wire/routes.ts';
import type { Query } from '../wire/wire.ts';
import { callServer } from './client.ts';
import { tellWhose } from './here.ts';
import type { Io } from './io.ts';
import { period } from './print.ts';
import { table } from './table.ts';

type Key = { type: string; key: string };

const shown = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

/** Returns a value as it was meant on the command line: JSON, or else a text. */
function parseValue(given: string): unknown {
  try {
    return JSON.parse(given);
  } catch {
    return given;
  }
}

export async function listFacts(config: Config, io: Io, options: Query<'GET /v1/facts'>): Promise<void> {
  const { facts } = await callServer(config, 'GET /v1/facts', { query: options });
  if (io.json) return io.print(facts);
  if (facts.length === 0) return io.log('No facts.');
  io.log(
    table(
      io,
      ['id', 'project', 'type', 'key', 'value', 'tier', 'since', 'until'],
      facts.map((f) => [
        f.id.slice(0, 8),
        f.project,
        f.type,
        f.key,
        shown(f.value),
        f.tier,
        f.validFrom.slice(0, 16),
        f.validUntil?.slice(0, 16) ?? null,
      ]),
      { drop: ['since', 'tier', 'until', 'project'] },
    ),
  );
}

export async function setFact(
  config: Config,
  io: Io,
  about: Key,
  value: string,
  { from, until, ...options }: Omit<NewFact, 'type' | 'key' | 'value'> & { from?: string; until?: string },
): Promise<void> {
  const body = { ...about, value: parseValue(value), validFrom: from, validUntil: until, ...options };
  const fact = await callServer(config, 'PUT /v1/facts', { body });
  if (io.json) return io.print(fact);
  const done = fact.outcome === 'confirmed' ? 'Confirmed' : 'Set';
  io.log(`${done}: ${fact.type} ${fact.key} = ${shown(fact.value)}, ${period(fact)} (tier ${fact.tier})`);
  tellWhose(io, fact.project);
}

export async function endFact(
  config: Config,
  io: Io,
  about: Key,
  options: Omit<FactToEnd, keyof Key>,
): Promise<void> {
  const { fact } = await callServer(config, 'POST /v1/facts/end', { body: { ...about, ...options } });
  if (io.json) return io.print(fact);
  io.log(`Ended: ${about.type} ${about.key}${fact ? ` = ${shown(fact.value)}, ${period(fact)}` : ''}`);
}

export async function factHistory(
  config: Config,
  io: Io,
  about: Key,
  options: Omit<Query<'GET /v1/facts/history'>, keyof Key>,
): Promise<void> {
  const { facts } = await callServer(config, 'GET /v1/facts/history', { query: { ...about, ...options } });
  if (io.json) return io.print(facts);
  if (facts.length === 0) return io.log(`Nothing was ever known of ${about.type} ${about.key}.`);
  io.log(
    table(
      io,
      ['recorded', 'believed until', 'project', 'value', 'holds', 'tier'],
      facts.map((f) => [
        f.recordedAt.slice(0, 19),
        f.recordedUntil === null ? null : `${f.recordedUntil.slice(0, 19)} (${f.closedBy})`,
        f.project,
        shown(f.value),
        period(f),
        f.tier,
      ]),
      { drop: ['tier', 'project'] },
    ),
  );
}

export async function undoFact(
  config: Config,
  io: Io,
  about: Key,
  options: Omit<FactToUndo, keyof Key>,
): Promise<void> {
  const { facts } = await callServer(config, 'POST /v1/facts/undo', { body: { ...about, ...options } });
  if (io.json) return io.print(facts);
  io.log(`Undone. ${about.type} ${about.key}:`);
  if (facts.length === 0) io.log('  no value now');
  for (const fact of facts) io.log(`  ${shown(fact.value)}, ${period(fact)} (tier ${fact.tier})`);
}

export async function eraseFact(config: Config, io: Io, id: string): Promise<void> {
  await callServer(config, 'DELETE /v1/facts/{id}', { params: { id } });
  if (io.json) return io.print({ id, done: 'erase' });
  io.log('Erased', id);
}
