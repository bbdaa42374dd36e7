import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { Problem } from '../errors/problem.ts';
import { makeFolder } from '../files/make-folder.ts';
import { writeAtomically } from '../files/write-atomically.ts';
import { callServer } from './client.ts';
import { answerTo, confirmed } from './confirm.ts';
import { hint } from './hint.ts';
import { type Io, onTerminal } from './io.ts';
import { isBelowAgent } from './overrule.ts';

const QUESTION = `No language model is set up, so plain rules write the lessons. Your own Claude Code login can do it better: it would read turns in which something failed or you stated something, in the background, at most twice a session and 60 times a day, on your plan. Secrets are taken out before. The page and lore spending off stop it. May Lore use it?`;

/** Keeps, in the data folder, that the person was asked, and what they answered. */
function keepAnswer(config: Config, file: string, answer: string): void {
  makeFolder(config.home);
  writeAtomically(join(config.home, file), `${answer}\n`, { mode: 0o600 });
}

/** Returns the state of the models if none is set up and a person at the terminal was not asked yet; else null. */
async function mayAsk(config: Config, io: Io, file: string): Promise<{ claudeOffered: boolean } | null> {
  if (io.json || !onTerminal(io) || isBelowAgent(io) || existsSync(join(config.home, file))) return null;
  const { scope } = await callServer(config, 'GET /v1/me');
  if (scope !== 'person') return null;
  const model = await callServer(config, 'GET /v1/model');
  return model.provider === 'none' ? model : null;
}

/**
 * Settles whether the owner's own Claude Code login may be asked: as `wanted` says, else by asking once, on a terminal,
 * if there is a login to ask and no other model.
 *
 * @throws Problem (403) when an agent wants to turn it on
 */
export async function settleModel(
  config: Config,
  io: Io,
  wanted: 'claude' | 'none' | undefined,
): Promise<void> {
  if (wanted === 'claude' && isBelowAgent(io)) {
    throw new Problem({
      status: 403,
      title: 'Only a person can do this',
      detail: "--model claude lends a person's login. A person runs it in a terminal of their own.",
    });
  }
  let answer = wanted;
  if (answer === undefined) {
    if (!(await mayAsk(config, io, 'claude-answer'))?.claudeOffered) return;
    answer = (await confirmed(io, 'The use of your login', QUESTION)) ? 'claude' : 'none';
  }
  await callServer(config, 'PUT /v1/settings', { body: { claudeLogin: answer === 'claude' ? 'on' : 'off' } });
  keepAnswer(config, 'claude-answer', answer);
  if (io.json) return;
  const { provider, model } = await callServer(config, 'GET /v1/model');
  if (answer === 'none') io.log('Your Claude Code login is not used.');
  else if (provider === 'claude') hint(io, 'Your Claude Code login is used. lore doctor says how it does.');
  else io.log(`You agreed; but ${model ?? 'LORE_MODEL=none'} is set up, which comes first.`);
}

const ASKING =
  'After an error that it got past, and when you state something that may last, Lore can ask your agent in one line for the lesson or rule (none in most sessions, 500 tokens at most). May it?';

/** Asks once, on a terminal, whether agents may be asked. Where a model is used they are not, so then this asks nothing. */
export async function settleAsking(config: Config, io: Io): Promise<void> {
  if ((await mayAsk(config, io, 'ask-answer')) === null) return;
  const answer = await answerTo(io, `${ASKING} [Y/n] `, ['yes', 'no'], 'yes');
  if (answer === 'no') await callServer(config, 'PUT /v1/settings', { body: { voice: { ask: 'none' } } });
  keepAnswer(config, 'ask-answer', answer);
  hint(io, `To change it: lore settings voice.ask ${answer === 'no' ? 'few' : 'none'}`);
}
