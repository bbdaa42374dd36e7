import { PERMISSIONS, type Permissions } from '../commands/permissions.ts';
import type { Config } from '../config.ts';
import { Problem } from '../errors/problem.ts';
import { callServer } from './client.ts';
import { answerTo } from './confirm.ts';
import { projectIn } from './here.ts';
import { hint } from './hint.ts';
import { type Io, onTerminal } from './io.ts';
import { isBelowAgent } from './overrule.ts';
import { plain } from './print.ts';
import { say } from './wrap.ts';

/** What each mode means for the client's questions. */
const MEANING: Record<Permissions, string> = {
  allow:
    'what is known to be harmless runs without a question. What others see, what leaves this machine and what installs or starts other people’s code stays your client’s question. What does harm is denied',
  'deny-only': 'what does harm is denied. All else stays your client’s question',
  'judge-only': 'nothing. It only records what it would have said',
};

/** @throws Problem (403) when an agent wants to change what Lore answers */
export function refusePermissions(io: Io): void {
  if (isBelowAgent(io))
    throw new Problem({
      status: 403,
      title: 'Only a person can do this',
      detail: '--permissions changes what Lore answers agents. A person runs it in a terminal of their own.',
    });
}

/** `isNew`: it was attached just now; `user`: for all projects */
type About = { dir: string; user: boolean; isNew: boolean; wanted: Permissions | undefined };

/**
 * Tells a person that Lore answers the client’s permission questions where it was attached, and settles what it may say: as
 * `wanted` says, else by asking on a terminal, else as it is set.
 */
export async function settlePermissions(config: Config, io: Io, about: About): Promise<void> {
  const { dir, user, isNew, wanted } = about;
  if ((await callServer(config, 'GET /v1/me')).scope !== 'person') return;
  const project = user ? null : await projectIn(config, dir);
  const { permissions: usual, projectPermissions } = await callServer(config, 'GET /v1/settings');
  const own = project === null ? undefined : projectPermissions[project];
  const now = own ?? usual;
  const mayAsk = isNew && !io.json && onTerminal(io) && !isBelowAgent(io);
  const mode = wanted ?? (mayAsk ? await asked(io, now) : now);
  if (mode !== now) {
    const change =
      project === null
        ? { permissions: mode }
        : { projectPermissions: { [project]: mode === usual ? null : mode } };
    await callServer(config, 'PUT /v1/settings', { body: change });
  }
  if (io.json) return;
  const where = project === null ? '' : ` -p ${project}`;
  hint(
    io,
    plain(
      `Lore answers the client’s permission questions ${project === null ? 'in all projects' : 'there'}, mode ${mode}: ${MEANING[mode]}. To change it: lore settings permissions ${PERMISSIONS.filter((one) => one !== mode).join('|')}${where}`,
    ),
  );
}

async function asked(io: Io, now: Permissions): Promise<Permissions> {
  io.log('Lore answers the client’s permission questions. What may it say?');
  for (const [i, mode] of PERMISSIONS.entries()) say(io, `  ${i + 1}  ${mode}: ${MEANING[mode]}`, '     ');
  const numbers = PERMISSIONS.map((_, i) => String(i + 1));
  const usual = PERMISSIONS.indexOf(now) + 1;
  const answer = await answerTo(io, `1, 2 or 3 [${usual}] `, [...numbers, ...PERMISSIONS], now);
  return PERMISSIONS.find((mode, i) => answer === mode || answer === String(i + 1)) ?? now;
}
