import { words } from '../../shell/names.ts';
import type { Zone } from '../../shell/zones.ts';

export { words };

/** Programs with subcommands. With `--help` behind one, they explain it and do nothing. */
export const EXPLAINS_SUBCOMMANDS: ReadonlySet<string> = new Set(
  words(`git docker podman docker-compose kubectl helm terraform tofu pulumi npm pnpm yarn cargo gh glab gcloud az heroku
    fly flyctl vercel netlify wrangler supabase prisma rails poetry uv pip brew systemctl`),
);

/** Splits a text into the phrases between its commas: `stash drop, stash clear`. */
export const phrases = (text: string): string[] =>
  text
    .split(',')
    .map((phrase) => phrase.trim().replace(/\s+/g, ' '))
    .filter((phrase) => phrase !== '');

/** Zones of what belongs to the project, with what can be thrown away: here a command may write. */
export const WRITABLE: readonly Zone[] = ['project', 'project-root', 'regenerable', 'temp', 'sink'];

/** Matches an address on another machine. */
export const ELSEWHERE = '\\w://(?!(localhost|127\\.0\\.0\\.1|0\\.0\\.0\\.0|\\[::1\\])([:/]|$))';

/** Programs that fetch a package to run it. */
export const FETCHING = words('npx pnpx bunx uvx pipx npm pnpm yarn bun');
