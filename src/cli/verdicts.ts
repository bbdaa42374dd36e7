import type { Config } from '../config.ts';
import { callServer } from './client.ts';
import { hint } from './hint.ts';
import type { Io } from './io.ts';
import { refuseAgents, visible } from './overrule.ts';
import { ago } from './print.ts';
import { table } from './table.ts';

/** Lists the verdicts of people and of the model that hold now, and the shapes of commands that people let run. */
export async function listVerdicts(config: Config, io: Io, limit: number): Promise<void> {
  const { verdicts } = await callServer(config, 'GET /v1/commands/verdicts', { query: { limit } });
  if (io.json) return io.log(JSON.stringify(verdicts, null, 2));
  if (verdicts.length === 0) return io.log('No verdict of a person or of the model holds now.');
  io.log(
    table(
      io,
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
  hint(io, 'lore verdicts drop <code> takes one back.');
}

/**
 * Removes a verdict, so that its command is judged anew.
 *
 * @throws Problem (403) for agents, (404) when no verdict has this code
 */
export async function dropVerdict(config: Config, io: Io, code: string): Promise<void> {
  refuseAgents(io, 'verdicts drop');
  await callServer(config, 'DELETE /v1/commands/verdicts/{code}', { params: { code } });
  if (io.json) io.log(JSON.stringify({ code, dropped: true }));
  else io.log('Taken back: the command is judged anew the next time.');
}
