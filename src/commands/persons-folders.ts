import { homedir, tmpdir } from 'node:os';
import type { MayBeDistant } from '../http/distant.ts';

/** The folders of the person who runs the server. Asked for once, because each answer takes a dozen system calls. */
let own: { home: string; tmp: string } | undefined;

/** Returns the person's folders. On a distant machine they are guessed from where the person works. */
export const foldersOf = ({ distant }: MayBeDistant, cwd: string): { home: string; tmp: string } => {
  if (distant)
    return { home: /^\/(root|(home|Users)\/[^/]+)(?=\/|$)/.exec(cwd)?.[0] ?? '/home/user', tmp: '/tmp' };
  own ??= { home: homedir(), tmp: tmpdir() };
  return own;
};
