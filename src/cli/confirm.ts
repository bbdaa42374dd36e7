import { createInterface } from 'node:readline/promises';
import { Problem } from '../errors/problem.ts';
import { asCalled } from './hint.ts';
import type { Io } from './io.ts';
import { wrapped } from './wrap.ts';

/**
 * Asks a yes-or-no question on the terminal. Returns whether the answer is yes.
 *
 * @param about what is asked, for people: “A statement that writes”
 * @throws Problem (400) when there is no terminal to ask on
 */
export async function confirmed(io: Io, about: string, question: string): Promise<boolean> {
  if (!io.stdin.isTTY) {
    throw new Problem({
      status: 400,
      title: 'Not confirmed',
      detail: `${about} asks first, and there is no terminal to ask on. Add --yes.`,
    });
  }
  return /^y(es)?$/i.test(await answerTo(io, `${question} [y/N] `));
}

/** Asks on the terminal. Returns the answer; an empty one if the input ends before there is any. */
export async function answerTo(io: Io, question: string): Promise<string> {
  if (io.stdin.readableEnded) return '';
  const width = io.columns;
  const asks = asCalled(question);
  // the terminal edits the line: otherwise an end of input that came before the question would not be seen
  const ask = createInterface({ input: io.stdin, output: io.stdout, terminal: false });
  const ended = new Promise<null>((resolve) => ask.once('close', () => resolve(null)));
  const shown = width === undefined ? asks : `${wrapped(asks.trimEnd(), width - 1)} `;
  const answer = await Promise.race([ask.question(shown), ended]);
  ask.close();
  // so that what follows stands on a line of its own
  if (answer === null) io.log('');
  return answer?.trim() ?? '';
}
