import type { Config } from '../config.ts';
import { callServer } from './client.ts';
import { type Output, period, print, queryOf, table } from './print.ts';

type Fact = {
  id: string;
  type: string;
  key: string;
  value: unknown;
  project: string | null;
  tier: string;
  validFrom: string;
  validUntil: string | null;
  recordedAt: string;
  recordedUntil: string | null;
  closedBy: string | null;
};
type Key = { type: string; key: string };
type Options = Record<string, string | undefined>;

const shown = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

/** Returns a value as it was meant on the command line: JSON, or else a text. */
function parseValue(given: string): unknown {
  try {
    return JSON.parse(given);
  } catch {
    return given;
  }
}

export async function listFacts(config: Config, output: Output, options: Options): Promise<void> {
  const { facts } = await callServer<{ facts: Fact[] }>(config, 'GET', `/v1/facts?${queryOf(options)}`);
  if (output.json) return print(facts);
  if (facts.length === 0) return console.log('No facts.');
  console.log(
    table(
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
    ),
  );
}

export async function setFact(
  config: Config,
  output: Output,
  about: Key,
  value: string,
  { from, until, ...options }: Options,
): Promise<void> {
  const body = { ...about, value: parseValue(value), validFrom: from, validUntil: until, ...options };
  const fact = await callServer<Fact & { outcome: string }>(config, 'PUT', '/v1/facts', body);
  if (output.json) return print(fact);
  const done = fact.outcome === 'confirmed' ? 'Confirmed' : 'Set';
  console.log(
    `${done}: ${fact.type} ${fact.key} = ${shown(fact.value)}, ${period(fact)} (tier ${fact.tier})`,
  );
}

export async function endFact(config: Config, output: Output, about: Key, options: Options): Promise<void> {
  const { fact } = await callServer<{ fact: Fact | null }>(config, 'POST', '/v1/facts/end', {
    ...about,
    ...options,
  });
  if (output.json) return print(fact);
  console.log(`Ended: ${about.type} ${about.key}${fact ? ` = ${shown(fact.value)}, ${period(fact)}` : ''}`);
}

export async function factHistory(
  config: Config,
  output: Output,
  about: Key,
  options: Options,
): Promise<void> {
  const path = `/v1/facts/history?${queryOf({ ...about, ...options })}`;
  const { facts } = await callServer<{ facts: Fact[] }>(config, 'GET', path);
  if (output.json) return print(facts);
  if (facts.length === 0) return console.log(`Nothing was ever known of ${about.type} ${about.key}.`);
  console.log(
    table(
      ['recorded', 'believed until', 'project', 'value', 'holds', 'tier'],
      facts.map((f) => [
        f.recordedAt.slice(0, 19),
        f.recordedUntil === null ? null : `${f.recordedUntil.slice(0, 19)} (${f.closedBy})`,
        f.project,
        shown(f.value),
        period(f),
        f.tier,
      ]),
    ),
  );
}

export async function undoFact(config: Config, output: Output, about: Key, options: Options): Promise<void> {
  const { facts } = await callServer<{ facts: Fact[] }>(config, 'POST', '/v1/facts/undo', {
    ...about,
    ...options,
  });
  if (output.json) return print(facts);
  console.log(`Undone. ${about.type} ${about.key}:`);
  if (facts.length === 0) console.log('  nothing holds');
  for (const fact of facts) console.log(`  ${shown(fact.value)}, ${period(fact)} (tier ${fact.tier})`);
}

export async function eraseFact(config: Config, output: Output, id: string): Promise<void> {
  await callServer(config, 'DELETE', `/v1/facts/${encodeURIComponent(id)}`);
  if (output.json) return print({ id, done: 'erase' });
  console.log('Erased', id);
}
