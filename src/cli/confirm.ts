import { createInterface } from 'node:readline/promises';
import { Problem } from '../errors/problem.ts';

/**
 * Asks a yes-or-no question on the terminal. Returns whether the answer is yes.
 *
 * @param about what is asked, for people: “A statement that writes”
 * @throws Problem (400) when there is no terminal to ask on
 */
export async function confirmed(about: string, question: string): Promise<boolean> {
  if (!process.stdin.isTTY) {
    throw new Problem({
      status: 400,
      title: 'Not confirmed',
      detail: `${about} asks first, and there is no terminal to ask on. Add --yes.`,
    });
  }
  const ask = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await ask.question(`${question} [y/N] `);
  ask.close();
  return /^y(es)?$/i.test(answer.trim());
}
