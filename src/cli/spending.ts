import type { Config } from '../config.ts';
import { callServer } from './client.ts';
import type { Io } from './io.ts';
import { refuseAgents } from './overrule.ts';

/**
 * Shows whether the model may be asked for this account, or changes that.
 *
 * @throws Problem (403) when an agent wants to change it
 */
export async function spending(config: Config, io: Io, wanted: 'on' | 'off' | undefined): Promise<void> {
  if (wanted !== undefined) refuseAgents(io, `spending ${wanted}`);
  const settings = await (wanted === undefined
    ? callServer(config, 'GET /v1/settings')
    : callServer(config, 'PUT /v1/settings', { body: { modelSpending: wanted } }));
  if (io.json) io.log(JSON.stringify(settings));
  else if (settings.modelSpending === 'on') io.log('The model may be asked, within the daily budget.');
  else io.log('The model is asked nothing. Rules do what they can without it.');
}
