import { createInterface } from 'node:readline/promises';
import { Problem } from '../errors/problem.ts';
import type { Io } from './io.ts';
import { asCalled } from './print.ts';

/**
 * Asks a yes-or-no question on the terminal. Returns whether the answer is yes.
 *
 * @param about what is asked, for people: “A statement that writes”
 * @throws Problem (400) when there is no terminal to ask on
 */
export async function confirmed(io: Io, about: string, question: string): Promise<boolean> {
  if (io.stdin.isTTY) return (await answerTo(io, `${question} [y/N] `, ['yes', 'no'], 'no')) === 'yes';
  const detail = `${about} asks first, and there is no terminal to ask on. Add --yes.`;
  throw new Problem({ status: 400, title: 'Not confirmed', detail });
}

/**
 * Asks on the terminal, again after an answer that is no choice. Returns the choice of which the answer is the beginning.
 *
 * @param usual what an empty answer means, or the end of the input
 */
export async function answerTo<C extends string>(
  io: Io,
  question: string,
  choices: readonly C[],
  usual: C,
): Promise<C> {
  if (io.stdin.readableEnded) return usual;
  // the terminal edits the line: otherwise an end of input that came before the question would not be seen
  const ask = createInterface({ input: io.stdin, output: io.stdout, terminal: false });
  const ended = new Promise<null>((resolve) => ask.once('close', () => resolve(null)));
  let chosen: C | undefined;
  while (chosen === undefined) {
    const answer = await Promise.race([ask.question(asCalled(question)), ended]);
    // so that what follows stands on a line of its own
    if (answer === null) io.log('');
    const said = answer?.trim().toLowerCase() ?? '';
    chosen = said === '' ? usual : choices.find((choice) => choice.startsWith(said));
    if (chosen === undefined) io.log(`“${said}” is none of the answers.`);
  }
  ask.close();
  return chosen;
}
