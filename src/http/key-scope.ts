/**
 * What a key is for:
 *
 * - `hooks`: for the hooks of a project. An agent's shell sees it, so it can do nothing that only a person may do.
 * - `device`: for the phone page, where a person reads and decides.
 * - `person`: for a person's own terminal. It may do everything that its account may.
 *
 * `src/server/api/key-scopes.txt` says which routes each may use.
 */
export const SCOPES = ['hooks', 'person', 'device'] as const;
export type Scope = (typeof SCOPES)[number];

/** Who wrote a record, by the key that it came with: a person's own terminal or page, or an agent, whatever name it gave. */
export const WRITERS = ['person', 'agent'] as const;
export type Writer = (typeof WRITERS)[number];
export const writerOf = (scope: Scope): Writer => (scope === 'hooks' ? 'agent' : 'person');
