import { once } from '../timing/once.ts';
import { askedToRemember } from './read-prompt.ts';

/** What a prompt says by its words alone. Each field is worked out when it is first asked for, and then kept. */
export type Prompt = {
  readonly text: string;
  /** what the person expressly asks to be kept in mind, in their own words */
  readonly toRemember: readonly string[];
};

/** Reads a prompt. */
export function readPrompt(text: string): Prompt {
  const toRemember = once(() => askedToRemember(text));
  return {
    text,
    get toRemember() {
      return toRemember();
    },
  };
}
