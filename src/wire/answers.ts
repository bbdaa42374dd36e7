// The form in which agents answer what Lore asks them, by a tool or by a command in their shell.

/** What an agent knows about an error, or about the project. */
export type Remembered = {
  kind?: 'lesson' | 'fact' | 'decision' | undefined;
  error?: string | undefined;
  /** what is true here */
  cause?: string | undefined;
  do?: string | undefined;
  applies_when?: string | undefined;
  type?: string | undefined;
  key?: string | undefined;
  value?: unknown;
};

/** Returns an answer as `POST /v1/proposals` takes it. */
export function proposalOf({
  kind = 'lesson',
  error,
  cause,
  do: text,
  applies_when: when,
  ...fact
}: Remembered) {
  return {
    kind,
    ...(error !== undefined && { error }),
    ...(cause !== undefined && { why: cause }),
    ...(text !== undefined && { text }),
    ...(when !== undefined && { when }),
    ...fact,
  };
}
