import { sql } from 'drizzle-orm';
import { readWordLists } from '../../base/text/jsonc.ts';
import { query, type Tx } from '../../db/open.ts';
import wellKnown from '../../shell/well-known.jsonc' with { type: 'text' };
import type { GuardRule } from '../guards/rule.ts';

// Nobody is believed who names what the session's record does not hold. A guard says in a machine's words what a person
// said in theirs (`git push --force` for “no force pushes”), so in a guard common knowledge may be named besides.

const KNOWN_TO_ALL = readWordLists(wellKnown, 'well-known.jsonc')('all');

/**
 * Returns what a guard names and not everybody knows who writes software: of each program, argument, path, pattern and tool
 * its longest word. Options are known, and so are the endings of files.
 */
export function namedInGuard({ when, unless }: GuardRule): string[] {
  const named = [...when, ...(unless ? [{ kind: 'command' as const, ...unless }] : [])].flatMap((match) => {
    if (match.kind === 'command') return [...match.program.split(/\s+/), ...(match.args ?? [])];
    const pattern = ('pattern' in match ? (match.pattern ?? '') : '').replace(
      /\(\?[a-z]+\)|\\.|\[[^\]]*\]/g,
      ' ',
    );
    const tool = match.kind === 'mcp' ? match.tool.replace(/^mcp__/, '').replaceAll('_', ' ') : '';
    return [pattern, tool, ...('globs' in match ? (match.globs ?? []) : [])];
  });
  return named.flatMap((name) => {
    if (/^-|^(?:\*\*\/)?\*?\.[\w{},]+$/.test(name)) return [];
    const words = name.toLowerCase().match(/[\p{L}\p{N}_]{2,}(?:-[\p{L}\p{N}_]+)*/gu) ?? [];
    if (words.every((word) => KNOWN_TO_ALL.has(word))) return [];
    return words.filter((word) => !KNOWN_TO_ALL.has(word)).sort((a, b) => b.length - a.length)[0] ?? [];
  });
}

/**
 * Returns the first of these names that no call and no prompt of a session holds; null if all are held. Calls of Lore's own
 * tools do not count: the proposal itself is one.
 */
export async function unseenIn(tx: Tx, sessionId: string, names: string[]): Promise<string | null> {
  if (names.length === 0) return null;
  // a payload is searched as its JSON, in which quotes and line ends are escaped; a number must stand there by itself
  const written = names.map((name) => JSON.stringify(name).slice(1, -1).toLowerCase());
  const [first] = await query<{ n: number }>(tx)`
    select n::int as n from unnest(${sql.param(written)}::text[]) with ordinality w(name, n)
    where not exists (select from events e
      where e.session_id = ${sessionId} and e.event in ('UserPromptSubmit', 'PostToolUse', 'PostToolUseFailure')
        and coalesce(e.tool_name, '') !~ '^mcp__.*lore' and strpos(lower(e.payload::text), w.name) > 0
        and (w.name !~ '^[0-9]+$' or e.payload::text ~ ('\\m' || w.name || '\\M')))
    order by n limit 1`;
  return first === undefined ? null : (names[first.n - 1] ?? null);
}
