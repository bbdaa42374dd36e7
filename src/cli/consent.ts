import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PERMISSIONS, type Permissions } from '../commands/permissions.ts';
import { makeFolder } from '../files/make-folder.ts';
import { writeAtomically } from '../files/write-atomically.ts';
import type { Cli } from './commands.ts';
import { answerTo, confirmed } from './confirm.ts';
import { projectIn } from './here.ts';
import { mayAsk } from './io.ts';
import { hint, plain } from './print.ts';

// What a person is asked when they attach a project: what Lore may answer, and whether a model or an agent may be asked.

/** What each mode means for the client's questions. */
const MEANING: Record<Permissions, string> = {
  allow:
    'what is known to be harmless runs without a question. What others see, what leaves this machine and what installs or starts other people’s code stays your client’s question. What does harm is denied',
  'deny-only': 'what does harm is denied. All else stays your client’s question',
  'judge-only': 'nothing. It only records what it would have said',
};

/** `isNew`: it was attached just now; `user`: for all projects */
type About = { dir: string; user: boolean; isNew: boolean; wanted: Permissions | undefined };

/**
 * Tells a person that Lore answers the client’s permission questions where it was attached, and settles what it may say: as
 * `wanted` says, else by asking on a terminal, else as it is set.
 */
export async function settlePermissions({ config, io, call }: Cli, about: About): Promise<void> {
  const { dir, user, isNew, wanted } = about;
  if ((await call('GET /v1/me')).scope !== 'person') return;
  const project = user ? null : await projectIn(config, dir);
  const { permissions: usual, projectPermissions } = await call('GET /v1/settings');
  const now = (project === null ? undefined : projectPermissions[project]) ?? usual;
  let mode = wanted ?? now;
  if (wanted === undefined && isNew && mayAsk(io)) {
    io.log('Lore answers the client’s permission questions. What may it say?');
    for (const [i, one] of PERMISSIONS.entries()) hint(io, `  ${i + 1}  ${one}: ${MEANING[one]}`, '     ');
    const numbers = PERMISSIONS.map((_, i) => String(i + 1));
    const question = `1, 2 or 3 [${PERMISSIONS.indexOf(now) + 1}] `;
    const answer = await answerTo(io, question, [...numbers, ...PERMISSIONS], now);
    mode = PERMISSIONS.find((one, i) => answer === one || answer === String(i + 1)) ?? now;
  }
  if (mode !== now) {
    const own = project === null ? null : { [project]: mode === usual ? null : mode };
    await call('PUT /v1/settings', {
      body: own === null ? { permissions: mode } : { projectPermissions: own },
    });
  }
  if (io.json) return;
  const [where, option] = project === null ? ['in all projects', ''] : ['there', ` -p ${project}`];
  const others = PERMISSIONS.filter((one) => one !== mode).join('|');
  hint(
    io,
    plain(
      `Lore answers the client’s permission questions ${where}, mode ${mode}: ${MEANING[mode]}. To change it: lore settings permissions ${others}${option}`,
    ),
  );
}

/** Keeps, in the data folder, that the person was asked, and what they answered. */
function keepAnswer({ config }: Cli, file: string, answer: string): void {
  makeFolder(config.home);
  writeAtomically(join(config.home, file), `${answer}\n`, { mode: 0o600 });
}

/** Returns the state of the models if none is set up and a person at the terminal was not asked yet; else null. */
async function toAsk({ config, io, call }: Cli, file: string): Promise<{ claudeOffered: boolean } | null> {
  if (!mayAsk(io) || existsSync(join(config.home, file))) return null;
  if ((await call('GET /v1/me')).scope !== 'person') return null;
  const model = await call('GET /v1/model');
  return model.provider === 'none' ? model : null;
}

const LOGIN = `No language model is set up, so plain rules write the lessons. Your own Claude Code login can do it better: it would read turns in which something failed or you stated something, in the background, at most twice a session and 60 times a day, on your plan. Secrets are taken out before. The page and lore spending off stop it. May Lore use it?`;

/**
 * Settles whether the owner's own Claude Code login may be asked: as `wanted` says, else by asking once, on a terminal,
 * if there is a login to ask and no other model.
 */
export async function settleModel(cli: Cli, wanted: 'claude' | 'none' | undefined): Promise<void> {
  const { io, call } = cli;
  if (wanted === undefined && !(await toAsk(cli, 'claude-answer'))?.claudeOffered) return;
  const answer = wanted ?? ((await confirmed(io, 'The use of your login', LOGIN)) ? 'claude' : 'none');
  await call('PUT /v1/settings', { body: { claudeLogin: answer === 'claude' ? 'on' : 'off' } });
  keepAnswer(cli, 'claude-answer', answer);
  if (io.json) return;
  const { provider, model } = await call('GET /v1/model');
  if (answer === 'none') io.log('Your Claude Code login is not used.');
  else if (provider === 'claude') hint(io, 'Your Claude Code login is used. lore doctor says how it does.');
  else io.log(`You agreed; but ${model ?? 'LORE_MODEL=none'} is set up, which comes first.`);
}

const ASKING =
  'After an error that it got past, and when you state something that may last, Lore can ask your agent in one line for the lesson or rule (none in most sessions, 500 tokens at most). May it?';

/** Asks once, on a terminal, whether agents may be asked. Where a model is used they are not, so then this asks nothing. */
export async function settleAsking(cli: Cli): Promise<void> {
  const { io, call } = cli;
  if ((await toAsk(cli, 'ask-answer')) === null) return;
  const answer = await answerTo(io, `${ASKING} [Y/n] `, ['yes', 'no'], 'yes');
  if (answer === 'no') await call('PUT /v1/settings', { body: { voice: { ask: 'none' } } });
  keepAnswer(cli, 'ask-answer', answer);
  hint(io, `To change it: lore settings voice.ask ${answer === 'no' ? 'few' : 'none'}`);
}
