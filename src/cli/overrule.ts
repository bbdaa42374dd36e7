import type { Config } from '../config.ts';
import { callServer } from './client.ts';
import type { Output } from './print.ts';

/** Stores a person's verdict on a command that Lore denied or could not judge (`lore allow`, `lore deny`). */
export async function overrule(
  config: Config,
  output: Output,
  code: string,
  decision: 'allow' | 'deny',
  options: { once?: boolean },
): Promise<void> {
  const once = options.once === true;
  const about = await callServer<{ command: string; cwd: string }>(config, 'POST', '/v1/commands/overrule', {
    code,
    decision,
    once,
  });
  if (output.json) console.log(JSON.stringify({ ...about, decision, once }));
  else
    console.log(
      `${decision === 'allow' ? 'Allowed' : 'Denied'}${once ? ' once' : ''} in ${about.cwd}: ${about.command}`,
    );
}
