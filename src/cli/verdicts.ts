import type { Config } from '../config.ts';
import { callServer } from './client.ts';
import { hint } from './hint.ts';
import { refuseAgents, visible } from './overrule.ts';
import { ago, type Output } from './print.ts';
import { table } from './table.ts';

/** Lists the verdicts of people and of the model that hold now, and the shapes of commands that people let run. */
export async function listVerdicts(config: Config, output: Output, limit: number): Promise<void> {
  const { verdicts } = await callServer(config, 'GET /v1/commands/verdicts', { query: { limit } });
  if (output.json) return console.log(JSON.stringify(verdicts, null, 2));
  if (verdicts.length === 0) return console.log('No verdict of a person or of the model holds now.');
  console.log(
    table(
      ['code', 'verdict', 'command', 'folder', 'by', 'used', 'given'],
      verdicts.map((one) => [
        one.code,
        `${one.decision}${one.once ? ' once' : ''}`,
        visible(one.checkedBy === 'shape' ? `${one.reason}  (from: ${one.command})` : one.command),
        visible(one.cwd),
        one.checkedBy,
        String(one.hitCount),
        ago(one.checkedAt),
      ]),
      { drop: ['used', 'by', 'given', 'folder'] },
    ),
  );
  hint('lore verdicts drop <code> takes one back.');
}

/**
 * Removes a verdict, so that its command is judged anew.
 *
 * @throws Problem (403) for agents, (404) when no verdict has this code
 */
export async function dropVerdict(config: Config, output: Output, code: string): Promise<void> {
  refuseAgents('verdicts drop');
  await callServer(config, 'DELETE /v1/commands/verdicts/{code}', { params: { code } });
  if (output.json) console.log(JSON.stringify({ code, dropped: true }));
  else console.log('Taken back: the command is judged anew the next time.');
}
