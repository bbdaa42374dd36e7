import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type AskModel, ModelUnavailable } from '../../src/llm/ask.ts';

// No real model can be asked where Lore is built. Somebody who saw the instructions and the record of each request, and
// nothing else of Lore, played the model; the answers are kept, and go the way of a model's answers: they are checked
// against the form, and each name in them against the record.

type Recording = { prompt: string; answer: unknown };

/**
 * Returns a model that answers from recordings, and the requests that it had no answer for.
 *
 * @param file the recordings, one JSON object `{prompt, answer}` a line; may be absent
 */
export function recordedModel(file: string) {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  const answers = new Map(
    lines.map((line) => JSON.parse(line) as Recording).map((one) => [one.prompt, one.answer]),
  );
  const unanswered: { instructions: string; prompt: string }[] = [];
  const ask: AskModel = async (_claims, { instructions, prompt, form }) => {
    const answer = answers.get(prompt);
    if (answer === undefined) {
      unanswered.push({ instructions, prompt });
      throw new ModelUnavailable('failed', 'nobody has answered this yet');
    }
    const read = form.safeParse(answer);
    if (!read.success) throw new ModelUnavailable('form', read.error.message);
    return { answer: read.data, model: 'recorded', tokens: 0 };
  };
  /** Writes the requests without an answer, for somebody to answer. */
  const writeUnanswered = (to: string) =>
    writeFileSync(
      to,
      `${unanswered[0]?.instructions ?? ''}\n\n${unanswered.map(({ prompt }, n) => `### ${n}\n${prompt}`).join('\n\n')}\n`,
    );
  return { ask, unanswered, writeUnanswered };
}
