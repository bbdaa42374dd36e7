import type { Config } from '../config.ts';
import { Problem } from '../errors/problem.ts';
import { LEVELS, VOICE_KINDS } from '../offers/voice.ts';
import type { SettingsChange } from '../wire/routes.ts';
import { callServer } from './client.ts';
import { refuseAgents } from './overrule.ts';
import type { Output } from './print.ts';
import { table } from './table.ts';

/** What each setting is called, what it may be, and what a change of it is for the server. */
const NAMES: Record<string, { values: readonly string[]; change: (value: string) => SettingsChange }> = {
  modelSpending: { values: ['on', 'off'], change: (value) => ({ modelSpending: value as 'on' | 'off' }) },
  shapes: { values: ['on', 'off'], change: (value) => ({ shapes: value as 'on' | 'off' }) },
  ...Object.fromEntries(
    VOICE_KINDS.map((kind) => [
      `voice.${kind}`,
      { values: LEVELS, change: (value: string) => ({ voice: { [kind]: value } }) },
    ]),
  ),
};

/**
 * Lists the settings of this account, or changes one of them.
 *
 * @throws Problem (400) for an unknown name or value, (403) when an agent wants to change one
 */
export async function settings(
  config: Config,
  output: Output,
  name: string | undefined,
  value: string | undefined,
): Promise<void> {
  const known = name === undefined ? undefined : NAMES[name];
  if (name !== undefined && known === undefined)
    throw wrong(`There is no setting ${name}. There are: ${Object.keys(NAMES).join(', ')}.`);
  if (known && value !== undefined && !known.values.includes(value))
    throw wrong(`${name} may be ${known.values.join(', ')}, not ${value}.`);
  if (known && value !== undefined) refuseAgents(`settings ${name} ${value}`);
  const now =
    known && value !== undefined
      ? await callServer(config, 'PUT /v1/settings', { body: known.change(value) })
      : await callServer(config, 'GET /v1/settings');
  if (output.json) return console.log(JSON.stringify(now));
  const { voice, ...others } = now;
  const all: Record<string, unknown> = {
    ...others,
    ...Object.fromEntries(Object.entries(voice).map(([kind, level]) => [`voice.${kind}`, level])),
  };
  const rows = Object.entries(all).filter(([one]) => name === undefined || one === name);
  console.log(
    table(
      ['setting', 'value', 'may be'],
      rows.map(([one, is]) => [one, String(is), NAMES[one]?.values.join(', ') ?? '']),
    ),
  );
}

const wrong = (detail: string) => new Problem({ status: 400, title: 'No such setting', detail });
