import type { Config } from '../config.ts';
import { callServer } from './client.ts';
import { refuseAgents } from './overrule.ts';
import type { Output } from './print.ts';

/**
 * Shows whether the model may be asked for this account, or changes that.
 *
 * @throws Problem (403) when an agent wants to change it
 */
export async function spending(
  config: Config,
  output: Output,
  wanted: 'on' | 'off' | undefined,
): Promise<void> {
  if (wanted !== undefined) refuseAgents(`spending ${wanted}`);
  const settings = await (wanted === undefined
    ? callServer(config, 'GET /v1/settings')
    : callServer(config, 'PUT /v1/settings', { body: { modelSpending: wanted } }));
  if (output.json) console.log(JSON.stringify(settings));
  else if (settings.modelSpending === 'on') console.log('The model may be asked, within the daily budget.');
  else console.log('The model is asked nothing. Rules do what they can without it.');
}
